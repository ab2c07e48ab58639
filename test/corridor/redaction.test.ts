import { describe, expect, test } from "vitest";
import { redactJson, redactText } from "../../src/domain/redact.ts";
import type { Model } from "../../src/index.ts";
import { growthOf, LINEAR_MAX } from "../growth.ts";
import { openBox, plainTool } from "./box.ts";

const SECRET = 'sk-live/ab"c\\12';
const NUMBER = "48213377";
const redact = { values: [SECRET, NUMBER] };

const units = (text: string, slash: string): string =>
  [...text].map((c) => `${slash}u${c.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`).join("");

/** A model that says these texts as they are. */
function saying(texts: readonly string[], finish = "stop"): Model {
  let next = 0;
  const complete: Model["complete"] = async () => {
    const text = texts[next++];
    if (text === undefined) return { ok: false, code: "script_exhausted", detail: "" };
    return { ok: true, text, finish, promptTokens: null, completionTokens: null };
  };
  return { name: "m", kind: "live", where: "here", complete };
}

describe("[input-redaction] declared values", () => {
  test.each([
    ["escaped unit by unit", `{"kind":"action","tool":"look","params":{"s":"${units(SECRET, "\\")}"}}`],
    [
      "escaped in params that are a string",
      `{"kind":"action","tool":"look","params":"{\\"s\\":\\"${units(SECRET, "\\\\")}\\"}"}`,
    ],
    ["a number", `{"kind":"action","tool":"look","params":{"n":${NUMBER}}}`],
    ["a number written otherwise", `{"kind":"action","tool":"look","params":{"n":4821337.7e1}}`],
    ["escaped in a field that nobody looks at", `{"kind":"conversation","text":"hi","query":"${units(SECRET, "\\")}"}`],
    ["escaped as a key that is refused", `{"${units(SECRET, "\\")}":1}`],
    ["escaped as a key that is there twice", `{"${units(SECRET, "\\")}":1,"${units(SECRET, "\\")}":2}`],
    ["escaped in what is no JSON", `so: "${units(SECRET, "\\")}"`],
  ])("%s: in no event and no prompt, and the replay agrees", async (_name, reply) => {
    const seen: unknown[] = [];
    const box = openBox([plainTool("look", ({ params }) => seen.push(params))], [], {
      model: saying([reply, reply, `{"kind":"conversation","text":"bye"}`]),
      redact,
    });
    const outcome = await box.run("x");
    const replied = (await box.events(outcome.run)).flatMap((event) => (event.kind === "replied" ? [event] : []));
    // Everything that JSON in JSON could hide is read out.
    const text = JSON.stringify([replied, outcome, seen]).replace(/\\+u([\da-f]{4})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    expect(text.replaceAll("\\", "")).not.toContain(SECRET.replaceAll("\\", ""));
    expect(text).not.toMatch(/48213377|4821337\.7/);
    expect(text).toContain("[redacted]");
    expect(await box.replay(outcome.run)).toMatchObject({ same: true, differences: [] });
  });

  test("what a server says of how it finished", async () => {
    const box = openBox([], [], {
      model: saying([`{"kind":"conversation","text":"hi"}`], `because ${SECRET}`),
      redact,
    });
    const { run } = await box.run("x");
    const replied = (await box.events(run)).find((event) => event.kind === "replied");
    expect(replied).toMatchObject({ finish: "because [redacted]", reply: { kind: "conversation" } });
  });

  test("numbers in a result", () => {
    expect(redactJson({ pin: 48_213_377, other: 5 }, { values: [NUMBER], fields: [] })).toEqual({
      pin: "[redacted]",
      other: 5,
    });
  });

  test("one value that begins another, that overlaps another, and that overlaps itself, leaves no tail", () => {
    const values = (...all: string[]) => ({ values: all, fields: [] });
    expect(redactText("x abcdef-extra y", values("abcdef", "abcdef-extra"))).toBe("x [redacted] y");
    expect(redactText("x abcdefghi y", values("abcdef", "defghi"))).toBe("x [redacted] y");
    expect(redactText("x abcabcabc y", values("abcabc"))).toBe("x [redacted] y");
    expect(redactText("abcdefabcdef", values("abcdef"))).toBe("[redacted][redacted]");
  });

  test("what JSON needs beside the value stays", () => {
    const text = redactText(JSON.stringify({ a: `\\${SECRET}\n`, b: "x" }), { values: [SECRET], fields: [] });
    expect(JSON.parse(text)).toMatchObject({ b: "x" });
  });

  test("a hostile text costs no more than its length", () => {
    const redaction = { values: ['\\\\\\\\\\\\\\\\"x', '"""""""x', "a\\b\\c\\d"], fields: [] };
    expect(growthOf((n) => redactText("\\".repeat(n), redaction), 2_000)).toBeLessThan(LINEAR_MAX);
  });
});

describe("what a server counts", () => {
  const counting = (promptTokens: number | null, completionTokens: number | null): Model => ({
    ...saying([]),
    complete: async () => ({
      ok: true,
      text: `{"kind":"conversation","text":"${"x".repeat(273)}"}`,
      finish: "stop",
      promptTokens,
      completionTokens,
    }),
  });
  const usageOf = async (model: Model) => {
    const box = openBox([], [], { model });
    const { run } = await box.run("x");
    return (await box.events(run)).flatMap((event) => (event.kind === "replied" ? [event.usage] : []))[0];
  };

  test("is charged if it can be true, and our estimate otherwise", async () => {
    const estimate = await usageOf(counting(null, null));
    const prompt = estimate?.promptTokens ?? 0;
    const completion = estimate?.completionTokens ?? 0;
    expect(completion).toBeGreaterThan(100);
    expect(await usageOf(counting(0, 0))).toEqual(estimate);
    const least = Math.ceil(completion / 4);
    expect(await usageOf(counting(prompt, least - 1))).toMatchObject({ completionTokens: completion, estimated: true });
    expect(await usageOf(counting(prompt, least))).toMatchObject({ completionTokens: least, estimated: false });
    expect(await usageOf(counting(prompt * 2, least))).toMatchObject({ promptTokens: prompt * 2, estimated: false });
  });
});
