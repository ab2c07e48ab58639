/** Builds dist/ from src/: `npm run build`. Also what npm calls before it packs. Says what is wrong and exits 1 if it cannot. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const BIN = "dist/apps/cli/bin.js";
const SHEBANG = "#!/usr/bin/env node\n";

/** What package.json promises to outsiders; a build that lacks one of these is no build. */
const PROMISED = [
  "dist/index.js",
  "dist/index.d.ts",
  "dist/testing/index.js",
  "dist/testing/index.d.ts",
  "dist/adapters/model-ai-sdk/index.js",
  "dist/adapters/model-ai-sdk/index.d.ts",
  BIN,
];

function build(): string | undefined {
  const compiler = `${root}node_modules/typescript/bin/tsc`;
  if (!existsSync(compiler)) return "the TypeScript compiler is not installed: run `npm ci` first";
  rmSync(`${root}dist`, { recursive: true, force: true });
  const run = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  if (run.error !== undefined) return `the TypeScript compiler did not start: ${run.error.message}`;
  if (run.status !== 0) return "src/ does not compile: mend the errors above";
  const missing = PROMISED.filter((path) => !existsSync(root + path));
  if (missing.length > 0) return `${missing.join(", ")} not built: does the source exist under src/?`;
  const text = readFileSync(root + BIN, "utf8");
  if (!text.startsWith("#!")) writeFileSync(root + BIN, SHEBANG + text);
  chmodSync(root + BIN, 0o755);
  return undefined;
}

const why = build();
if (why !== undefined) {
  // Half a build must not be packed.
  rmSync(`${root}dist`, { recursive: true, force: true });
  process.stderr.write(`build: ${why}\n`);
  process.exitCode = 1;
}
