import { isBlank } from "./hidden.ts";
import { skipSpace } from "./loose-json.ts";
import { piecesOf } from "./pieces.ts";

/** `text` is what is left; `only`: nothing is, or nobody can tell where the thinking ends. */
export type Thought = { readonly text: string; readonly removed: boolean; readonly only: boolean };

type Tag = readonly [open: string, close: string];

const TAGS: readonly Tag[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
  ["<|start_thinking|>", "<|end_thinking|>"],
];

const CHANNEL_END = "<|end|>";

/** How models mark what they think before they reply, in lower case; they write it in any. */
export const THINKING_TAGS: readonly Tag[] = [...TAGS, ["<|channel|>analysis<|message|>", CHANNEL_END]];

/** What begins a reply in a template with channels, and is no part of it. In lower case. */
export const CHANNEL_MARKS: readonly string[] = ["<|start|>assistant", "<|channel|>final<|message|>"];

/** A channel of such a template; what follows the final one is the reply. */
const CHANNEL =
  /(?:<\|start\|>assistant\s{0,4})?<\|channel\|>(?:(analysis)|final)\s{0,4}(?:<\|constrain\|>\s{0,4}\w{1,16}\s{0,4})?<\|message\|>/iy;
/** The same where a server left out all marks: the name of the channel is glued to what is thought in it. */
export const GLUED = /^analysis(?=[a-z"'{[<])/i;
const GLUED_FINAL = /assistantfinal/i;

/** Any tag that begins or ends thinking, wherever it stands and whatever is in it. A channel may still call a tool. */
const ANY_TAG =
  /<\s?\/?\s?(?:[a-z]{1,8}:)?(?:think|thinking|thoughts?|reasoning)(?:\s[^<>]{0,64})?\/?>|\[\/?think\]|◁\/?think▷|<\|(?:start|end)_thinking\|>|<\|channel\|>(?!commentary to=)|assistantfinal|^\s{0,8}analysis(?=[a-z"'{[<])/i;

/**
 * Takes the thinking out of a text. Some chat templates open it in the prompt, so that only the closing tag is in the
 * text: then all before that is thinking, unless the tag stands inside an object or in the middle of a line.
 */
export function withoutThinking(said: string): Thought {
  const led = ledThinking(said);
  if (led === "only") return { text: "", removed: true, only: true };
  let text = said.slice(led);
  if (led === 0) {
    const later = laterThinking(said);
    if (later === null) return { text: said, removed: false, only: false };
    text = said.slice(0, later.from) + said.slice(later.to);
  }
  return { text, removed: true, only: isBlank(text) };
}

/** Whether a tag of thinking stands in a text. What stands beside it may be thought and not meant. */
export function hasThinkingTag(prose: string): boolean {
  return ANY_TAG.test(prose);
}

/** Whether a text has a tag in it that ends thinking. */
export function endsThinking(text: string): boolean {
  return CLOSING.test(text);
}

/** Where the thinking ends that a text begins with: 0 where it does not, `only` where that nobody can tell. */
function ledThinking(said: string): number | "only" {
  let end = 0;
  for (;;) {
    const at = /\S/g;
    at.lastIndex = end;
    const begin = at.exec(said)?.index ?? said.length;
    if (end === 0 && GLUED.test(said.slice(begin, begin + 16))) return endOf(GLUED_FINAL, said, begin);
    CHANNEL.lastIndex = begin;
    const channel = CHANNEL.exec(said);
    if (channel !== null && channel[1] === undefined) return begin + channel[0].length;
    const tag: Tag | undefined = channel === null ? tagAt(said, begin) : [channel[0], CHANNEL_END];
    if (tag === undefined) return end;
    const closed = endOf(formOf(tag[1]), said, begin + tag[0].length);
    if (closed === "only") return "only";
    end = closed;
  }
}

function tagAt(said: string, at: number): Tag | undefined {
  return TAGS.find(([open]) => said.slice(at, at + open.length).toLowerCase() === open);
}

/** Just behind the first that is found from `from` on. */
function endOf(form: RegExp, said: string, from: number): number | "only" {
  const search = new RegExp(form.source, "gi");
  search.lastIndex = from;
  return search.exec(said) === null ? "only" : search.lastIndex;
}

/** Finds a tag in any case. */
export function formOf(tag: string): RegExp {
  return new RegExp(tag.replace(/[|[\]]/g, "\\$&"), "i");
}

const CLOSING = new RegExp(TAGS.map(([, close]) => formOf(close).source).join("|"), "i");

/** Thinking that begins within the text, or before it. */
function laterThinking(text: string): { readonly from: number; readonly to: number } | null {
  const closing = CLOSING.exec(text);
  const tag = TAGS.find(([, close]) => close === closing?.[0].toLowerCase());
  if (closing === null || tag === undefined) return null;
  const at = closing.index;
  const { objects, cutAt } = piecesOf(text);
  if (cutAt !== null && cutAt < at) return null;
  if (objects.some((object) => object.start < at && at < object.end)) return null;
  const to = at + closing[0].length;
  if (!endsItsPart(text, to)) return null;
  const from = formOf(tag[0]).exec(text.slice(0, at))?.index ?? 0;
  // What was thought behind an object may take it back.
  return objects.some((object) => object.end <= from) ? null : { from, to };
}

/** Behind the tag there is a new line, the end, or what a reply begins with; never the rest of a sentence. */
function endsItsPart(text: string, end: number): boolean {
  const next = skipSpace(text, end);
  return next === text.length || /[\r\n]/.test(text.slice(end, next)) || "{[<`".includes(text.charAt(next));
}
