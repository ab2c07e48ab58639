/** Builds, packs and installs the package as a stranger would, in a temporary folder, so that dist/ here stays as it is. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What a build reads and what is packed; everything else of the repository stays where it is. */
const NEEDED = new Set(["src", "docs", "tools", "package.json", ".npmrc", "tsconfig.json", "tsconfig.build.json"]);
const PAPERS = /^[A-Z]+(?:\.md)?$/;

export type Built = {
  /** The entry of the build, to import. */
  readonly entry: string;
  readonly tarballBytes: number;
  /** Bytes of node_modules after a production install, or why there was none. */
  readonly installed: { readonly ok: true; readonly bytes: number } | { readonly ok: false; readonly why: string };
};

export function buildIn(place: string): Built {
  const copy = join(place, "house");
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (from) => {
      const [top = ""] = relative(ROOT, from).split("/");
      return top === "" || NEEDED.has(top) || PAPERS.test(top);
    },
  });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const packed = npm(copy, "pack", "--json", "--pack-destination", place);
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stdout}${packed.stderr}`);
  const tarball = readdirSync(place).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack left no tarball");
  const home = join(place, "stranger");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  const options = ["--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  const install = npm(home, "install", ...options, join(place, tarball));
  const why = install.stderr.split("\n").find((line) => line !== "") ?? "npm install failed";
  return {
    entry: join(copy, "dist/index.js"),
    tarballBytes: statSync(join(place, tarball)).size,
    installed: install.status === 0 ? { ok: true, bytes: bytesOf(join(home, "node_modules")) } : { ok: false, why },
  };
}

/** Node 24 first, whatever the machine's own is. */
function npm(cwd: string, ...args: readonly string[]) {
  const PATH = [join(ROOT, "node_modules/.bin"), dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);
  return spawnSync("npm", args, { cwd, env: { ...process.env, PATH }, encoding: "utf8" });
}

/** Bytes of all files below a folder; links are not followed. `without` names folders to leave out. */
export function bytesOf(folder: string, without: string | null = null): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === without ? sum : sum + bytesOf(path, without);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
