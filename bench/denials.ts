/**
 * Prints how long it takes to count decisions, and what of memory: `node --conditions=signalbox-source bench/denials.ts [N]`.
 * A ledger on disk with N decisions (a million unless given) is written beforehand, in runs of twenty, each decision with a
 * record of 300 bytes. It judges nothing: this is for whoever wants to know what a scrape costs.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../src/adapters/store-sqlite/index.ts";
import type { JsonObject } from "../src/domain/json.ts";
import { createSignalbox, DIMENSIONS, type Row, type Store } from "../src/index.ts";
import { chainRow, chainStart } from "../src/ledger/index.ts";
import { scriptedModel } from "../src/testing/index.ts";

const RUN = 20;
const MS_PER_DECISION = 1_000;
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const versions = { promptVersion: sha("prompt"), policyVersion: sha("policy"), model: "qwen3:8b" };

const [first = "1000000", path] = process.argv.slice(2);
const decisions = Number(first);
if (path === undefined) await write();
else await measure(path);

/** Writes the ledger, and has it counted by a process of its own, so that nothing of the writing is in its memory. */
async function write(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-denials-"));
  try {
    const path = join(folder, "ledger.db");
    const store = openSqliteStore({ path });
    const began = performance.now();
    await fill(store, decisions);
    await store.close();
    say(`${count(decisions)} decisions written`, performance.now() - began, `${count(statSync(path).size)} bytes`);
    const argv = [...process.execArgv, import.meta.filename, String(decisions), path];
    process.exitCode = spawnSync(process.execPath, argv, { stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(path: string): Promise<void> {
  const box = createSignalbox({ model: scriptedModel({ replies: [] }), tools: [], store: path });
  say("before", 0, memory());
  let rows = 0;
  const scanning = performance.now();
  await box.parts.store.scan(["began", "decided"], () => {
    rows += 1;
  });
  say(`${count(rows)} rows read and thrown away`, performance.now() - scanning, memory());
  for (const by of [["code"], ["tool", "code", "rule"], DIMENSIONS.filter((name) => name !== "told")] as const) {
    const counting = performance.now();
    const { totals, groups } = await box.denials({ since: 0, by });
    if (totals.proposals !== decisions) throw new Error(`${totals.proposals} of ${decisions} were counted`);
    say(`counted by ${by.join(", ")}: ${groups.length} groups`, performance.now() - counting, memory());
  }
  await box.close();
}

async function fill(store: Store, wanted: number): Promise<void> {
  for (let done = 0, n = 0; done < wanted; n++) {
    const run = `run-${String(n).padStart(8, "0")}`;
    const header = { run, thread: run, principal: "operator", startedAt: done * MS_PER_DECISION, request: "please" };
    const { startedAt, ...began } = header;
    const rows: Row[] = [
      chainRow(chainStart(run), startedAt, "began", { ...began, principal: { id: "operator" }, ...versions }, sha),
    ];
    for (let step = 1; step <= RUN && done < wanted; step++, done++) {
      const before = rows.at(-1) ?? chainStart(run);
      rows.push(chainRow(before, done * MS_PER_DECISION, "decided", decision(done, step), sha));
    }
    await store.begin(header, rows);
  }
}

/** One in eight is denied, by one of five codes; one in fifty waits. */
function decision(n: number, step: number): JsonObject {
  const code = ["exceeds_paid", "outside_window", "evidence_unknown", "wrong_type", "cap_exceeded"][n % 5] ?? "";
  const refused = { outcome: "deny", denial: { rail: "action", code, detail: "as it is", retryable: false } };
  const said = n % 8 === 0 ? refused : n % 50 === 1 ? { outcome: "stage", role: "supervisor" } : {};
  const params = { orderId: String(1_000 + (n % 9_000)), amountMinor: n % 10_000 };
  const record = { facts: { order: "x".repeat(300) }, today: "2026-11-30", rule: `tool_${n % 4}.authorise` };
  return { step, tool: `tool_${n % 4}`, params, evidence: ["evt_3"], ...record, ...said };
}

function say(what: string, ms: number, more: string): void {
  process.stdout.write(`${what.padEnd(72)} ${count(Math.round(ms)).padStart(7)} ms   ${more}\n`);
}

function memory(): string {
  return `${count(process.resourceUsage().maxRSS)} KB at the most`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}
