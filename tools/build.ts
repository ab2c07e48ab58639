/** Builds dist/ from src/: `npm run build`. Also what npm calls before it packs. Says what is wrong and exits 1 if it cannot. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const BIN = "dist/apps/cli/bin.js";
const SHEBANG = "#!/usr/bin/env node\n";

/** The doors, by the path of what is made of them. Everything else goes into chunks that they share. */
const DOORS = [
  "index",
  "testing/index",
  "adapters/model-ai-sdk/index",
  "adapters/otel/index",
  "apps/cli/index",
  "apps/cli/bin",
];

/** What package.json promises to outsiders; a build that lacks one of these is no build. */
const PROMISED = [
  "dist/index.js",
  "dist/index.d.ts",
  "dist/testing/index.js",
  "dist/testing/index.d.ts",
  "dist/adapters/model-ai-sdk/index.js",
  "dist/adapters/model-ai-sdk/index.d.ts",
  "dist/adapters/otel/index.js",
  "dist/adapters/otel/index.d.ts",
  BIN,
];

async function build(): Promise<string | undefined> {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  if (!existsSync(compiler)) return "the TypeScript compiler is not installed: run `npm ci` first";
  rmSync(`${root}dist`, { recursive: true, force: true });
  const run = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  if (run.error !== undefined) return `the TypeScript compiler did not start: ${run.error.message}`;
  if (run.status !== 0) return "src/ does not compile: mend the errors above";
  await bundle();
  const missing = PROMISED.filter((path) => !existsSync(root + path));
  if (missing.length > 0) return `${missing.join(", ")} not built: does the source exist under src/?`;
  const text = readFileSync(root + BIN, "utf8");
  if (!text.startsWith("#!")) writeFileSync(root + BIN, SHEBANG + text);
  chmodSync(root + BIN, 0o755);
  return undefined;
}

/**
 * A few files in place of one for each of ours: finding and reading two hundred modules takes longer than running them. The
 * declarations stay as the compiler made them.
 */
async function bundle(): Promise<void> {
  const input = Object.fromEntries(DOORS.map((door) => [door, `${root}dist/${door}.js`]));
  const made = await rolldown({ input, external: /^[a-z@]|^node:/, platform: "node", logLevel: "warn" });
  const { output } = await made.generate({
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    minify: false,
  });
  for (const path of globSync("**/*.js", { cwd: `${root}dist` })) rmSync(`${root}dist/${path}`);
  for (const file of output) {
    if (file.type !== "chunk") throw new Error(`${file.fileName} is no code`);
    mkdirSync(dirname(`${root}dist/${file.fileName}`), { recursive: true });
    writeFileSync(`${root}dist/${file.fileName}`, file.code);
  }
}

const why = await build();
if (why !== undefined) {
  // Half a build must not be packed.
  rmSync(`${root}dist`, { recursive: true, force: true });
  process.stderr.write(`build: ${why}\n`);
  process.exitCode = 1;
}
