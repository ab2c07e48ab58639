import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { misbehavingServer } from "signalbox/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { contents, documentIn, heard, ROOT, type Said } from "./stage.ts";

/** Node 24 first, whatever the machine's own is: npm, npx and the installed executable take it from here. */
const PATH = [join(ROOT, "node_modules/.bin"), dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);

let place = "";
let tarball = "";
let listed: readonly { readonly path: string; readonly mode: number }[] = [];
/** Why nothing could be installed, where that is so. */
let offline: string | null = null;

function call(cwd: string, command: string, ...args: readonly string[]): Promise<Said> {
  const { FORCE_COLOR: _, NODE_OPTIONS: __, ...env } = process.env;
  return heard(spawn(command, args, { cwd, env: { ...env, PATH, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "pipe"] }));
}

/** A stranger's project as `npm init -y` leaves it, with the tarball installed. */
async function stranger(type: "commonjs" | "module"): Promise<string> {
  const cwd = join(place, type);
  mkdirSync(cwd);
  const manifest = { name: type, version: "1.0.0", description: "", main: "index.js", license: "ISC", type };
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest, null, 2));
  const said = await install(cwd);
  if (said.code !== 0) offline = said.stderr.split("\n").find((line) => line !== "") ?? "npm install failed";
  return cwd;
}

function install(cwd: string): Promise<Said> {
  return call(cwd, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", tarball);
}

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), "signalbox-pack-"));
  // Packed from a copy, so that no other test that runs now finds dist/ half built.
  const copy = join(place, "house");
  const leftOut = [".git", "node_modules", "dist", ".twins", "coverage"];
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (from) =>
      !relative(ROOT, from)
        .split("/")
        .some((segment) => leftOut.includes(segment)),
  });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const packed = await call(copy, "npm", "pack", "--json", "--pack-destination", place);
  expect(packed, packed.stderr).toMatchObject({ code: 0 });
  const [what] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("["))) as [
    { filename: string; files: typeof listed },
  ];
  listed = what.files;
  tarball = join(place, what.filename);
  await Promise.all([stranger("commonjs"), stranger("module")]);
  if (offline !== null) console.log(`the tarball could not be installed: ${offline}`);
}, 120_000);

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The project of a stranger, or the end of the test where there is none. */
function projectOf(type: "commonjs" | "module", context: TestContext): string {
  if (offline !== null) context.skip(`the tarball could not be installed: ${offline}`);
  return join(place, type);
}

