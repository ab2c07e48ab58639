import { expect, test } from "vitest";
import { sha256 } from "../src/adapters/world-node/index.ts";
import { screenText } from "../src/domain/control-map.ts";
import { codeOf, compiled, ran } from "./examples.ts";
import { mapOf } from "./ground-map.ts";

test("the README's code compiles, and does what it says with a model that keeps to it", () => {
  const code = codeOf("README.md");
  expect(code).toContain("defineTool");
  const folder = compiled("readme", code);

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
  expect(ran(folder, runnable)).toBe("answered Refunded. 20.00 in total.\nexceeds_paid\n");
});

test("the tool of docs/generation.md compiles, and says which screen is up as guides wait for it", () => {
  const code = codeOf("docs/generation.md");
  const folder = compiled("generation", code);
  const map = mapOf(["Save", "Reset password"]);
  const screen = map.screens[0]?.id ?? "";
  const said = ran(
    folder,
    `import { createSignalbox } from "signalbox";
import { scriptedModel } from "signalbox/testing";
${code}
const map = ${JSON.stringify(map)} as ControlMap;
const replies = [
  { kind: "action" as const, tool: "look", params: {} },
  { kind: "conversation" as const, text: "Seen." },
];
const tools = [lookTool(async () => ({ map, screen: ${JSON.stringify(screen)} }))];
const box = createSignalbox({ model: scriptedModel({ replies }), tools, store: "memory" });
const { run } = await box.run("look");
console.log(JSON.stringify((await box.guides.explain(run)).events));
try { screenEvent(map, "gone"); } catch (error) { console.log(String(error)); }
await box.close();`,
  );
  const [events = "", refused] = said.trimEnd().split("\n");
  expect(JSON.parse(events)).toMatchObject([
    { name: "screen", facts: { screen, digest: sha256(screenText(map, screen)) } },
  ]);
  expect(refused).toBe("RangeError: the map has no screen gone");
});
