/**
 * The house keeps its own rules: every check of tools/tidy.ts over this repository, and for each check a twin, a small
 * house in memory with a planted fault that the check must find.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { File, Finding } from "../tools/check.ts";
import { RESERVED, ROOMS } from "../tools/house.ts";
import { lineOf, readSource } from "../tools/source.ts";
import { CHECKS, printed, readRepository } from "../tools/tidy.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const repository = readRepository(root);

describe("the repository", () => {
  for (const [name, check] of Object.entries(CHECKS)) {
    const promise = ["importLaw", "doors", "cycles"].includes(name) ? "[house-import-law] " : "";
    test(`${promise}${name} finds nothing`, () => {
      const findings = check(repository);
      expect(findings, `\n${printed(findings)}\n`).toEqual([]);
    });
  }

  const tools: readonly (readonly [string, ...string[]])[] = [
    ["typescript/bin/tsc", "-p", "tsconfig.json"],
    ["typescript/bin/tsc", "-p", "tsconfig.pure.json"],
    ["@biomejs/biome/bin/biome", "check", "--colors=off", "."],
  ];
  for (const [bin, ...rest] of tools) {
    test(`${bin.split("/").at(-1)} ${rest.join(" ")} passes`, () => {
      const run = spawnSync(process.execPath, [`${root}node_modules/${bin}`, ...rest], { cwd: root, encoding: "utf8" });
      expect(run.status, `\n${run.stdout}${run.stderr}${run.error?.message ?? ""}\n`).toBe(0);
    });
  }

  test("the table names only rooms that it has, and no pure room sees Node or a package, but for the YAML of rules", () => {
    for (const room of ROOMS.filter((one) => one.pure)) {
      expect(room).toMatchObject({ node: false, packages: room.name === "guides" ? ["yaml"] : [] });
      expect(["domain", undefined], room.name).toContain(room.imports[0]);
      expect(room.imports.length, room.name).toBeLessThan(2);
    }
    expect(new Set(ROOMS.map((room) => room.name)).size).toBe(ROOMS.length);
  });
});

/** A house of the given files. */
function house(files: Readonly<Record<string, string>>): readonly File[] {
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

/** Where a check found something, in the order of its findings. */
function places(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ where }) => where);
}

/** A check's twin: it finds the fault at these places, and nothing in the same house without it. */
function twin(
  name: keyof typeof CHECKS,
  title: string,
  faulty: Readonly<Record<string, string>>,
  expected: readonly string[],
  sound: Readonly<Record<string, string>>,
): void {
  test(`${name}: ${title}`, () => {
    const found = CHECKS[name](house(faulty));
    expect(places(found), printed(found)).toEqual(expected);
    for (const { rule, message } of found) {
      expect(rule).toBe(name);
      expect(message.length).toBeGreaterThan(20);
    }
    expect(CHECKS[name](house(sound))).toEqual([]);
  });
}

