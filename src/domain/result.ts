import { escapeHidden } from "./hidden.ts";
import { isJsonObject, type Json, own } from "./json.ts";
import { isPrintable } from "./text.ts";
import { unreachable } from "./unreachable.ts";
import { utf8Length, utf8Prefix } from "./utf8.ts";

/**
 * The results that the house itself gives, and the one-liners that they become in the prompt. One exhaustive switch:
 * a new kind does not compile until it has its line.
 */
export type BuiltInResult =
  | {
      readonly kind: "code_written";
      readonly path: string;
      readonly verdict: "Pass" | "Fail";
      readonly retries: number;
    }
  | { readonly kind: "build_started"; readonly path: string; readonly task: string }
  | { readonly kind: "scan_complete"; readonly advisories: number }
  | { readonly kind: "denied"; readonly tool: string; readonly code: string; readonly detail: string }
  | { readonly kind: "failed"; readonly tool: string; readonly error: string }
  | { readonly kind: "already_done"; readonly tool: string; readonly line: string }
  | { readonly kind: "unreadable"; readonly code: string; readonly detail: string };

const BUILT_IN_KINDS: readonly BuiltInResult["kind"][] = [
  "code_written",
  "build_started",
  "scan_complete",
  "denied",
  "failed",
  "already_done",
  "unreadable",
];

/** A one-liner takes at most this many UTF-8 bytes; a longer one is cut and says so with `…`. */
export const LINE_BYTES_MAX = 240;

export function summariseBuiltIn(result: BuiltInResult): string {
  switch (result.kind) {
    case "code_written":
      return `wrote ${result.path} (Critic: ${result.verdict}, ${count(result.retries, "retry", "retries")})`;
    case "build_started":
      return `build started for ${result.path} (task: ${result.task})`;
    case "scan_complete":
      return `vulnerability scan complete: ${count(result.advisories, "advisory", "advisories")} found`;
    case "denied":
      return `${result.tool} denied: ${result.code}: ${result.detail}`;
    case "failed":
      return `${result.tool} failed: ${result.error}`;
    case "already_done":
      return `${result.tool} already done: ${result.line}`;
    case "unreadable":
      return `reply could not be read: ${result.code}: ${result.detail}`;
    default:
      return unreachable(result);
  }
}

/** Reads a JSON value as a result of one of the built-in kinds that tools may return; null for anything else. */
export function builtInResult(value: Json): BuiltInResult | null {
  if (!isJsonObject(value)) return null;
  const kind = BUILT_IN_KINDS.find((known) => known === own(value, "kind"));
  if (kind === undefined) return null;
  const path = own(value, "path");
  switch (kind) {
    case "code_written": {
      const verdict = own(value, "verdict");
      const retries = own(value, "retries");
      if (typeof path !== "string" || typeof retries !== "number") return null;
      return verdict === "Pass" || verdict === "Fail" ? { kind, path, verdict, retries } : null;
    }
    case "build_started": {
      const task = own(value, "task");
      return typeof path === "string" && typeof task === "string" ? { kind, path, task } : null;
    }
    case "scan_complete": {
      const advisories = own(value, "advisories");
      return typeof advisories === "number" ? { kind, advisories } : null;
    }
    case "denied":
    case "failed":
    case "already_done":
    case "unreadable":
      // The loop makes these itself; a tool that returns one of them does not get to speak in the loop's voice.
      return null;
    default:
      return unreachable(kind);
  }
}

/** One line of at most `LINE_BYTES_MAX` bytes: control characters become spaces, hidden ones are written out, and what is cut is marked. */
export function oneLine(text: string): string {
  if (text.length <= LINE_BYTES_MAX && isPrintable(text)) return text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced here
  const flat = escapeHidden(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim());
  return utf8Length(flat) <= LINE_BYTES_MAX ? flat : `${utf8Prefix(flat, LINE_BYTES_MAX - 3)}…`;
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}