describe("the tarball", () => {
  test("[house-pack] holds what is built, the papers and nothing else", async () => {
    const allowed = [
      /^(package\.json|(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY|DEPENDENCIES)\.md|LICENSE)$/,
      /^docs\/([a-z0-9-]+|decisions\/\d{4}-[a-z0-9-]+)\.md$/,
      /^docs\/[a-z-]+\.schema\.json$/,
      /^dist\/([a-z0-9-]+\/)*[a-z0-9-]+\.(js|d\.ts)$/,
    ];
    const paths = listed.map((file) => file.path);
    expect(paths.filter((path) => !allowed.some((form) => form.test(path)))).toEqual([]);
    expect(paths.filter((path) => /(^|[./])test\.|spec\/|stage|\.db/.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        "package.json",
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "LICENSE",
        "docs/guide.md",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/testing/index.js",
        "dist/testing/index.d.ts",
        "dist/adapters/model-ai-sdk/index.js",
        "dist/adapters/model-ai-sdk/index.d.ts",
        "dist/adapters/otel/index.js",
        "dist/adapters/otel/index.d.ts",
        "dist/apps/cli/index.js",
        "dist/apps/cli/bin.js",
      ]),
    );
    // Code is a door, with its types beside it, or a chunk that doors share.
    const code = paths.filter((path) => path.endsWith(".js") && !path.startsWith("dist/chunks/"));
    expect(code.sort()).toEqual([
      "dist/adapters/model-ai-sdk/index.js",
      "dist/adapters/otel/index.js",
      "dist/apps/cli/bin.js",
      "dist/apps/cli/index.js",
      "dist/index.js",
      "dist/testing/index.js",
    ]);
    expect(paths).toEqual(expect.arrayContaining(code.map((path) => path.replace(/\.js$/, ".d.ts"))));
    expect(listed.find((file) => file.path === "dist/apps/cli/bin.js")?.mode).toBe(0o755);
  });

  test("[house-pack] names no package host and nothing of the machine that built it", async () => {
    const unpacked = join(place, "unpacked");
    mkdirSync(unpacked);
    expect((await call(unpacked, "tar", "xzf", tarball)).code).toBe(0);
    const texts = listed.map(({ path }) => [path, readFileSync(join(unpacked, "package", path), "utf8")] as const);
    // In parts, so that this file does not name one either.
    const hosts = [`registry.${"npmjs"}`, `${"npmjs"}.org`, `${"npmjs"}.com`, `${"yarn"}pkg`];
    const unwanted = [...hosts, ROOT.replace(/\/$/, ""), place];
    expect(texts.filter(([, text]) => unwanted.some((one) => text.includes(one))).map(([path]) => path)).toEqual([]);
    expect(readFileSync(join(unpacked, "package/dist/apps/cli/bin.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

/** Two tools of a stranger's own, written from the README, and a script in place of a model. */
const CONFIG = `import { appendFileSync } from "node:fs";
import { defineConfig, deny, permit, withServices, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";

type Letter = { id: string; to: string; seals: { id: string }[] };
type Post = { find(id: string): Letter | null; send(id: string, key: string): { stamp: string } };
const letters: Letter[] = [{ id: "l1", to: "ada", seals: [{ id: "seal-1" }] }];
const post: Post = {
  find: (id) => letters.find((letter) => letter.id === id) ?? null,
  send: (id, key) => {
    appendFileSync(new URL("sent.log", import.meta.url), id + "\\n");
    return { stamp: key.slice(0, 4) };
  },
};
const { defineTool } = withServices<{ post: Post }>();
const letterId = z.string().regex(/^l[0-9]{1,3}$/);

const read = defineTool({
  name: "read_letter",
  description: "Read a letter.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ letterId }),
  execute: ({ params }, { post }) => post.find(params.letterId),
  summarise: (letter) => (letter === null ? "no such letter" : "a letter to " + letter.to),
});

export const send = defineTool({
  name: "send_letter",
  description: "Send a letter. Cite its seal.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ letterId }),
  denials: ["not_to_bob"],
  record: ({ letterId }, { post }) => post.find(letterId),
  evidence: { min: 1, from: (letter) => letter.seals },
  authorise: (_proposal, letter) => (letter.to === "bob" ? deny("not_to_bob") : permit()),
  caps: [{ name: "letters_per_day", limit: 3, window: { calendar: "day", zone: "UTC" } }],
  execute: ({ params }, { post, idempotencyKey }) => post.send(params.letterId, idempotencyKey),
  summarise: (sent) => "sent, stamp " + sent.stamp,
});

const action = (tool: string, evidence: string[]) => ({ kind: "action", tool, params: { letterId: "l1" }, evidence });
const replies = [
  action("read_letter", []),
  action("send_letter", []),
  action("send_letter", ["seal-1"]),
  { kind: "conversation", text: "It is on its way." },
  action("send_letter", ["seal-1"]),
  { kind: "conversation", text: "It was sent before." },
];

export default defineConfig({
  model: scriptedModel({ replies: process.env.SECOND ? replies.slice(4) : replies }),
  tools: [read, send],
  services: { post },
});
`;

/** The same thread over the library. */
const programOver = (config: string): string => `import { createSignalbox, ENDINGS } from "signalbox";
import { judge } from "signalbox/testing";
import config, { send } from "${config}";

const box = createSignalbox({ ...config, store: "memory" });
const thread = box.thread({ id: "t" });
const first = await thread.run("Send letter l1");
const second = await thread.run("And once more");
const settled = (await box.events(second.run)).filter((event) => event.kind === "settled_before");
const letter = { id: "l2", to: "bob", seals: [{ id: "s" }] };
const judged = judge(send, { params: { letterId: "l2" }, evidence: ["s"], record: letter });
const replay = await box.replay(first.run);
console.log(JSON.stringify([first.text, second.text, settled.length, judged.code, replay.same, ENDINGS[first.ending].exitCode]));
await box.close();
`;

const TSCONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
  },
};

describe.each(["commonjs", "module"] as const)("a stranger's project of type %s", (type) => {
  // In a CommonJS package only .mts is a module for Node itself; the command line takes both.
  const end = type === "module" ? "ts" : "mts";

  test("[house-pack] two tools of its own carry a thread of two messages over the command line, in two processes", async (context) => {
    const cwd = projectOf(type, context);
    writeFileSync(join(cwd, "signalbox.config.ts"), CONFIG);
    const bin = join(cwd, "node_modules/.bin/signalbox");
    const first = await call(cwd, bin, "run", "Send letter l1", "--thread", "t");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/denied +evidence_missing/);
    expect(first.stdout).toMatch(/permitted +sent, stamp .* letters_per_day 1 of 3\n.*"It is on its way."/);
    const again = await call(cwd, "env", "SECOND=1", "npx", "signalbox", "run", "And once more", "--thread", "t");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/settled +sent, stamp/);
    expect(readFileSync(join(cwd, "sent.log"), "utf8")).toBe("l1\n");
    // Where nothing is installed for the whole machine, the commands that it suggests work as they are.
    expect(again.stdout).toMatch(/\(npx signalbox replay [0-9a-z]{26}\)$/m);
    expect(first.stdout).toMatch(/\(npx signalbox replay [0-9a-z]{26}\)$/m);
    const verified = await call(cwd, bin, "ledger", "verify", "--json");
    expect(documentIn(verified)).toMatchObject({ ok: true, runs: 2 });
  });

  test("[house-pack] and over the library, with its types", async (context) => {
    const cwd = join(projectOf(type, context), "library");
    mkdirSync(cwd);
    writeFileSync(join(cwd, `letters.${end}`), CONFIG);
    writeFileSync(join(cwd, `program.${end}`), programOver(`./letters.${end}`));
    const said = await call(cwd, "node", `program.${end}`);
    expect(said.stderr).toBe("");
    expect(documentIn(said)).toEqual(["It is on its way.", "It was sent before.", 1, "not_to_bob", true, 0]);
    // What the types have to find: a code that is not in the closed list, and a rail that is not there.
    writeFileSync(join(cwd, `code.${end}`), CONFIG.replace('deny("not_to_bob")', 'deny("not_to_bobb")'));
    writeFileSync(join(cwd, `rail.${end}`), CONFIG.replace(/ {2}caps: .*\n/, ""));
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG));
    const checked = await call(cwd, "node", join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
    const wrong = checked.stdout.split("\n").flatMap((line) => /^(.*)\(\d+,\d+\): error TS/.exec(line)?.[1] ?? []);
    expect([...new Set(wrong)].sort(), checked.stdout).toEqual([`code.${end}`, `rail.${end}`]);
  });

  test("[cli-init-runs] init writes a project that runs at once, whose test passes, and that overwrites nothing", async (context) => {
    const cwd = join(projectOf(type, context), "started");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type }));
    writeFileSync(join(cwd, ".gitignore"), "mine");
    const bin = join(cwd, "../node_modules/.bin/signalbox");
    const started = await call(cwd, bin, "init");
    expect(started).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(cwd).sort()).toEqual([
      ".gitignore",
      "package.json",
      `signalbox.config.${end}`,
      `signalbox.test.${end}`,
    ]);
    expect(JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))).toEqual({ private: true, type });
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toMatch(/^mine\nnode_modules\/\nsignalbox\.db\*\n/);
    await expectStarted(cwd, bin, end);
    const before = contents(cwd);
    const again = await call(cwd, bin, "init");
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toMatch(/^signalbox: in_the_way: [^\n]*nothing was written[^\n]*\n$/);
    expect(contents(cwd)).toEqual(before);
  });
});

