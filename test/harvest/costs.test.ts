/**
 * A text costs its reader in proportion to its bytes, whatever stands in it. Each shape here once took the square of them, or more
 * memory than there is: at these sizes most of a minute, where it now takes far less than a second. What can be counted is counted.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { readMarkup } from "../../src/adapters/markup-saxes/index.ts";
import { MAP_LIMITS } from "../../src/domain/map-limits.ts";
import { readText, type TextKind } from "../../src/guides/index.ts";

const SOON_MS = 4_000;

function outcome(kind: TextKind, text: string, leaveOut: readonly string[] = []): readonly string[] {
  const reading = { app: null, where: "a text", text, screen: null, leaveOut, map: null, at: 1 };
  const read = readText(kind, reading, MAP_LIMITS, readMarkup);
  if (!read.ok) return [read.why.code];
  return ["harvested", ...new Set(read.value.findings.map(({ rule }) => rule))];
}

afterEach(() => {
  vi.restoreAllMocks();
});

const letters = (i: number): string => i.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz".charAt(Number(digit)));
const times = (count: number, write: (i: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, i) => write(i)).join(between);

describe("one pass over a text", () => {
  test.each<[string, TextKind, string, string]>([
    ["a word that is no property", "actree", `[1] button 'a' ${"a".repeat(120_000)}`, "harvested"],
    ["tags that never end", "autodroid", "<a id=1>".repeat(90_000), "not_autodroid"],
    ["tags of many names that never end", "autodroid", times(70_000, (i) => `<${letters(i)} id=1>`), "not_autodroid"],
    ["quotation marks that end no value", "autodroid", "<a id=1 text='".repeat(40_000), "not_autodroid"],
  ])("%s", (_, kind, text, code) => {
    const from = performance.now();
    expect(outcome(kind, text)[0]).toBe(code);
    expect(performance.now() - from).toBeLessThan(SOON_MS);
  });
});

describe("more parts than a call has room for", () => {
  test("empty lines and marks of YAML", () => {
    expect(outcome("aria", `- button "a":\n${"\n".repeat(130_000)}    - text: x\n`)).toEqual(["harvested"]);
    expect(outcome("aria", `[${",".repeat(130_000)}]`)).toEqual(["not_yaml"]);
  });

  test.each<[string, string, string]>([
    ["a name", `- 'button "${"a".repeat(9_000_000)}"'`, "harvested"],
    ["a name that does not end", `- 'button "${"a".repeat(9_000_000)}'`, "not_aria"],
    ["attributes", `- 'button "a"${" [a]".repeat(2_500_000)}'`, "harvested"],
  ])("in the key of a snapshot: %s", (_, text, code) => {
    expect(outcome("aria", text)[0]).toBe(code);
  });

  test("elements in one that is left out", () => {
    const nodes = "<node/>".repeat(140_000);
    const text = `<hierarchy><node text="a" clickable="true"/><node text="out">${nodes}</node></hierarchy>`;
    expect(outcome("android", text, ["out"])).toEqual(["harvested"]);
  });
});

describe("what weighs more when it is read than in the text", () => {
  test("YAML has a bound of its own for words and marks", () => {
    expect(outcome("openapi", `openapi: 3\npaths: {}\na: [${"1,".repeat(500_000)}1]`)).toEqual(["too_large"]);
  });

  test("texts in one control are read as far as they are kept", () => {
    const inner = times(300, (i) => `{text: t${i}}`, ",");
    expect(outcome("aria", `[{button: [{generic: [${inner}]}]}]`)).toEqual(["harvested", "texts_left_out"]);
  });

  test("controls inside one another do not each look at all that is in them", () => {
    const texts = "text: t,".repeat(10_000);
    expect(outcome("aria", `${"[{button: ".repeat(50)}[${texts}]${"}]".repeat(50)}`)).toEqual([
      "harvested",
      "not_expanded",
      "duplicate_id",
    ]);
  });

  const uses = (schema: object, count: number): string =>
    JSON.stringify({
      tools: [
        {
          name: "a",
          inputSchema: {
            $defs: { E: schema },
            properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { $ref: "#/$defs/E" }])),
          },
        },
      ],
    });

  test("a choice or a preset that is no text is written once, and no more of it than is kept", () => {
    const big = { a: "x".repeat(40_000), b: Array(20_000).fill(1) };
    const text = uses({ enum: [big, big], default: big }, 300);
    const stringify = vi.spyOn(JSON, "stringify");
    expect(outcome("mcp", text)).toEqual(["harvested", "text_cut"]);
    const written = stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
    expect(written).toBeLessThan(60_000);
  });

  test.each<[string, string]>([
    ["choices", uses({ enum: Array.from({ length: 200 }, (_, i) => `${i}${"x".repeat(1_000)}`) }, 400)],
    ["descriptions", uses({ description: "x".repeat(200_000) }, 4_000)],
    ["fields in one of a long name", uses({ properties: { ["x".repeat(200_000)]: {} } }, 4_000)],
    [
      "fields of a tool with a long name",
      JSON.stringify({
        tools: [
          {
            name: "x".repeat(200_000),
            inputSchema: { properties: Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`p${i}`, {}])) },
          },
        ],
      }),
    ],
  ])("what is said once and meant often is refused where it is too much together: %s", (_, text) => {
    const from = performance.now();
    expect(outcome("mcp", text)).toEqual(["too_large"]);
    expect(performance.now() - from).toBeLessThan(SOON_MS);
  });

  test("fields, tools and parameters that are made of each other have one count", () => {
    const wide = { properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, {}])) };
    const tool = (name: string, inputSchema: object) => ({ name, inputSchema });
    const again = tool("a", { $defs: { E: wide }, allOf: Array(300).fill({ $ref: "#/$defs/E" }) });
    expect(outcome("mcp", JSON.stringify([again]))).toEqual(["too_large"]);
    const doubled = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [`s${i}`, { allOf: Array(2).fill({ $ref: `#/$defs/s${i + 1}` }) }]),
    );
    const fan = { $ref: "#/$defs/s0", $defs: { ...doubled, s16: {} } };
    expect(outcome("mcp", JSON.stringify([tool("a", fan)]))).toEqual(["harvested"]);
    expect(outcome("mcp", JSON.stringify([tool("a", fan), tool("b", fan)]))).toEqual(["too_large"]);
    const parameters = Array.from({ length: 1_000 }, () => ({ name: "p", in: "query" }));
    const paths = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/${i}`, { $ref: "#/x" }]));
    expect(outcome("openapi", JSON.stringify({ openapi: "3.1.0", x: { get: {}, parameters }, paths }))).toEqual([
      "too_large",
    ]);
  });

  test("a long reference is followed once", () => {
    const text = uses({ $ref: `#/${"a/".repeat(50_000)}` }, 2_000);
    const from = performance.now();
    expect(outcome("mcp", text)).toEqual(["harvested", "missing_ref"]);
    expect(performance.now() - from).toBeLessThan(SOON_MS);
  });

  test("names that are cut alike are not taken for one without a word", () => {
    const [one, other] = ["a", "b"].map((end) => `${"x".repeat(5_000)}${end}`);
    const properties = { [one as string]: {}, [other as string]: {} };
    expect(outcome("mcp", JSON.stringify([{ name: "a", inputSchema: { properties } }]))).toContain("not_expanded");
  });

  test("white space that is not read to its end is named", () => {
    const tools = [{ name: "a", description: `x${" ".repeat(30_000)}y` }];
    expect(outcome("mcp", JSON.stringify(tools))).toEqual(["harvested", "spaces_cut"]);
  });
});
