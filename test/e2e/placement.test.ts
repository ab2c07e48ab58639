import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, createSignalbox, defineTool, SignalboxError, type Tool, z } from "signalbox";
import { describe, expect, test } from "vitest";
import { cli, folder, ROOT } from "./stage.ts";

/** The rails of a tool as its author writes them, a line each. */
const RAILS = {
  record: `record: () => ({ items: [{ id: "e1" }] }),`,
  evidence: `evidence: { min: 1, from: (record) => record.items },`,
  evidenceOfNone: `evidence: { min: 0, from: (record) => record.items },`,
  provenance: `provenance: { id: { from: ["request"] } },`,
  provenanceOfNone: `provenance: {},`,
  authorise: `authorise: () => permit(),`,
  byPolicy: `authorise: "by_policy",`,
  caps: `caps: [{ name: "c", limit: 3, window: "per_run" }],`,
  noCaps: `caps: [],`,
  review: `review: "the drafts folder",`,
  emptyReview: `review: "  ",`,
} as const;
type Rail = keyof typeof RAILS;

type Case = {
  readonly placement: "internal" | "user-reversible" | "staff-reversible" | "irreversible";
  readonly rails: readonly Rail[];
  /** What start-up has to say, or null where nothing is missing. */
  readonly says: RegExp | null;
  /** Whether TypeScript can see it. */
  readonly compiles: boolean;
};

const all: readonly Rail[] = ["record", "evidence", "authorise", "caps"];
const but = (...without: readonly Rail[]): readonly Rail[] => all.filter((rail) => !without.includes(rail));

const CASES: readonly Case[] = [
  { placement: "internal", rails: [], says: null, compiles: true },
  { placement: "user-reversible", rails: ["review"], says: null, compiles: true },
  { placement: "user-reversible", rails: [], says: /needs `review`/, compiles: false },
  { placement: "user-reversible", rails: ["emptyReview"], says: /needs `review`/, compiles: true },
  { placement: "staff-reversible", rails: ["authorise"], says: null, compiles: true },
  { placement: "staff-reversible", rails: [], says: /needs the action rail: an `authorise`/, compiles: false },
  { placement: "staff-reversible", rails: ["review"], says: /needs the action rail: an `authorise`/, compiles: false },
  { placement: "staff-reversible", rails: ["byPolicy"], says: /a rule of definePolicy that names it/, compiles: true },
  { placement: "irreversible", rails: all, says: null, compiles: true },
  {
    placement: "irreversible",
    rails: but("authorise"),
    says: /needs the action rail: an `authorise`/,
    compiles: false,
  },
  { placement: "irreversible", rails: but("evidence"), says: /needs `evidence`/, compiles: false },
  { placement: "irreversible", rails: ["provenance", "authorise", "caps"], says: null, compiles: true },
  {
    placement: "irreversible",
    rails: ["provenanceOfNone", "authorise", "caps"],
    says: /needs `evidence`, ids that code can check, or `provenance`/,
    compiles: true,
  },
  { placement: "irreversible", rails: but("caps"), says: /needs `caps`/, compiles: false },
  { placement: "irreversible", rails: [...but("caps"), "noCaps"], says: /needs `caps`/, compiles: false },
  {
    placement: "irreversible",
    rails: [...but("evidence"), "evidenceOfNone"],
    says: /`evidence.min` of at least 1/,
    compiles: true,
  },
  { placement: "irreversible", rails: but("record"), says: /has `evidence` but no `record`/, compiles: false },
  {
    placement: "irreversible",
    rails: [...but("authorise"), "byPolicy"],
    says: /a rule of definePolicy that names it/,
    compiles: true,
  },
  {
    placement: "irreversible",
    rails: [],
    says: /needs the action rail[\s\S]*needs `evidence`[\s\S]*needs `caps`/,
    compiles: false,
  },
];

const NAMED = CASES.map((one) => [`${one.placement} with ${one.rails.join(", ") || "nothing"}`, one] as const);

/** The tool of a case as source text: what a user would write. */
function toolText({ placement, rails }: Case): string {
  const lines = rails.map((rail) => `  ${RAILS[rail]}\n`).join("");
  return `defineTool({
  name: "the_tool",
  description: "Does something.",
  effect: "once",
  params: z.strictObject({ id: z.enum(["a", "b"]) }),
  placement: "${placement}",
${lines}  execute: () => ({ ok: true }),
  summarise: () => "done",
})`;
}

const HEAD = `import { defineConfig, defineTool, permit, z } from "signalbox";\n`;
const STRICT = HEAD;
/** As from JavaScript: the type error is not there to help. */
const LOOSE = `import { defineConfig, defineTool as typed, permit, z } from "signalbox";\nconst defineTool: (tool: object) => never = typed as never;\n`;

