/**
 * What the operator's own words ask for. Everything here reads the request alone: no word of a tool's result, of a record
 * or of the model can make a request ask for more.
 */
import type { DecisionContext } from "signalbox";

/**
 * A sentence that asks for an act, with the one before it and the two after it: people say first what it is about, and add
 * what they forgot. Values of an act are looked for in these, and not in the rest of the request.
 */
export type Asked = { readonly sentence: string; readonly around: string };

/** The request of this run. What was said earlier in the thread asked for what was done earlier. */
export function requestOf(context: DecisionContext): string {
  return tidy(context.requests.at(-1) ?? "");
}

/**
 * The sentences of the request that ask for an act by one of its verbs, in the base form, as people ask: "send", not
 * "sent", which tells what somebody did. With `about`, one of its words has to stand in the sentence too. A sentence that
 * asks not to do it does not ask for it.
 */
export function asked(context: DecisionContext, verbs: readonly string[], about?: readonly string[]): readonly Asked[] {
  const found: Asked[] = [];
  for (const item of itemsOf(requestOf(context))) {
    const sentences = cut(item);
    for (const [i, sentence] of sentences.entries()) {
      if (!hasWord(withoutNouns(withoutRefusals(sentence, verbs), verbs), verbs)) continue;
      if (about !== undefined && !hasWord(sentence, about)) continue;
      found.push({ sentence, around: sentences.slice(Math.max(0, i - 1), i + 3).join("\n") });
    }
  }
  return found;
}

/** All sentences of the request. */
export function sentencesOf(context: DecisionContext): readonly string[] {
  return itemsOf(requestOf(context)).flatMap(cut);
}

/**
 * Whether a text names a value: as it stands, whole, whatever its case. What follows or precedes it must not make it a
 * part of something longer: "a@b.example" is not named by "aa@b.example", nor "report.docx" by "old-report.docx".
 */
export function names(text: string, value: string): boolean {
  const wanted = tidy(value).toLowerCase();
  if (wanted === "" || UNSEEN.test(wanted)) return false;
  const within = text.toLowerCase();
  // What ends as a sentence does is a whole only in quotes: else that end is the sentence's.
  if (/[.,;:!?]$/.test(wanted)) return new RegExp(`["'“‘]${literal(wanted)}["'”’]`, "u").test(within);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    if (!JOINS_BEFORE.test(within.slice(0, at)) && !JOINS_AFTER.test(within.slice(at + wanted.length))) return true;
  }
  return false;
}

/**
 * Whether a text gives a value for something, and does not only happen to hold its words: in quotes, or after a word or a
 * colon that gives it ("named report.docx", "to x", "address: x"), up to a mark, a line's end or an "and".
 */
export function gives(text: string, value: string): boolean {
  const wanted = tidy(value);
  if (!names(text, wanted)) return false;
  const form = literal(wanted);
  const given = new RegExp(
    `["'“‘]${form}["'”’]|(?:(?:^|\\s)(?:named|called|titled|to|is|are|be|as|at)|[:=])\\s+["'“‘]?${form}["'”’]?(?:[.,;!?]|\\s+and\\b|\\s*$)`,
    "imu",
  );
  return given.test(text);
}

/**
 * Whether a text names a value as what an act is for, and not only as where something comes from or whose it is: "from x",
 * "by x", "x's".
 */
export function namesAsTarget(text: string, value: string): boolean {
  const form = literal(tidy(value));
  const source = `\\b(?:from|by|of) (?:(?:the|my|our|his|her|their|file|document|user|account|address) )*["'“‘]?${form}`;
  const owner = `${form}['’]s(?![\\p{L}\\p{N}])`;
  return names(text.replace(new RegExp(`${source}|${owner}`, "giu"), " "), value);
}

/** Whether a text addresses somebody: "to x", "tell x", "ask x, y and z". */
export function addresses(text: string, name: string): boolean {
  const to = "to|tell|ask|dm|message|inform|notify|greet|thank|congratulate|send|write|email|answer|remind|let";
  const others =
    "(?:(?:both|user|users|my|our|the|colleague|friend|friends) |[\\p{L}\\p{N}_.@-]+(?:, and|,| and) ){0,6}";
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${to}) ${others}${literal(tidy(name))}(?![\\p{L}\\p{N}])`, "iu");
  return namesAsTarget(text, name) && form.test(text);
}

/** Whether a text holds one of the words, or of the phrases, as such. */
export function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => names(text, word));
}

/** The plain numbers of a text: not percentages, and none that is a part of a date, a time, an account or a name. */
export function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(NUMBER)].map((match) => Number(match[0].replaceAll(",", "")));
}

/** One spelling of white space and of composed letters; nothing else is folded. */
export function tidy(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\S\n]+/g, " ")
    .trim();
}

/** Format characters, private use and unassigned: nobody sees them, so nobody asked for them. */
export const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]/u;

const JOINS_BEFORE = /[\p{L}\p{N}_@+\-/%.&=#~]$/u;
const JOINS_AFTER = /^(?:[\p{L}\p{N}_@+\-/%&=#~]|[.:][\p{L}\p{N}])/u;
const NUMBER = /(?<![\p{L}\p{N}_.,:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\p{N}_%:/-]|\.\d|,\d)/gu;

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

/** The sentence without what is a thing and no act: "her email", "the transfer", "Bob's post". */
function withoutNouns(sentence: string, verbs: readonly string[]): string {
  const before = "an?|the|my|your|his|her|their|our|its|this|these|those|no|any|another|[\\p{L}\\p{N}_-]+['’]s";
  return sentence.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${before}) (?:${listed(verbs)})(?![\\p{L}\\p{N}])`, "giu"),
    "",
  );
}

/** The sentence without "do not VERB" and its kin; "don't forget to VERB" asks. */
function withoutRefusals(sentence: string, verbs: readonly string[]): string {
  return sentence
    .replace(/\b(?:do not|don['’]t|never) forget\b/gi, "")
    .replace(
      new RegExp(
        `\\b(?:do not|don['’]t|never|must not|mustn['’]t|without|not to)(?: \\w+){0,2} (?:${listed(verbs)})\\b`,
        "gi",
      ),
      "",
    );
}

function listed(words: readonly string[]): string {
  return words.map(literal).join("|");
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
