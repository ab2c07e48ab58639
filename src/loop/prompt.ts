import type { AskMode } from "../domain/command.ts";
import type { Began, PastExchange } from "../domain/event.ts";
import { escapeHidden } from "../domain/hidden.ts";
import { oneLine } from "../domain/result.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";
import { addLine, fitLines, fitNewest, type History } from "./guardrails/compression.ts";
import { windowBytes } from "./prompt-room.ts";
import { QUOTE, quoted } from "./quoted.ts";
import type { Run } from "./run.ts";
import { toldOf } from "./told.ts";

/**
 * A Prompt: what one model call is sent. `bytes` is the UTF-8 size of system and user text together and never exceeds
 * `bytesMax`; `cut` names what was left out to keep that.
 */
export type Prompt = {
  readonly system: string;
  readonly user: string;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly cut: readonly string[];
};

/** The mandatory text does not fit: there is no prompt. */
export type PromptRefusal = { readonly bytes: number; readonly bytesMax: number; readonly detail: string };

export type PromptResult =
  | { readonly ok: true; readonly prompt: Prompt }
  | { readonly ok: false; readonly refusal: PromptRefusal };

/** Room that is kept for the sentence that names the cuts and for the frame around the blocks. */
const FRAME_BYTES = 640;
/** A re-ask says why in at most this many bytes. */
const REASK_BYTES = 400;
/** The smallest piece of a newest result that is worth showing. */
const NEWEST_BYTES_MIN = 64;
/** What the loop says of the time since the newest result: at most this much, and a quarter of what is left. */
const SINCE_BYTES_MAX = 1_024;

/**
 * Builds the prompt of the run's next model call (design 5.2.5). Mandatory: system text, the served rules and all of channel
 * B, request, and on a re-ask the reason. Then, in this order, each with what the one before it left: passages (up to a
 * third), what the loop says of the time since the newest result (up to a quarter), the newest result, the older lines from
 * the newest back, the thread's earlier exchanges from the newest back. So the newest result is cut last.
 */
export function buildPrompt(run: Run, system: string, mode: AskMode, bytesMax = promptBytes(run)): PromptResult {
  const told = toldOf(run, system);
  const request = requestOf(run);
  const closed = mode.kind === "closing";
  const native = run.rules.mode === "tools";
  const reask = reaskText(mode, native);
  const closing = native ? CLOSING_TOOLS : CLOSING_FLAT;
  const reaskBytes = utf8Length(reask);
  const ours = told.systemBytes + told.reserved;
  const mandatory = ours + request.bytes + reaskBytes + (closed ? utf8Length(closing) : 0) + FRAME_BYTES;
  if (mandatory > bytesMax) {
    const rules = (run.began?.guides ?? null) === null ? "" : ", rules";
    const detail = `system text, tools${rules} and request take ${mandatory} bytes; the window holds ${bytesMax}`;
    return { ok: false, refusal: { bytes: mandatory, bytesMax, detail } };
  }
  let left = bytesMax - mandatory;
  const cut: string[] = [];
  const passages = closed ? passagesText(run, Math.min(left, Math.floor(bytesMax / 3)), cut) : "";
  left -= utf8Length(passages);
  const since = fitLines(run.since.reduce<History | null>(addLine, null), Math.min(SINCE_BYTES_MAX, left >> 2));
  left -= since.bytes;
  if (since.left > 0) cut.push(`${since.left} line(s) since the newest result`);
  const newest = newestBlock(run, left, cut);
  left -= newest.bytes;
  const lines = fitLines(run.history, left);
  left -= lines.bytes;
  if (lines.left > 0) cut.push(`${lines.left} older action line(s)`);
  const past = fitPast(run.began?.past ?? [], left);
  const pastLeft = past.left + (run.began?.pastCut ?? 0);
  if (pastLeft > 0) cut.push(`${pastLeft} earlier exchange(s) of this thread`);

  const user = new Blocks();
  user.add(told.first);
  if (past.text !== "") user.add(`EARLIER IN THIS THREAD\n${past.text}`);
  user.add(request.text, request.bytes);
  if (lines.text !== "") user.add(LINES_HEAD + lines.text, LINES_HEAD.length + lines.bytes);
  user.add(newest.text, newest.bytes);
  if (since.text !== "") user.add(SINCE_HEAD + since.text, SINCE_HEAD.length + since.bytes);
  user.add(told.injected);
  if (closed) user.add(closing + passages);
  if (cut.length > 0) user.add(`LEFT OUT to fit the window: ${oneLine(cut.join("; "))}`);
  user.add(told.last);
  user.add(reask, reaskBytes);
  const bytes = told.systemBytes + user.bytes;
  // The sums above are the construction; this is the gate that no mistake in them gets past.
  if (bytes > bytesMax) throw new Error(`prompt of ${bytes} bytes exceeds its bound of ${bytesMax}`);
  return { ok: true, prompt: { system: told.system, user: user.text, bytes, bytesMax, cut } };
}

