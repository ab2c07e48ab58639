import type { AskMode } from "../domain/command.ts";
import type { PastExchange } from "../domain/event.ts";
import { escapeHidden } from "../domain/hidden.ts";
import { oneLine } from "../domain/result.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";
import { promptBytesMax } from "../domain/window.ts";
import { fitLines, fitNewest } from "./guardrails/compression.ts";
import { QUOTE, quoted } from "./quoted.ts";
import type { Run } from "./run.ts";

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

/**
 * Builds the prompt of the run's next model call (design 5.2.5). Mandatory: system text, request, and on a re-ask the
 * reason. Then, in this order, each with what the one before it left: passages (up to a third), the newest result, the older lines from the newest
 * back, the thread's earlier exchanges from the newest back. So the newest result is cut last.
 */
export function buildPrompt(run: Run, system: string, mode: AskMode): PromptResult {
  const began = run.began;
  const bytesMax = began === null ? 0 : Math.floor(promptBytesMax(began.window) * run.promptScale);
  const request = quoted(began?.request ?? "");
  const head = mode.kind === "closing" ? CLOSING_HEAD : "";
  const reask = reaskText(mode);
  const mandatory = utf8Length(system) + utf8Length(request) + utf8Length(reask) + utf8Length(head) + FRAME_BYTES;
  if (mandatory > bytesMax) {
    const detail = `system text, tools and request take ${mandatory} bytes; the window holds ${bytesMax}`;
    return { ok: false, refusal: { bytes: mandatory, bytesMax, detail } };
  }
  let left = bytesMax - mandatory;
  const cut: string[] = [];

  const closing = head === "" ? "" : head + passagesText(run, Math.min(left, Math.floor(bytesMax / 3)), cut);
  left -= utf8Length(closing) - utf8Length(head);
  const newest = newestBlock(run, left, cut);
  left -= utf8Length(newest);
  const lines = fitLines(run.history, left, LINE_OVERHEAD);
  left -= lines.bytes;
  if (lines.left > 0) cut.push(`${lines.left} older action line(s)`);
  const past = fitPast(began?.past ?? [], left);
  const pastLeft = past.left + (began?.pastCut ?? 0);
  if (pastLeft > 0) cut.push(`${pastLeft} earlier exchange(s) of this thread`);

  const blocks = [
    past.text === "" ? "" : `EARLIER IN THIS THREAD\n${past.text}`,
    `REQUEST\n${request}`,
    lines.lines.length === 0
      ? ""
      : `ACTION HISTORY, oldest first\n${lines.lines.map((line) => QUOTE + line).join("\n")}`,
    newest,
    closing,
    cut.length === 0 ? "" : `LEFT OUT to fit the window: ${oneLine(cut.join("; "))}`,
    reask,
  ];
  const user = blocks.filter((block) => block !== "").join("\n\n");
  const bytes = utf8Length(system) + utf8Length(user);
  // The sums above are the construction; this is the gate that no mistake in them gets past.
  if (bytes > bytesMax) throw new Error(`prompt of ${bytes} bytes exceeds its bound of ${bytesMax}`);
  return { ok: true, prompt: { system, user, bytes, bytesMax, cut } };
}

/** A line costs its quote mark and its line break on top of its bytes. */
const LINE_OVERHEAD = utf8Length(QUOTE) + 1;

function newestBlock(run: Run, bytesMax: number, cut: string[]): string {
  const newest = run.newest;
  if (newest === null) return "";
  const head = `NEWEST RESULT, of ${oneLine(newest.tool)}\n${QUOTE}${newest.line}\n${QUOTE}`;
  const room = bytesMax - utf8Length(head);
  if (room < NEWEST_BYTES_MIN) {
    cut.push(`the newest result (${newest.bytes} bytes)`);
    return "";
  }
  const fitted = fitNewest(newest, room);
  if (!fitted.whole)
    cut.push(`the end of the newest result (${utf8Length(fitted.text)} of ${newest.bytes} bytes shown)`);
  return head + fitted.text;
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

const CLOSING_HEAD = `PASSAGES. Answer with kind "conversation", using only these:\n`;

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

function reaskText(mode: AskMode): string {
  if (mode.kind !== "reask") return "";
  const why = utf8Prefix(oneLine(`${mode.why.code}: ${mode.why.detail}`), REASK_BYTES);
  return `Your last reply could not be used (${why}). Reply again with exactly one JSON object.`;
}
