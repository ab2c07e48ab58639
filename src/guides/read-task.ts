import { quoted } from "../domain/json-limits.ts";
import { nearest } from "../domain/nearest.ts";
import type { TaskMatcher } from "../domain/rule.ts";
import type { HeaderMap, HeaderNode } from "./header-node.ts";
import type { Note } from "./places.ts";
import { readStrings } from "./read-strings.ts";
import { parsePhrase, parseWord } from "./words.ts";

const KEYS = ["any", "words", "least"];

/**
 * Which tasks a rule is for: a phrase, a list of phrases of which one is enough, or `{any: [phrases], words: [...], least: 2}`.
 * Undefined where something was noted.
 */
export function readTask(node: HeaderNode, note: Note): TaskMatcher | undefined {
  if (node.kind !== "map") {
    const phrases = readPhrases("task", node, note);
    return phrases && { phrases, words: [], least: 1 };
  }
  let sound = true;
  for (const { key, at } of node.entries) {
    if (KEYS.includes(key)) continue;
    const near = nearest(key, KEYS);
    note("unknown_key", at, `\`task\` has no key ${quoted(key)}${near === null ? "" : `: did you mean \`${near}\`?`}`);
    sound = false;
  }
  const any = node.entries.find(({ key }) => key === "any");
  const phrases = any === undefined ? [] : readPhrases("task.any", any.value, note);
  const counted = readCounted(node, note);
  if (!sound || phrases === undefined || counted === undefined) return undefined;
  if (phrases.length > 0 || counted.words.length > 0) return { phrases, ...counted };
  note("bad_value", node.at, "`task` says nothing: give it `any` or `words`, or leave it out for every task");
  return undefined;
}

/** The words, and how many of them have to occur. */
function readCounted(node: HeaderMap, note: Note): Pick<TaskMatcher, "words" | "least"> | undefined {
  const given = node.entries.find(({ key }) => key === "words");
  const least = node.entries.find(({ key }) => key === "least");
  if (given === undefined) {
    if (least !== undefined) note("bad_value", least.at, "`least` counts `words`, and there are none");
    return least === undefined ? { words: [], least: 1 } : undefined;
  }
  const words = readStrings("task.words", given.value, note, parseWord);
  if (words === undefined) return undefined;
  if (new Set(words).size < words.length) {
    note("bad_value", given.value.at, "`task.words` has the same word twice, case and form apart");
    return undefined;
  }
  const count = least?.value.kind === "scalar" ? least.value.value : null;
  if (typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= words.length) {
    return { words, least: count };
  }
  const says = `\`task.least\` has to say how many of the words must occur: 1 to ${words.length}`;
  note("bad_value", least?.value.at ?? given.at, says);
  return undefined;
}

function readPhrases(name: string, node: HeaderNode, note: Note): readonly (readonly string[])[] | undefined {
  return readStrings(name, node, note, parsePhrase);
}
