import {
  checkConfig,
  checkPolicy,
  createSignalbox,
  type RailRow,
  railsOf,
  type Signalbox,
  SignalboxError,
} from "../../index.ts";
import { checkGuides } from "./doctor-guides.ts";
import { checkModel } from "./doctor-model.ts";
import { commandOf, type Io, isLive, paint, type Style, widthOf } from "./io.ts";
import type { LoadedConfig } from "./load-config.ts";
import { printRails } from "./print-rails.ts";
import { clip, columnsOf, counted, jsonDocument, pad, visible, wrap } from "./text.ts";

/** `code`: the same for the same finding, for programs. `hint`: what to do, a line for each kind of server. */
export type Check = {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed" | "skipped";
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
};

/** How long all questions to the model may take. A canary is two or three calls, and the first may have to load the model. */
const MODEL_MS = 60_000;

/** A tool with all that its placement asks for: on a screen the matrix says which rails those are. */
const RAILED = "tool_railed";

/** Says of every part whether it would work, and of every tool which rails it has. Exit code 1 where something would not. */
export async function doctor(io: Io, loaded: LoadedConfig, json: boolean, modelMs = MODEL_MS): Promise<number> {
  const checks: Check[] = [];
  const screen = json ? null : new Screen(io);
  for await (const found of checksOf(io, loaded, modelMs, (where) => screen?.wait(where))) {
    checks.push(...found);
    screen?.show(found);
  }
  const failed = checks.filter((one) => one.state === "failed");
  const ok = failed.length === 0;
  const tools = checks.some(({ code }) => code === "config_loaded") ? railsOf(loaded.config) : [];
  if (json) io.stdout.write(jsonDocument({ ok, config: loaded.path, checks, tools }));
  else screen?.end(checks, tools);
  return ok ? 0 : failed.length === 1 && failed[0]?.name === "model" ? 5 : 1;
}

const STATE_COLUMNS = 9;
/** The longest name of what is not a tool. */
const NAME_COLUMNS = "tool calls".length;
const STYLES: { readonly [State in Check["state"]]: Style } = {
  ok: "green",
  warning: "yellow",
  failed: "red",
  skipped: "dim",
};