describe("mutation twins", () => {
  const runtimeDoor = { "src/runtime/index.ts": "export const run = 1;\n" };
  twin(
    "importLaw",
    "a loop file that imports the runtime",
    { ...runtimeDoor, "src/loop/advance.ts": '\nimport { run } from "../runtime/index.ts";\nrun;\n' },
    ["src/loop/advance.ts:2"],
    { ...runtimeDoor, "src/loop/advance.ts": 'import type { Run } from "../domain/run.ts";\n' },
  );
  twin(
    "importLaw",
    "one pure room that imports another, even only a type",
    { "src/rails/decide.ts": 'import type { Run } from "../loop/index.ts";\n' },
    ["src/rails/decide.ts:1"],
    { "src/runtime/run.ts": 'import type { Run } from "../loop/index.ts";\n' },
  );
  twin(
    "importLaw",
    "domain that imports a room, a package or Node",
    {
      "src/domain/a.ts": 'import { x } from "../ports/x.ts";\n',
      "src/domain/b.ts": 'export { z } from "zod";\n',
      "src/domain/c.ts": 'const { hash } = await import("node:crypto");\n',
    },
    ["src/domain/a.ts:1", "src/domain/b.ts:1", "src/domain/c.ts:1"],
    {
      "src/domain/a.ts": 'import { x } from "./x.ts"; // not from "zod"\n',
      "src/index.ts": 'export { z } from "zod";\n',
    },
  );
  twin(
    "importLaw",
    "an adapter that imports another, or the runtime",
    {
      "src/adapters/store-sqlite/index.ts": 'import { x } from "../store-memory/index.ts";\n',
      "src/adapters/store-memory/index.ts": 'import { x } from "../../runtime/index.ts";\n',
    },
    ["src/adapters/store-sqlite/index.ts:1", "src/adapters/store-memory/index.ts:1"],
    { "src/adapters/store-memory/index.ts": 'import { x } from "../../ports/store.ts";\nimport "./rows.ts";\n' },
  );
  twin(
    "importLaw",
    "a file under src/ in no room, and a room that leans on a tool",
    { "src/helpers/x.ts": "export const x = 1;\n", "src/runtime/x.ts": 'import { y } from "../../tools/y.ts";\n' },
    ["src/helpers/x.ts:1", "src/runtime/x.ts:1"],
    { "tools/y.ts": 'import { x } from "../src/runtime/x.ts";\n', "vitest.config.ts": 'import "./tools/y.ts";\n' },
  );
  twin(
    "importLaw",
    "an example or a spec that looks behind the public door",
    {
      "examples/a/start.ts": 'import { run } from "../../src/index.ts";\nimport { z } from "zod";\n',
      "spec/decide.ts": 'import { decide } from "../src/rails/index.ts";\n',
    },
    ["examples/a/start.ts:1", "examples/a/start.ts:2", "spec/decide.ts:1"],
    { "examples/a/start.ts": 'import { z } from "signalbox";\nimport { x } from "signalbox/testing";\n' },
  );
  twin(
    "doors",
    "a file that reaches past a door, in a test too",
    {
      "src/runtime/run.ts": 'import { advance } from "../loop/advance.ts";\n',
      "src/runtime/run.test.ts": 'import { decide } from "../rails/decide.ts";\n',
      "src/index.ts": 'import { open } from "./adapters/store-sqlite/open.ts";\n',
    },
    ["src/runtime/run.ts:1", "src/runtime/run.test.ts:1", "src/index.ts:1"],
    {
      "src/runtime/run.ts":
        'import { advance } from "../loop/index.ts";\nimport { ending } from "../domain/ending.ts";\n',
      "src/loop/index.ts": 'export { advance } from "./advance.ts";\n',
      "test/laws/loop.test.ts": 'import { fold } from "../../src/loop/fold.ts";\n',
    },
  );
  twin(
    "reserved",
    "Authorised.mint in the runtime, also by a way round",
    {
      "src/runtime/a.ts": "\nconst token = Authorised.mint(proposal);\n",
      "src/runtime/b.ts": "const { mint } = Authorised;\n",
      "src/runtime/c.ts": 'const token = Authorised["mint"](proposal);\n',
      "src/rails/other.test.ts": "Authorised.mint(proposal);\n",
    },
    ["src/runtime/a.ts:2", "src/runtime/b.ts:1", "src/runtime/c.ts:1", "src/rails/other.test.ts:1"],
    {
      "src/rails/decide.ts": "return Authorised.mint(proposal);\n",
      "src/runtime/a.ts": 'const why = "only decide calls Authorised.mint(";\n// Authorised.mint( is reserved\n',
    },
  );
  twin(
    "reserved",
    "ServePlan.assemble outside compile, also by a way round",
    {
      "src/runtime/a.ts": "\nconst plan = ServePlan.assemble(parts);\n",
      "src/guides/b.ts": "const { assemble } = ServePlan;\n",
      "src/guides/c.ts": 'const plan = ServePlan["assemble"](parts);\n',
      "src/guides/d.ts": 'import { ServePlan as Plan } from "./serve-plan.ts";\n',
    },
    ["src/runtime/a.ts:2", "src/guides/b.ts:1", "src/guides/c.ts:1", "src/guides/d.ts:1"],
    {
      "src/guides/compile.ts": "return ServePlan.assemble(parts);\n",
      "src/guides/a.ts":
        'const why = "only compile calls ServePlan.assemble(";\nfunction assemble(plan: ServePlan) {}\n',
    },
  );
  const faultOf: Readonly<Record<string, string>> = {
    "Authorised.mint": "Authorised.mint(p)",
    "ServePlan.assemble": "ServePlan.assemble(parts)",
    "Date.now": "const at = Date.now()",
    "new Date": "const at = new Date()",
    "Math.random": "const id = Math.random()",
    globalThis: "globalThis.x",
    "performance.now": "performance.now()",
    "crypto.": "crypto.randomUUID()",
    locale: "a.localeCompare(b)",
    "export *": 'export * from "./x.ts"',
    "console.": 'console.log("x")',
    any: "const x = y as any",
    "@ts-": "// @ts-ignore",
    "fetch(": "await fetch(url)",
  };
  test("reserved: every name of the table has a planted fault here", () => {
    expect(Object.keys(faultOf).sort()).toEqual(RESERVED.map((rule) => rule.name).sort());
  });
  for (const [name, fault] of Object.entries(faultOf)) {
    twin("reserved", `${name} in a pure room`, { "src/loop/x.ts": `const a = 1;\n${fault};\n` }, ["src/loop/x.ts:2"], {
      "src/loop/x.ts": `const a = ${JSON.stringify(fault)}; /* ${fault.replace("@", "")} */\n`,
    });
  }
  twin(
    "reserved",
    "what a room may do and another may not",
    { "src/runtime/x.ts": 'await fetch(url);\nconsole.log("x");\nconst at: any = Date.now();\n' },
    ["src/runtime/x.ts:2", "src/runtime/x.ts:3", "src/runtime/x.ts:1"],
    {
      "src/adapters/model-x/index.ts": "await fetch(url);\nconst at = Date.now();\n",
      "src/apps/cli/print.ts": 'console.log("x");\n',
      "src/runtime/x.ts": "await store.fetch(key);\nlog.console.write(1);\nPromise.any(all);\n",
      "test/types.test.ts": "// @ts-expect-error: a missing rail does not compile\n",
    },
  );
  twin(
    "pureCompiled",
    "a pure room that sees Node types",
    { "tsconfig.pure.json": '{ "include": ["src/domain"] }', "src/domain/a.ts": "", "src/guides/a.ts": "" },
    ["tsconfig.pure.json:1"],
    {
      "tsconfig.pure.json": '{ "include": ["src/domain", "src/guides"] }',
      "src/domain/a.ts": "",
      "src/guides/a.ts": "",
    },
  );
  const back = 'import { a } from "./a.ts";\nexport const b = a;\n';
  twin(
    "cycles",
    "two files that import each other",
    { "src/loop/a.ts": 'export { b as a } from "./b.ts";\n', "src/loop/b.ts": back },
    ["src/loop/a.ts:1"],
    { "src/loop/a.ts": 'import type { B } from "./b.ts";\nexport const a = 1;\n', "src/loop/b.ts": back },
  );
  twin(
    "cycles",
    "a ring of three behind a file that is not in it, and a file that imports itself",
    {
      "src/loop/index.ts": 'export { a } from "./a.ts";\n',
      "src/loop/a.ts": 'import { b } from "./b.ts";\n',
      "src/loop/b.ts": 'import { c } from "./c.ts";\n',
      "src/loop/c.ts": 'await import("./a.ts");\n',
      "src/loop/self.ts": 'import { self } from "./self.ts";\n',
    },
    ["src/loop/a.ts:1", "src/loop/self.ts:1"],
    { "src/loop/a.ts": 'import { b } from "./b.ts";\n', "src/loop/b.ts": 'import { c } from "./c.ts";\n' },
  );
  twin(
    "deadFiles",
    "a file that only its test and another dead file use",
    {
      "src/index.ts": 'export { run } from "./runtime/index.ts";\n',
      "src/runtime/index.ts": "export const run = 1;\n",
      "src/runtime/dead.ts": 'import { deader } from "./deader.ts";\n',
      "src/runtime/deader.ts": "export const deader = 1;\n",
      "src/runtime/dead.test.ts": 'import { dead } from "./dead.ts";\n',
    },
    ["src/runtime/dead.ts:1", "src/runtime/deader.ts:1"],
    {
      "src/apps/cli/bin.ts": 'import type { A } from "./a.ts";\nnew URL("./worker.ts", import.meta.url);\n',
      "src/apps/cli/a.ts": "export type A = 1;\n",
      "src/apps/cli/worker.ts": 'await import("./b.ts");\n',
      "src/apps/cli/b.ts": "export {};\n",
    },
  );
  twin(
    "fileLength",
    "a file with one line more than the limit",
    { "src/loop/long.ts": "const a = 1;\n".repeat(401) },
    ["src/loop/long.ts:401"],
    { "src/loop/long.ts": "const a = 1;\n".repeat(400), "src/loop/long.test.ts": "const a = 1;\n".repeat(900) },
  );
  const doc = [
    "Open `src/loop/advance.ts:12`, `node tools/gone.ts`, `src/adapters/*/index.ts` and `docs/decisions/`.",
    "See [the map](docs/map.md#rooms), [gone](docs/gone.md) and [the web](https://example.com/src/x.ts).",
    "```ts",
    'import { x } from "src/not/checked.ts"; // `src/nor/this.ts`',
    "```",
  ].join("\n");
  const existing = {
    "src/loop/advance.ts": "",
    "src/adapters/a/index.ts": "",
    "docs/decisions/0001-a.md": "",
    "docs/map.md": "",
  };
  twin(
    "deadPathsInDocs",
    "a dead path and a dead link in a document",
    { ...existing, "README.md": doc },
    ["README.md:1", "README.md:2"],
    { ...existing, "README.md": doc, "tools/gone.ts": "", "docs/gone.md": "" },
  );
  twin(
    "deadPathsInDocs",
    "a dead path in a map's drawing, a pattern that matches nothing, a link from docs/",
    {
      ...existing,
      "ARCHITECTURE.md": "```\nsrc/loop/\nsrc/gone/   the past\n```\n",
      "docs/a/page.md": "`src/{loop,gone}/*.tsx` [up](../map.md) [sideways](map.md)\n",
    },
    ["ARCHITECTURE.md:3", "docs/a/page.md:1", "docs/a/page.md:1"],
    { ...existing, "docs/page.md": "`src/{loop,gone}/<name>.ts` `src/**/index.ts` [map](./map.md)\n" },
  );
  twin(
    "decisionNumbers",
    "a gap, a page without a number, a page without a heading",
    {
      "docs/decisions/0001-first.md": "# First\n",
      "docs/decisions/0003-third.md": "# Third\n",
      "docs/decisions/notes.md": "# Notes\n",
      "docs/decisions/0004-last.md": "Last\n",
    },
    [
      "docs/decisions/0003-third.md:1",
      "docs/decisions/0004-last.md:1",
      "docs/decisions/notes.md:1",
      "docs/decisions/0004-last.md:1",
    ],
    { "docs/decisions/0001-first.md": "# First\n", "docs/decisions/0002-second.md": "# Second\n" },
  );
  const book = { "spec/promises.ts": '{ id: "pay-one", promise: "x" },\n{ id: "pay-two", promise: "y" },\n' };
  twin(
    "promisesCited",
    "a promise that only a comment, a skipped test and a title's middle cite, and a citation of none",
    {
      ...book,
      "test/a.test.ts":
        '// [pay-two]\ntest("[pay-one] holds", f);\ntest.skip("[pay-two] x", f);\ntest("x [pay-two]", f);\nit("[get-three] x", f);\n',
    },
    ["test/a.test.ts:5", "spec/promises.ts:2"],
    {
      ...book,
      "src/loop/a.test.ts": 'test.each(cases)("[pay-one] [pay-two] %s", f);\nconst form = "[a-z]+";\n',
    },
  );
  twin(
    "promisesCited",
    "a promise made twice",
    {
      "spec/promises.ts": '{ id: "pay-one" },\n{ id: "pay-one" },\n',
      "test/a.test.ts": "law(`[pay-one] holds`, f);\n",
    },
    ["spec/promises.ts:2"],
    { "spec/promises.ts": '{ id: "pay-one" },\n', "test/a.test.ts": "law(`[pay-one] holds`, f);\n" },
  );
  const manifest = { "package.json": '{ "dependencies": { "zod": "1" }, "devDependencies": { "@x/y": "1" } }' };
  twin(
    "dependenciesExplained",
    "a dependency without a row and a row without a dependency",
    { ...manifest, "DEPENDENCIES.md": "# Dependencies\n\n| `zod` | schemas |\n| `gone` | once |\n" },
    ["DEPENDENCIES.md:1", "DEPENDENCIES.md:4"],
    { ...manifest, "DEPENDENCIES.md": "| `zod` | schemas |\n| `@x/y` | why |\n" },
  );
  // In parts, so that the check does not find its own twin.
  const host = `registry.${"npmjs"}.org`;
  twin(
    "noHosts",
    "a package host in a document",
    { "docs/install.md": `\nFetch it from https://${host}/signalbox\n` },
    ["docs/install.md:2"],
    { "docs/install.md": "Run `npm install signalbox`.\n" },
  );
  twin(
    "lockHasNoResolved",
    "a lock file with a download address",
    { "package-lock.json": '{\n  "resolved": "https://example.com/zod.tgz"\n}\n' },
    ["package-lock.json:2"],
    { "package-lock.json": '{ "integrity": "sha512-x" }\n' },
  );

  test("every check has a twin", () => {
    const text = repository.find((file) => file.path === "test/house.test.ts")?.text ?? "";
    for (const name of Object.keys(CHECKS)) expect(text, name).toMatch(new RegExp(`twin\\(\\s*"${name}"`));
  });
});

