import { checkConfig, createSignalbox, type Signalbox, SignalboxError, type Tool } from "../../index.ts";
import { checkModel } from "./doctor-model.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import type { LoadedConfig } from "./load-config.ts";
import { counted, jsonDocument, pad, visible, wrap } from "./text.ts";

export type Check = { readonly name: string; readonly state: "ok" | "warning" | "failed"; readonly detail: string };

/** Says of every part whether it would work, and of every tool which rails it has. Exit code 1 where something would not. */
export async function doctor(io: Io, loaded: LoadedConfig, json: boolean): Promise<number> {
  const checks = await check(loaded);
  const failed = checks.some((one) => one.state === "failed");
  const unreachable = checks.some((one) => one.name === "model" && one.state === "failed");
  const code = !failed ? 0 : unreachable && checks.filter((one) => one.state === "failed").length === 1 ? 5 : 1;
  if (json) {
    io.stdout.write(jsonDocument({ ok: !failed, config: loaded.path, checks }));
    return code;
  }
  const names = Math.max(...checks.map((one) => one.name.length));
  const before = STATE_COLUMNS + names + 2;
  const room = widthOf(io) - before;
  for (const { name, state, detail } of checks) {
    const lines = Number.isFinite(room) ? wrap(visible(detail), Math.max(20, room)) : [visible(detail)];
    io.stdout.write(`${paint(io, STYLES[state], pad(state, STATE_COLUMNS))}${pad(name, names)}  ${lines[0] ?? ""}\n`);
    for (const line of lines.slice(1)) io.stdout.write(`${" ".repeat(before)}${line}\n`);
  }
  const count = (state: Check["state"]): number => checks.filter((one) => one.state === state).length;
  const word = failed ? paint(io, "red", "not ready") : paint(io, "green", "ready");
  io.stdout.write(
    `${word} · ${count("ok")} ok · ${counted(count("warning"), "warning")} · ${count("failed")} failed\n`,
  );
  return code;
}

const STATE_COLUMNS = 9;
const STYLES: { readonly [State in Check["state"]]: Style } = { ok: "green", warning: "yellow", failed: "red" };

async function check(loaded: LoadedConfig): Promise<readonly Check[]> {
  const checks: Check[] = [{ name: "node", state: "ok", detail: process.versions.node }];
  const findings = checkConfig(loaded.config);
  for (const finding of findings) {
    const state = finding.severity === "error" ? "failed" : "warning";
    checks.push({ name: "config", state, detail: `${finding.where}: ${finding.message}` });
  }
  if (findings.some((finding) => finding.severity === "error")) return checks;
  checks.push({ name: "config", state: "ok", detail: loaded.path });
  let box: Signalbox;
  try {
    box = createSignalbox(loaded.config);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return [...checks, { name: error.code, state: "failed", detail: error.message }];
  }
  try {
    for (const tool of box.parts.tools.values()) checks.push(checkTool(tool, box));
    if (box.parts.principals === null) {
      checks.push({ name: "principals", state: "warning", detail: "none are declared: everybody may use every tool" });
    }
    checks.push(await checkLedger(box), ...(await checkModel(box)));
  } finally {
    await box.close();
  }
  return checks;
}

/** Which rails a tool has. What has no action rail leans on hints alone, and that is said. */
function checkTool(tool: Tool, box: Signalbox): Check {
  const rules = box.parts.policies.filter((rule) =>
    rule.tools.some((name) => name === tool.name || (name.endsWith("*") && tool.name.startsWith(name.slice(0, -1)))),
  );
  const rails = [
    "output",
    ...(typeof tool.authorise === "function" || rules.length > 0 ? ["action"] : []),
    ...(tool.evidence === null ? [] : [`evidence (${tool.evidence.min})`]),
    ...(tool.caps.length === 0 ? [] : [`caps (${tool.caps.map((cap) => cap.name).join(", ")})`]),
  ];
  const about = `${tool.placement}, ${tool.effect}: ${rails.join(", ")}`;
  const bare = !rails.includes("action") && tool.effect !== "read";
  const probe =
    tool.effect === "once" && tool.probe === null ? "; no probe: a crash in the middle leaves its outcome unknown" : "";
  if (bare)
    return {
      name: `tool ${tool.name}`,
      state: "warning",
      detail: `${about}; nothing but hints says when it may be used`,
    };
  return { name: `tool ${tool.name}`, state: "ok", detail: about + probe };
}

async function checkLedger(box: Signalbox): Promise<Check> {
  const verdict = await box.verifyLedger();
  const keyed = box.parts.ledgerKeyed ? "keyed" : "not keyed";
  const detail = `${counted(verdict.runs, "run")}, ${counted(verdict.rows, "row")}, ${keyed}`;
  if (verdict.ok) return { name: "ledger", state: "ok", detail };
  return {
    name: "ledger",
    state: "failed",
    detail: `${counted(verdict.faults.length, "fault")}: signalbox ledger verify lists them`,
  };
}
