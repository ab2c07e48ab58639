import { isBlank } from "./hidden.ts";
import { skipSpace } from "./loose-json.ts";
import { piecesOf } from "./pieces.ts";

/** `text` is what is left; `only`: nothing is, or nobody can tell where the thinking ends. */
export type Thought = { readonly text: string; readonly removed: boolean; readonly only: boolean };

/** How models mark what they think before they reply. */
export const THINKING_TAGS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<reasoning>", "</reasoning>"],
  ["[THINK]", "[/THINK]"],
];

/** A model thinks once or twice before it replies. */
const ROUNDS_MAX = 4;

/**
 * Takes the thinking out of a text. Some chat templates open it in the prompt, so that only the closing tag is in the
 * text: then all before that is thinking, unless the tag stands inside an object or in the middle of a line.
 */
export function withoutThinking(said: string): Thought {
  let text = said;
  let removed = false;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rest = text.trimStart();
    const tag = THINKING_TAGS.find(([open]) => rest.startsWith(open));
    if (tag === undefined) break;
    const [open, close] = tag;
    const end = rest.indexOf(close, open.length);
    if (end === -1) return { text: "", removed: true, only: true };
    text = rest.slice(end + close.length);
    removed = true;
  }
  if (!removed) {
    const later = laterThinking(said);
    if (later === null) return { text: said, removed: false, only: false };
    text = said.slice(0, later.from) + said.slice(later.to);
  }
  return { text, removed: true, only: isBlank(text) };
}

/** Whether a text has a tag in it that ends thinking. */
export function endsThinking(text: string): boolean {
  return THINKING_TAGS.some(([, close]) => text.includes(close));
}

/** Thinking that begins within the text, or before it. */
function laterThinking(text: string): { readonly from: number; readonly to: number } | null {
  let at = -1;
  let tag = THINKING_TAGS[0];
  for (const one of THINKING_TAGS) {
    const found = text.indexOf(one[1]);
    if (found === -1 || (at !== -1 && found > at)) continue;
    at = found;
    tag = one;
  }
  if (at === -1 || tag === undefined) return null;
  const { objects, cutAt } = piecesOf(text);
  if (cutAt !== null && cutAt < at) return null;
  if (objects.some((object) => object.start < at && at < object.end)) return null;
  const to = at + tag[1].length;
  return endsItsPart(text, to) ? { from: Math.max(0, text.slice(0, at).indexOf(tag[0])), to } : null;
}

/** Behind the tag there is a new line, the end, or what a reply begins with; never the rest of a sentence. */
function endsItsPart(text: string, end: number): boolean {
  const next = skipSpace(text, end);
  return next === text.length || /[\r\n]/.test(text.slice(end, next)) || "{[<`".includes(text.charAt(next));
}