describe("the scanner under the checks", () => {
  const hole = "$" + "{}";
  test("comments, strings, templates and patterns are not code, and what a template computes is", () => {
    const text = `const a = "b // c"; // d "e
const f = \`g \${h(\`i \${j}\`, { k: 1 })} l\`;
const m = /n[/"]o/g.test(p) ? q / r / s : 't\\'u';
/* v \`w */ const x = y;`;
    const { code, comments, literals } = readSource(text);
    expect(
      code
        .replace(/\b(?:const|test)\b/g, "")
        .match(/\w+/g)
        ?.join(" "),
    ).toBe("a f h j k 1 m p q r s x y");
    expect(comments.match(/\w/g)?.join(" ")).toBe("d e v w");
    expect(literals.map((literal) => literal.text)).toEqual(["b // c", `g ${hole} l`, `i ${hole}`, "t'u"]);
    expect([code.length, comments.length]).toEqual([text.length, text.length]);
  });

  test("every form of import is seen with its kind", () => {
    const text = [
      'import a, { type B } from "./one.ts";',
      'import type { C } from "./two.ts";',
      'import * as d from "./three.ts";',
      'import "./four.ts";',
      'export { e } from "./five.ts";',
      'export type { F } from "./six.ts";',
      'const g = await import("./seven.ts");',
      'type H = typeof import("./eight.ts");',
      'const i = new URL("./nine.ts", import.meta.url);',
      'const j = "import k from \\"./ten.ts\\"";',
      'new URL("https://example.com");',
      'export function l() {}\nexport {\n  m,\n} from "./eleven.ts";',
    ].join("\n");
    expect(readSource(text).imports.map(({ specifier, kind }) => `${specifier} ${kind}`)).toEqual([
      "./one.ts value",
      "./two.ts type",
      "./three.ts value",
      "./four.ts value",
      "./five.ts value",
      "./six.ts type",
      "./seven.ts value",
      "./eight.ts type",
      "./nine.ts url",
      "./eleven.ts value",
    ]);
  });

  test("every source file of the repository keeps its length and its lines", () => {
    for (const file of repository.filter(({ path }) => path.endsWith(".ts"))) {
      const { code } = readSource(file.text);
      expect(code.length, file.path).toBe(file.text.length);
      expect(lineOf(code, code.length), file.path).toBe(lineOf(file.text, file.text.length));
    }
  });
});

