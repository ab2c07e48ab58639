/**
 * What the operator's own words ask for. Everything here reads the request alone: no word of a tool's result, of a record
 * or of the model can make a request ask for more.
 */
import type { DecisionContext } from "signalbox";
import { hasWord, literal, tidy } from "./names.ts";

/**
 * One place where a request asks for an act. An attacker's call may use whatever the request names, so what belongs to
 * another act must not count for this one: "cancel A and move B" does not ask to cancel B.
 */
export type Asked = {
  /** From the verb to where the next act begins, or to the sentence's end. */
  readonly clause: string;
  /** The clause; and where it only points back ("it", "there", "the file"), what the sentence and the one before it said. */
  readonly meant: string;
  /** The clause with its neighbours that ask for nothing: the sentence before, and up to two after. One a line. */
  readonly around: string;
};

/** The request of this run. What was said earlier in the thread asked for what was done earlier. */
export function requestOf(context: DecisionContext): string {
  return tidy(context.requests.at(-1) ?? "");
}

/**
 * Where the request asks for an act by one of its verbs, in the base form, as people ask: "send", not "sent", which tells
 * what somebody did. With `about`, one of its words has to stand in the clause too. What asks not to do it, what is a thing
 * and no act ("her email"), and what stands in quotes, ask for nothing.
 */
export function asked(context: DecisionContext, verbs: readonly string[], about?: readonly string[]): readonly Asked[] {
  const found: Asked[] = [];
  for (const item of itemsOf(requestOf(context))) {
    const sentences = cut(item).map((text) => ({ text, masked: maskedOf(text) }));
    for (const [i, { text, masked }] of sentences.entries()) {
      for (const at of placesOf(masked, verbs)) {
        const clause = text.slice(at, endOf(masked, at));
        if (about !== undefined && !hasWord(clause, about)) continue;
        const before = sentences.slice(Math.max(0, i - 1), i).filter(isQuiet);
        const after = sentences.slice(i + 1, i + 3);
        const loud = after.findIndex((sentence) => !isQuiet(sentence));
        const quiet = [...before, ...(loud === -1 ? after : after.slice(0, loud))].map((sentence) => sentence.text);
        const lead = [...before.map((sentence) => sentence.text), text.slice(0, at)].join(" ");
        found.push({
          clause,
          meant: BACK.test(masked.slice(at, at + clause.length)) ? `${lead} ${clause}` : clause,
          around: [clause, ...quiet].join("\n"),
        });
      }
    }
  }
  return found;
}

/** All sentences of the request. */
export function sentencesOf(context: DecisionContext): readonly string[] {
  return itemsOf(requestOf(context)).flatMap(cut);
}

/** Verbs of acts. Where one of them begins, what belongs to another act has ended. */
const ACTS = (
  "add answer append arrange ask ban block book cancel change congratulate create deactivate decrease delay delete discard " +
  "dm drop email erase expel extend forward generate grant greet inform insert invite join kick lower mail message modify " +
  "move notify organise organize pay postpone post publish put refund reimburse remind remove repay reply reschedule " +
  "reserve return schedule send share shift tell thank transfer trash update upload wire write"
).split(" ");

/** Words that point back to what was said; "the channel with …" describes one of its own. */
const BACK =
  /\b(?:it|them|there|him|her|these|those|(?:the|this|that|the same) (?:file|document|event|meeting|appointment|mail|email|message|channel|user|list|one)(?! (?:with|where|that|which|whose|starting|beginning|named|called|titled|from|of|about|on|_)))\b/i;

const FILLER = "(?:also|then|please|finally|afterwards|next|and|to|you|can|could|will|would) ";
const NEXT_ACT = new RegExp(
  `(?:[,;]|(?<![\\p{L}\\p{N}])(?:and|then|but|or)) (?:${FILLER})*(?:${ACTS.join("|")})(?![\\p{L}\\p{N}-])`,
  "giu",
);

/** Where the next act begins after the verb at `at`. */
function endOf(masked: string, at: number): number {
  NEXT_ACT.lastIndex = at + 1;
  return NEXT_ACT.exec(masked)?.index ?? masked.length;
}

function isQuiet({ masked }: { readonly masked: string }): boolean {
  return placesOf(masked, ACTS).length === 0;
}

/** Where one of these verbs stands. */
function placesOf(masked: string, verbs: readonly string[]): readonly number[] {
  const form = new RegExp(
    `(?<![\\p{L}\\p{N}_'’@./-])(?:${verbs.map(literal).join("|")})(?![\\p{L}\\p{N}_'’@/-]|\\.\\w)`,
    "giu",
  );
  return [...masked.matchAll(form)].map((match) => match.index);
}

const DETERMINERS = "an?|the|my|your|his|her|their|our|its|this|these|those|no|any|another|[\\p{L}\\p{N}_-]+['’]s";
const REFUSALS = "do not|don['’]t|never|must not|mustn['’]t|without|not to";
const QUOTED = /(?<![\p{L}\p{N}])(?:"[^"\n]*"|“[^”\n]*”|['‘][^'’\n]*(?:['’](?=\p{L})[^'’\n]*)*['’](?!\p{L}))/gu;
const THING = new RegExp(`(?<![\\p{L}\\p{N}])(?:${DETERMINERS}) (?:${ACTS.join("|")})(?![\\p{L}\\p{N}])`, "giu");
const REFUSED = new RegExp(`\\b(?:${REFUSALS})(?!(?: \\w+)? forget\\b)(?: \\w+){0,2} (?:${ACTS.join("|")})\\b`, "giu");
const FORGET = /\b(?:do not|don['’]t|never) forget\b/gi;

/** The sentence with everything blanked that holds a verb and asks for nothing; each letter stays in its place. */
function maskedOf(sentence: string): string {
  const blank = (match: string) => "_".repeat(match.length);
  return sentence.replace(QUOTED, blank).replace(FORGET, blank).replace(REFUSED, blank).replace(THING, blank);
}

/** Numbered tasks of one request ("1. … 2. …"): the values of one are not those of another. */
function itemsOf(request: string): readonly string[] {
  const starts: number[] = [];
  for (let number = 1, from = 0; ; number += 1) {
    const mark = new RegExp(`(?:^|\\s)${number}[.)]\\s`, "g");
    mark.lastIndex = from;
    const found = mark.exec(request);
    if (found === null) break;
    starts.push(found.index);
    from = found.index + found[0].length - 1;
  }
  // A sentence may well end in "1."; only a second number makes a list of it.
  if (starts.length < 2) return [request];
  return [0, ...starts].map((start, i) => request.slice(start, starts[i] ?? request.length));
}

/** Sentences end at a mark that white space and a capital, a quote or a digit follow, or at the end of a line. */
function cut(text: string): readonly string[] {
  return text.split(/(?<=[.!?]["'”’]?)\s+(?=["'“‘]?[\p{Lu}\p{N}])|\n+/u).filter((sentence) => sentence.trim() !== "");
}
