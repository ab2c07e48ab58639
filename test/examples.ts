import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The TypeScript of a document, in order. */
export function codeOf(document: string): string {
  const text = readFileSync(`${root}/${document}`, "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
}

/** Compiles code against the public door, in a folder of its own. Throws where it does not compile. */
export function compiled(name: string, code: string): string {
  const folder = `${root}/.twins/${name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.ts`, code);
  const compilerOptions = { noUnusedLocals: false };
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: [`${name}.ts`] }),
  );
  const tsc = [`${root}/node_modules/typescript/bin/tsc`, "-p", folder];
  execFileSync(process.execPath, tsc, { stdio: "pipe", encoding: "utf8" });
  return folder;
}

/** What a file of such a folder prints. */
export function ran(folder: string, code: string): string {
  writeFileSync(`${folder}/run.ts`, code);
  const args = ["--conditions=signalbox-source", "--no-warnings", `${folder}/run.ts`];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}