describe("at start", () => {
  test.each(NAMED)("[rails-placement] %s", async (_, one) => {
    const config = `export default defineConfig({ model: { baseUrl: "http://127.0.0.1:9/v1", name: "m" }, tools: [${toolText(one)}] });\n`;
    const cwd = folder({ "signalbox.config.ts": LOOSE + config });
    const said = await cli(cwd, ["run", "please"]);
    if (one.says === null) {
      // Nothing is missing, so it gets as far as the model that is not there.
      expect(said.code).toBe(5);
      return;
    }
    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(/tool the_tool: /);
    expect(said.stderr).toMatch(one.says);
    // Before any model call, and before there is a ledger.
    expect(existsSync(join(cwd, "signalbox.db"))).toBe(false);
    const doctor = await cli(cwd, ["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/failed +config +tool the_tool: /);
  });

  test("[rails-placement] over the library nothing is asked and nothing is opened", () => {
    const asked: unknown[] = [];
    const complete = async (request: unknown): Promise<never> => {
      asked.push(request);
      throw new Error("asked");
    };
    const loose = defineTool as (tool: object) => Tool;
    const bare = loose({
      name: "t",
      description: "d",
      placement: "irreversible",
      effect: "once",
      params: z.strictObject({}),
      execute: () => 1,
      summarise: () => "s",
    });
    const config: Config = {
      model: { name: "m", kind: "live", where: "here", complete },
      tools: [bare],
      store: "/nowhere/at/all.db",
    };
    expect(() => createSignalbox(config)).toThrow(SignalboxError);
    expect(() => createSignalbox(config)).toThrow(/tool t: [^\n]*evidence/);
    expect(asked).toEqual([]);
  });

  const open: readonly (readonly [params: string, says: RegExp])[] = [
    ["z.strictObject({ note: z.string() })", /`params\.note` is a string without a bound/],
    ["z.object({ id: z.enum(['a']) })", /`params` takes unknown keys/],
    ["z.strictObject({ more: z.looseObject({}) })", /`params\.more` takes unknown keys/],
    ["z.strictObject({ what: z.unknown() })", /`params\.what` takes anything/],
    ["z.strictObject({ list: z.array(z.string()) })", /`params\.list.*` is a string without a bound/],
  ];
  test.each(open)(
    "[rails-placement] from staff-reversible upward there is no field for free text: %s",
    async (params, says) => {
      for (const placement of ["staff-reversible", "irreversible"] as const) {
        const rails = placement === "irreversible" ? all : (["authorise"] as const);
        const tool = toolText({ placement, rails, says, compiles: true }).replace(
          'z.strictObject({ id: z.enum(["a", "b"]) })',
          params,
        );
        const config = `export default defineConfig({ model: { baseUrl: "http://127.0.0.1:9/v1", name: "m" }, tools: [${tool}] });\n`;
        const said = await cli(folder({ "signalbox.config.ts": LOOSE + config }), ["run", "please"]);
        expect(said.code).toBe(2);
        expect(said.stderr).toMatch(says);
      }
    },
  );
});

describe("for TypeScript", () => {
  test("[rails-placement] a missing rail that TypeScript can see does not compile, and a whole tool does", () => {
    const cwd = folder();
    mkdirSync(join(cwd, "cases"));
    const options = {
      extends: join(ROOT, "tsconfig.json"),
      include: ["cases"],
      compilerOptions: { typeRoots: [join(ROOT, "node_modules/@types")] },
    };
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(options));
    writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
    CASES.forEach((one, i) => {
      // With its error expected, a case that compiles all the same is an error itself.
      const expected = one.compiles ? "" : "// @ts-expect-error\n";
      const [first = "", ...rest] = toolText(one).split("\n");
      writeFileSync(
        join(cwd, "cases", `expected-${i}.ts`),
        `${STRICT}${expected}export const tool = ${first} ${rest.map((line) => line.trim()).join(" ")}\n`,
      );
      writeFileSync(join(cwd, "cases", `plain-${i}.ts`), `${STRICT}export const tool = ${toolText(one)};\n`);
    });
    const tsc = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], {
      cwd,
      encoding: "utf8",
    });
    const errors = tsc.stdout.split("\n").filter((line) => line.includes("error TS") && !line.includes("TS6133"));
    const failed = new Set(errors.map((line) => line.split("(")[0]?.replace("cases/", "") ?? ""));
    const missing = CASES.flatMap((one, i) => (one.compiles ? [] : [`plain-${i}.ts`]));
    expect(missing.length).toBeGreaterThan(7);
    expect([...failed].sort(), tsc.stdout + tsc.stderr).toEqual([...missing].sort());
  });
});
