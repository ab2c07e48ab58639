import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The TypeScript of a document, in order. */
function codeOf(document: string): string {
  const text = readFileSync(`${root}/${document}`, "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
}

test("the README's code compiles, and does what it says with a model that keeps to it", () => {
  const folder = `${root}/.twins/readme`;
  mkdirSync(folder, { recursive: true });
  const code = codeOf("README.md");
  expect(code).toContain("defineTool");
  writeFileSync(`${folder}/readme.ts`, code);
  const compilerOptions = { noUnusedLocals: false };
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["readme.ts"] }),
  );
  execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", folder], {
    stdio: "pipe",
    encoding: "utf8",
  });

  // The live model is exchanged for a script, the file for memory; everything else is as a reader would run it.
  const live = '{ baseUrl: "http://127.0.0.1:11434/v1", name: "qwen3:8b" }';
  expect(code).toContain(live);
  const script = `scriptedModel({ replies: [
    { kind: "action", tool: "refund", params: { orderId: "1042", amountMinor: 2000 }, evidence: ["evt_3"] },
    { kind: "conversation", text: "Refunded." },
    { kind: "conversation", text: "20.00 in total." },
  ] })`;
  const runnable = `${code.replace(live, script).replace("./signalbox.db", "memory")}
import { scriptedModel } from "signalbox/testing";
console.log(judge(refund, { ...proposal, record: order }).code);`;
  writeFileSync(`${folder}/run.ts`, runnable);
  const args = ["--conditions=signalbox-source", "--no-warnings", `${folder}/run.ts`];
  const said = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(said).toBe("answered Refunded. 20.00 in total.\nexceeds_paid\n");
});