/** What `init` has said to do next is done, and works. */
async function expectStarted(cwd: string, bin: string, end: string): Promise<void> {
  const ran = await call(cwd, bin, "run", "Book seat 12A for me", "--as", "agent:desk", "--for", "customer:ada");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toMatch(/denied +evidence_foreign/);
  expect(ran.stdout).toMatch(/permitted +booked seat 12A .*bookings_per_day 4,500 of 100,000/);
  // The command that was printed goes on in that thread as it stands, and what was booked stays booked.
  const printed =
    /\(npx signalbox (run --thread \S+ --as agent:desk --for customer:ada) "…"\)/.exec(ran.stdout)?.[1] ?? "";
  const [verb = "", ...options] = printed.split(" ");
  const further = await call(cwd, bin, verb, "And again", ...options);
  expect(further).toMatchObject({ code: 0, stderr: "" });
  expect(further.stdout).toMatch(/settled +booked seat 12A/);
  const elsewhere = await call(cwd, bin, "run", "Book it", "--as", "agent:desk", "--for", "customer:ada");
  expect(elsewhere.stdout).toMatch(/denied +already_booked/);
  const tested = await call(cwd, "node", "--test", `signalbox.test.${end}`);
  expect(tested, tested.stdout).toMatchObject({ code: 0 });
  expect(tested.stdout).toMatch(/pass 4\n/);
}

