/** Trials over real rule files: parsed, compiled, told and judged as in production. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSignalbox, defineTool, z } from "signalbox";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import type { Json } from "../../src/domain/json.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { readTrial, readTrialFile, runTrial } from "../../src/runtime/index.ts";
import { openTrialWorld } from "../../src/runtime/trials/open-world.ts";
import { reportTrial } from "../../src/trials/index.ts";
import { design, digest } from "../checks/trial-world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trial-world-"));
  mkdirSync(join(folder, "guides"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(id: string, body: string): { readonly id: string; readonly revision: string } {
  // A matcher that fires for nothing: in a trial the arm says what is told.
  const text = `---\nid: ${id}\ntask: never asked for\norder: 9\n---\n\n${body}\n`;
  writeFileSync(join(folder, "guides", `${id}.md`), text);
  return { id, revision: digest(text) };
}

const STOP = "At a lock screen, stop and say that the phone is locked.";

function boxIn(heard: string[], hears: (system: string) => boolean) {
  const model = {
    name: "small",
    kind: "scripted" as const,
    where: "here",
    complete: async ({ system }: ModelRequest) => {
      heard.push(system);
      const text = hears(system) ? "The phone is locked." : "I unlocked it.";
      return {
        ok: true as const,
        text: JSON.stringify({ kind: "conversation", text }),
        finish: "stop",
        promptTokens: null,
        completionTokens: null,
      };
    },
  };
  const tool = defineTool({
    name: "look",
    description: "looks",
    placement: "internal",
    effect: "read",
    params: z.strictObject({}),
    execute: () => "home",
    summarise: () => "home",
  });
  return createSignalbox({
    model,
    store: "memory",
    tools: [tool],
    guides: { folder: join(folder, "guides") },
    profiles: {
      "qwen3-8b-16k": {
        budgetBytes: 16_000,
        slot: "system_end",
        contextTokens: 16_384,
        bytesPerToken: 3,
        measured: "test",
      },
    },
  });
}

test("a rule is drowned by its neighbours, and the trial says so", async () => {
  const rule = file("lock-screen", STOP);
  const fillers = [...Array(40).keys()].map((i) =>
    file(`filler-${i}`, `Filler number ${i}: be brief about the weather.`),
  );
  const judge: Json = { obeyed: [{ answer_contains: "is locked" }] };
  // The model says the same of the same prompt, so each pair has one of its own.
  const tasks = [..."abcdefgh"].map((id) => ({ id, text: `Open ${id}` }));
  const document = design({ rule, fillers, tasks, vary: { volume: { neighbours: [0, 40] } }, judge });
  const heard: string[] = [];
  const box = boxIn(heard, (system) => system.includes(STOP) && !system.includes("Filler number"));
  const read = readTrial(document);
  if (!read.ok) throw new Error(read.why.detail);
  const world = await openTrialWorld(box.parts, read.value, openMemoryStore);
  const out = join(folder, "runs.jsonl");
  const end = await runTrial(world, document, { file: out });
  expect([end.ending, end.detail, end.errors]).toEqual(["finished", "", 0]);
  const report = reportTrial(readTrialFile(out, digest));
  expect(report).toMatchObject({ kind: "report", comparisons: [{ higher: "0-neighbours", onlyFirst: 8 }] });
  // The rule's text stood in every prompt of the arms, byte for byte, and in none of the control's other half.
  expect(heard.filter((system) => system.includes(STOP))).toHaveLength(24);
  expect(heard.filter((system) => system.split("Filler number").length === 41)).toHaveLength(8);
  expect(await box.runs()).toEqual([]);
  await box.close();
});

test("a budget that does not hold the largest arm stops it before the first run; unknown bytes as well", async () => {
  const rule = file("lock-screen", STOP);
  const fillers = [...Array(4).keys()].map((i) => file(`filler-${i}`, "x".repeat(5_000)));
  const heard: string[] = [];
  const box = boxIn(heard, () => true);
  const judge: Json = { obeyed: [{ proposed: { tool: "look" } }] };
  const document = design({ rule, fillers, vary: { volume: { neighbours: [0, 4] } }, judge });
  const read = readTrial(document);
  if (!read.ok) throw new Error(read.why.detail);
  const world = await openTrialWorld(box.parts, read.value, openMemoryStore);
  await expect(runTrial(world, document, { file: join(folder, "r.jsonl") })).rejects.toMatchObject({
    code: "arm_not_as_declared",
    message: expect.stringContaining("do not fit"),
  });
  expect(heard).toEqual([]);
  const unknown = { ...read.value, rule: { id: "lock-screen", revision: digest("edited") } };
  await expect(openTrialWorld(box.parts, unknown, openMemoryStore)).rejects.toMatchObject({ code: "unknown_revision" });
  await box.close();
});