describe("the closing line of a test run", () => {
  /** The last lines of a vitest run over these test files, in a folder of its own. */
  function lastLines(tests: Readonly<Record<string, string>>, count: number): readonly string[] {
    const folder = mkdtempSync(join(tmpdir(), "closing-line-"));
    try {
      symlinkSync(`${root}node_modules`, join(folder, "node_modules"));
      const reporters = JSON.stringify(["default", `${root}tools/closing-line.ts`]);
      writeFileSync(join(folder, "vitest.config.mjs"), `export default { test: { reporters: ${reporters} } };\n`);
      for (const [name, text] of Object.entries(tests)) writeFileSync(join(folder, name), text);
      const vitest = [`${root}node_modules/vitest/vitest.mjs`, "run", "--root", folder];
      const env = { ...process.env, FORCE_COLOR: "1" };
      const run = spawnSync(process.execPath, vitest, { cwd: folder, encoding: "utf8", env });
      return run.stdout.trimEnd().split("\n").slice(-count);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const head = 'import { beforeAll, describe, expect, test } from "vitest";\n';
  const passing = { "a.test.ts": `${head}test("one", () => {});\ntest("two", () => {});\n` };

  test("says what passed, alone on the last line and without colour", () => {
    expect(lastLines(passing, 1)).toEqual(["2 passed, 0 failed"]);
  });

  test("counts a file that does not load and a suite that is not set up as a failure, and gives reasons for skips", () => {
    const tests = {
      ...passing,
      "b.test.ts": `${head}test("three", () => expect(1).toBe(2));\n`,
      "c.test.ts": `${head}test("four", (context) => context.skip("no database here"));\n`,
      "d.test.ts": `import "./nowhere.ts";\n${head}test("five", () => {});\n`,
      "e.test.ts": `${head}test("six", () => {\n`,
      "f.test.ts": `${head}describe("f", () => { beforeAll(() => { throw new Error("no"); }); test("seven", () => {}); });\n`,
    };
    const lines = lastLines(tests, 3);
    expect(lines.at(-1)).toBe("2 passed, 4 failed, 2 skipped");
    expect(lines).toContain("skipped: four (no database here)");
    expect(lines).toContain("skipped: f > seven");
  });

  test("counts tests whose process died as failed", () => {
    const dying = { "g.test.ts": `${head}test("eight", () => { process.kill(process.pid, "SIGKILL"); });\n` };
    expect(lastLines({ ...passing, ...dying }, 1)[0]).toMatch(/^2 passed, [12] failed$/);
  });
});