test("[cli-init-runs] in an empty folder init also writes the package, and after the install it runs", async (context) => {
  const started = await call(
    place,
    join(projectOf("module", context), "node_modules/.bin/signalbox"),
    "init",
    "new/desk",
  );
  expect(started).toMatchObject({ code: 0, stderr: "" });
  expect(started.stdout).toContain("cd new/desk");
  const cwd = join(place, "new/desk");
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(manifest).toEqual({ private: true, type: "module", dependencies: { signalbox: `^${version}` } });
  expect((await install(cwd)).code).toBe(0);
  await expectStarted(cwd, "node_modules/.bin/signalbox", "ts");
});

test("[house-pack] a config in a CommonJS package does not bring a second copy of signalbox", async (context) => {
  const cwd = join(projectOf("commonjs", context), "copies");
  mkdirSync(cwd);
  cpSync(join(place, "commonjs/node_modules"), join(cwd, "node_modules"), { recursive: true });
  writeFileSync(join(cwd, "package.json"), '{"type":"commonjs"}');
  writeFileSync(join(cwd, "helper.ts"), 'export { permit as yes } from "signalbox";\n');
  writeFileSync(
    join(cwd, "signalbox.config.ts"),
    `import { yes } from "./helper.ts";\n${CONFIG.replace(": permit()", ": yes()")}`,
  );
  // Whatever is loaded says so; what both doors need is in chunks that they share.
  const dist = join(cwd, "node_modules/signalbox/dist");
  const files = ["index.js", ...readdirSync(join(dist, "chunks")).map((name) => `chunks/${name}`)];
  for (const file of files) {
    const path = join(dist, file);
    writeFileSync(path, `${readFileSync(path, "utf8")}\nprocess.stderr.write("loaded ${file}\\n");\n`);
  }
  const said = await call(cwd, "node_modules/.bin/signalbox", "run", "Send letter l1");
  expect(said.code).toBe(0);
  const loaded = said.stderr.trimEnd().split("\n");
  expect(loaded).toContain("loaded index.js");
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.length).toBe(new Set(loaded).size);
});

test("[house-pack] what the README shows compiles, runs, and does what it says", async (context) => {
  const cwd = join(projectOf("module", context), "readme");
  mkdirSync(cwd);
  const replies = [
    { kind: "action", tool: "refund", params: { orderId: "1042", amountMinor: 2_000 }, evidence: ["evt_3"] },
    { kind: "conversation", text: "20.00 are on their way." },
    { kind: "conversation", text: "20.00 in all." },
  ];
  const server = await misbehavingServer({ replies: replies.map((reply) => JSON.stringify(reply)) });
  onTestFinished(() => server.close());
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((block) => block[1] ?? "");
  expect(blocks.length).toBeGreaterThan(0);
  const program = blocks.join("\n").replaceAll("http://127.0.0.1:11434/v1", server.baseUrl);
  writeFileSync(join(cwd, "readme.ts"), program);
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const checked = await call(cwd, "node", join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  expect(checked).toMatchObject({ code: 0, stdout: "" });
  const said = await call(cwd, "node", "readme.ts");
  expect(said.stdout).toBe("answered 20.00 are on their way. 20.00 in all.\n");
  expect([said.code, server.requests.length]).toEqual([0, 3]);
});

test("[house-pack] an older Node is told so in one line, with exit code 2", async (context) => {
  const cwd = projectOf("module", context);
  const found = await call(cwd, "which", "-a", "node");
  const nodes = [...new Set(found.stdout.split("\n").filter((path) => path !== ""))];
  const versions = await Promise.all(
    nodes.map(async (path) => [path, (await call(cwd, path, "--version")).stdout.trim()] as const),
  );
  const older = versions.find(([, version]) => /^v(1\d|20|21)\./.test(version));
  if (older === undefined)
    return context.skip(`no older Node here, only ${versions.map(([, version]) => version).join(", ")}`);
  const bin = join(cwd, "node_modules/signalbox/dist/apps/cli/bin.js");
  const said = await call(cwd, older[0], bin, "run", "please");
  expect(said).toMatchObject({ code: 2, stdout: "" });
  expect(said.stderr).toMatch(/^signalbox needs Node\.js 22\.13 or newer, this is \d+\.\d+\.\d+: [^\n]+\n$/);
});
