import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { makeFolder } from "../../adapters/guides-folder/index.ts";
import { SignalboxError } from "../../index.ts";
import { configTemplate, testTemplate } from "./init-templates.ts";
import { type Io, paint } from "./io.ts";
import { messageOf } from "./report.ts";
import { jsonDocument } from "./text.ts";
import { VERSION } from "./version.ts";

const IGNORED = ["node_modules/", "signalbox.db*", "seats.json"];

/** Writes a project that runs at once. Never overwrites: where a file is in the way, nothing is written at all. */
export function init(io: Io, folder: string, json: boolean): number {
  const root = resolve(io.cwd, folder);
  const kind = packageKind(root);
  // In a CommonJS package Node takes a plain .ts for CommonJS too; .mts is a module everywhere.
  const extension = kind === "commonjs" ? "mts" : "ts";
  const config = `signalbox.config.${extension}`;
  const files = new Map<string, string>([
    [config, configTemplate()],
    [`signalbox.test.${extension}`, testTemplate(config)],
  ]);
  if (kind === "none") files.set("package.json", packageTemplate());
  const inTheWay = [...files.keys()].filter((name) => existsSync(resolve(root, name)));
  if (inTheWay.length > 0) {
    throw new SignalboxError("in_the_way", `${inTheWay.join(", ")} exists already; nothing was written`, {
      hint: "move it away, or give another folder: signalbox init FOLDER",
    });
  }
  try {
    makeFolder(root);
    for (const [name, text] of files) writeFileSync(resolve(root, name), text, { flag: "wx" });
    ignore(root);
  } catch (error) {
    throw new SignalboxError("cannot_write", messageOf(error), { exitCode: 1 });
  }
  const written = [...files.keys(), ".gitignore"];
  const place = relative(io.cwd, root);
  const next = [
    ...(place === "" ? [] : [`cd ${place}`]),
    ...(kind === "none" ? ["npm install"] : []),
    'npx signalbox run "Book seat 12A for me" --as agent:desk --for customer:ada',
    // Before 22.18, Node strips types only where it is asked to.
    `node ${process.features.typescript ? "" : "--experimental-strip-types "}--test signalbox.test.${extension}`,
  ];
  if (json) {
    io.stdout.write(jsonDocument({ folder: root, written, next }));
    return 0;
  }
  for (const name of written) io.stdout.write(`${paint(io, "green", "wrote")}  ${name}\n`);
  io.stdout.write(`\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`);
  return 0;
}

function packageKind(root: string): "none" | "module" | "commonjs" {
  const file = resolve(root, "package.json");
  if (!existsSync(file)) return "none";
  try {
    const { type } = JSON.parse(readFileSync(file, "utf8")) as { type?: unknown };
    return type === "module" ? "module" : "commonjs";
  } catch {
    throw new SignalboxError("bad_package", `${file} is not JSON`, { hint: "mend it first" });
  }
}

function packageTemplate(): string {
  const manifest = { private: true, type: "module", dependencies: { signalbox: `^${VERSION}` } };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function ignore(root: string): void {
  const file = resolve(root, ".gitignore");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const missing = IGNORED.filter((line) => !before.split(/\r?\n/).includes(line));
  if (missing.length === 0) return;
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  writeFileSync(file, `${before}${gap}${missing.join("\n")}\n`);
}