/** Bytes that system and user text of a run's next prompt may take, where the server shows the model `toolBytes` besides. */
export function promptBytes(run: Run, toolBytes = 0): number {
  const room = Math.max(0, windowBytes(run) - toolBytes);
  return run.promptBytesMax === null ? room : Math.min(room, run.promptBytesMax);
}

/** The blocks of a prompt, an empty line between each two, with the bytes that they take. */
class Blocks {
  text = "";
  bytes = 0;

  add(text: string, bytes = utf8Length(text)): void {
    if (text === "") return;
    this.bytes += this.text === "" ? bytes : bytes + 2;
    this.text = this.text === "" ? text : `${this.text}\n\n${text}`;
  }
}

const LINES_HEAD = "ACTION HISTORY, oldest first\n";
const SINCE_HEAD = "SINCE THE NEWEST RESULT\n";

const NOTHING = { text: "", bytes: 0 };

function newestBlock(
  { newest }: Run,
  bytesMax: number,
  cut: string[],
): { readonly text: string; readonly bytes: number } {
  if (newest === null) return NOTHING;
  const head = `NEWEST RESULT, of ${oneLine(newest.tool)}\n${QUOTE}${newest.line}\n${QUOTE}`;
  const headBytes = utf8Length(head);
  const room = bytesMax - headBytes;
  if (room < NEWEST_BYTES_MIN) {
    cut.push(`the newest result (${newest.bytes} bytes)`);
    return NOTHING;
  }
  const fitted = fitNewest(newest, room);
  if (!fitted.whole) cut.push(`the end of the newest result (${fitted.bytes} of ${newest.bytes} bytes shown)`);
  return { text: head + fitted.text, bytes: headBytes + fitted.bytes };
}

/** The newest answer: a run builds one prompt after the other. */
let asked: { readonly began: Began; readonly text: string; readonly bytes: number } | null = null;

/** The request as it stands in the prompt, which it does every turn. */
function requestOf({ began }: Run): { readonly text: string; readonly bytes: number } {
  if (asked !== null && asked.began === began) return asked;
  const text = `REQUEST\n${quoted(began?.request ?? "")}`;
  const bytes = utf8Length(text);
  if (began !== null) asked = { began, text, bytes };
  return { text, bytes };
}

function fitPast(past: readonly PastExchange[], bytesMax: number): { readonly text: string; readonly left: number } {
  const kept: string[] = [];
  let bytes = 0;
  for (let i = past.length - 1; i >= 0; i--) {
    const exchange = past[i];
    if (exchange === undefined) break;
    const text = pastText(exchange);
    bytes += utf8Length(text) + 1;
    if (bytes > bytesMax) return { text: kept.reverse().join("\n"), left: i + 1 };
    kept.push(text);
  }
  return { text: kept.reverse().join("\n"), left: 0 };
}

function pastText(exchange: PastExchange): string {
  const did = exchange.did.map((line) => shown(`did: ${line}`));
  return [shown(`operator: ${exchange.request}`), ...did, shown(`you: ${exchange.answer}`)].join("\n");
}

const CLOSING_FLAT = `PASSAGES. Answer with kind "conversation", using only these:\n`;
const CLOSING_TOOLS = "PASSAGES. Answer in plain text and call no tool, using only these:\n";

/** The start of the passages that fits. Cut after quoting: each line break costs a quote mark. */
function passagesText(run: Run, bytesMax: number, cut: string[]): string {
  const passages = run.passages ?? [];
  const text = shown(passages.map((passage) => `${passage.source}: ${passage.text}`).join("\n"));
  const fitted = utf8Prefix(text, bytesMax);
  if (fitted !== text) cut.push(`the end of the passages (${utf8Length(fitted)} of ${utf8Length(text)} bytes shown)`);
  return fitted;
}

/** Data of which nobody knows who wrote it: quoted, and with hidden characters written out. */
function shown(text: string): string {
  return escapeHidden(quoted(text));
}

function reaskText(mode: AskMode, native: boolean): string {
  if (mode.kind !== "reask") return "";
  const why = utf8Prefix(oneLine(`${mode.why.code}: ${mode.why.detail}`), REASK_BYTES);
  const again = native ? "Call one tool, or answer in plain text." : "Reply again with exactly one JSON object.";
  return `Your last reply could not be used (${why}). ${again}`;
}
