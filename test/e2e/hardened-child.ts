import { createSignalbox, defineConfig, defineTool, z } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";

const look = defineTool({
  name: "look",
  description: "looks",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ n: z.int() }),
  execute: ({ params }) => params.n,
  summarise: (n) => `${n}`,
});
const model = scriptedModel({
  replies: [
    '{"kind":"action","tool":"look","params":{"__proto__":{"x":1},"n":1}}',
    { kind: "action", tool: "constructor", params: {} },
    { kind: "action", tool: "look", params: { n: 1 } },
    { kind: "conversation", text: "ok" },
  ],
});
const box = createSignalbox(defineConfig({ model, tools: [look], store: "memory" }));
const codes: string[] = [];
const outcome = await box.run("x", {
  onEvent: (event) => {
    if (event.kind === "replied" && event.why !== null) codes.push(event.why.code);
    if (event.kind === "decided" && event.denial !== null) codes.push(event.denial.code);
  },
});
const { same } = await box.replay(outcome.run);
const { ok } = await box.verifyLedger();
process.stdout.write(`${[...codes, outcome.ending, same, ok].join(" ")}\n`);