/** Prints checks as they come. */
class Screen {
  readonly #io: Io;
  #names = NAME_COLUMNS;
  #waiting = false;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Says on a terminal what is waited for, until the next checks are shown. */
  wait(where: string): void {
    if (!isLive(this.#io)) return;
    const line = clip(visible(`waiting for the model at ${where} …`), widthOf(this.#io) - 1);
    this.#io.stdout.write(paint(this.#io, "dim", line));
    this.#waiting = true;
  }

  show(checks: readonly Check[]): void {
    if (this.#waiting) this.#io.stdout.write("\r\u001b[K");
    this.#waiting = false;
    const said = checks.filter(({ code }) => code !== RAILED);
    this.#names = Math.max(this.#names, ...said.map((one) => columnsOf(visible(one.name))));
    for (const check of said) this.#print(check);
  }

  #print({ name, state, detail, hint }: Check): void {
    const before = STATE_COLUMNS + this.#names + 2;
    const room = Math.max(10, widthOf(this.#io) - before);
    const texts = [detail, ...(hint?.split("\n") ?? [])].map(visible);
    const lines = texts.flatMap((text) => (Number.isFinite(room) ? wrap(text, room) : [text]));
    const start = `${paint(this.#io, STYLES[state], pad(state, STATE_COLUMNS))}${pad(visible(name), this.#names)}`;
    this.#io.stdout.write(`${start}  ${lines[0] ?? ""}\n`);
    for (const line of lines.slice(1)) this.#io.stdout.write(`${" ".repeat(before)}${line}\n`);
  }

  end(checks: readonly Check[], tools: readonly RailRow[]): void {
    printRails(this.#io, tools);
    const count = (state: Check["state"]): number => checks.filter((one) => one.state === state).length;
    const word = count("failed") > 0 ? paint(this.#io, "red", "not ready") : paint(this.#io, "green", "ready");
    const skipped = count("skipped") > 0 ? ` · ${count("skipped")} skipped` : "";
    const counts = `${count("ok")} ok · ${counted(count("warning"), "warning")} · ${count("failed")} failed${skipped}`;
    this.#io.stdout.write(`${word} · ${counts}\n`);
  }
}

/** The checks as they are known: what needs no file first, what needs no server next. */
async function* checksOf(
  io: Io,
  loaded: LoadedConfig,
  modelMs: number,
  onWait: (where: string) => void,
): AsyncGenerator<readonly Check[]> {
  const checks: Check[] = [{ name: "node", state: "ok", code: "node", detail: process.versions.node }];
  const findings = checkConfig(loaded.config);
  for (const { severity, where, message } of findings) {
    const state = severity === "error" ? "failed" : "warning";
    checks.push({ name: "config", state, code: `config_${severity}`, detail: `${where}: ${message}` });
  }
  if (findings.some((finding) => finding.severity === "error")) return yield checks;
  checks.push({ name: "config", state: "ok", code: "config_loaded", detail: loaded.path });
  let box: Signalbox;
  try {
    box = createSignalbox(loaded.config);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return yield [...checks, { name: error.code, state: "failed", code: error.code, detail: error.message }];
  }
  try {
    checks.push(...checkRails(loaded, box));
    yield checks;
    yield [await checkLedger(box, loaded.config.store, commandOf(io))];
    yield await checkGuides(box);
    if (box.parts.model.kind !== "scripted") onWait(box.parts.model.where);
    yield await checkModel(box, modelMs);
  } finally {
    await box.close();
  }
}

/** What is likely not meant, and which rails each tool has. */
function checkRails(loaded: LoadedConfig, box: Signalbox): readonly Check[] {
  const doubts = checkPolicy(loaded.config).map(({ rule, severity, where, message }): Check => {
    const state = severity === "error" ? "failed" : "warning";
    if (where === "principals") return { name: where, state, code: rule, detail: message };
    return { name: "policy", state, code: rule, detail: `${where}: ${message}` };
  });
  return [...doubts, ...railsOf(loaded.config).map((row) => checkTool(row, box))];
}

/** What has no action rail leans on hints alone, and that is said. */
function checkTool(row: RailRow, box: Signalbox): Check {
  const { tool, placement, effect, action, evidence, provenance, blastRadius } = row;
  const rails = [
    "output",
    ...(action.length > 0 ? ["action"] : []),
    ...(evidence === null ? [] : [`evidence (${evidence})`]),
    ...(provenance.length === 0 ? [] : [`provenance (${provenance.join(", ")})`]),
    ...(blastRadius.length === 0 ? [] : [`caps (${blastRadius.join(", ")})`]),
  ];
  const about = `${placement}, ${effect}: ${rails.join(", ")}`;
  const name = `tool ${tool}`;
  if (action.length === 0 && effect !== "read") {
    const detail = `${about}; nothing but hints says when it may be used`;
    return { name, state: "warning", code: "tool_bare", detail };
  }
  const lost = effect === "once" && box.parts.tools.get(tool)?.probe === null;
  const probe = lost ? "; no probe: a crash in the middle leaves its outcome unknown" : "";
  return { name, state: "ok", code: probe === "" ? RAILED : "tool_unprobed", detail: about + probe };
}

async function checkLedger(box: Signalbox, store: unknown, command: string): Promise<Check> {
  const verdict = await box.verifyLedger();
  const keyed = box.parts.ledgerKeyed ? "keyed" : "not keyed";
  const detail = `${counted(verdict.runs, "run")}, ${counted(verdict.rows, "row")}, ${keyed}`;
  if (store === "memory") {
    const gone = "in memory: it is gone when a command ends, and nothing can be replayed, approved or continued";
    return { name: "ledger", state: "warning", code: "ledger_in_memory", detail: gone, hint: "give `store` a path" };
  }
  if (verdict.ok) return { name: "ledger", state: "ok", code: "ledger_whole", detail };
  return {
    name: "ledger",
    state: "failed",
    code: "ledger_faults",
    detail: `${counted(verdict.faults.length, "fault")}: ${command} ledger verify lists them`,
  };
}
