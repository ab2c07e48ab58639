import type { Spelling } from "../../domain/provenance.ts";
import { folded, isTraceable, type Names, namesOf, plainText } from "./normalise.ts";

/** What the operator said, ready to be asked whether a value stands in it as a whole. */
export type RequestWords = {
  readonly plain: string;
  readonly folded: string;
  /** What stands in it that has a form: e-mail addresses, URLs, numbers, dates. */
  readonly names: ReadonlySet<string>;
};

/** Characters of a value that is looked for inside of other texts. A longer one is compared as a whole only. */
export const SOUGHT_CHARS_MAX = 1_024;
/** A shorter text stands in nearly everything. */
const CHARS_MIN = 2;

const OPENS = "([{<\"'`“”„‘’‚«»‹›「『（《|";
const CLOSES = ")]}>\"'`“”‘’«»‹›」』）》|";
const ENDS = ".,;:!?…。，、；：！？";
const SIGILS = "#@$€£¥";
/** A dash between two words stands between spaces; one without them may belong to what it touches, a link for example. */
const SPACES = " \u3000";

/** Time is linear in the length of the request. */
export function readRequest(request: string): RequestWords {
  const plain = plainText(request);
  const names = new Set<string>();
  for (const word of plain.split(/[ \u3000]+/)) {
    const bare = bareWord(word);
    for (const as of ["email", "url"] as const) add(names, bare, as);
  }
  for (const match of plain.matchAll(NUMBERS)) {
    const number = withoutEnd(match[0]);
    const end = match.index + number.length;
    if (startsFree(plain, match.index) && endsFree(plain, /[$€£¥%]/.test(plain[end] ?? "") ? end + 1 : end))
      add(names, number, "number");
  }
  for (const match of plain.matchAll(DATES)) {
    if (startsFree(plain, match.index) && endsFree(plain, match.index + match[0].length)) add(names, match[0], "date");
  }
  return { plain, folded: folded(plain), names };
}

const NUMBERS = /-?\d[\d.,]*/g;
const DATES = /\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?/g;

function add(names: Set<string>, text: string, as: Spelling): void {
  const name = isTraceable(text) ? namesOf(text, as).kept : null;
  if (name !== null) names.add(name);
}

/** A word without what opens and closes around it, and without the end of its sentence. */
function bareWord(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && OPENS.includes(word[from] ?? "")) from += 1;
  if (folded(word.slice(from, from + 7)) === "mailto:") from += 7;
  if (/['’]s$/.test(word.slice(from, to))) to -= 2;
  while (to > from && (CLOSES.includes(word[to - 1] ?? "") || ENDS.includes(word[to - 1] ?? ""))) to -= 1;
  return word.slice(from, to);
}

/** A number without what ends its sentence. Not by an expression: one that is anchored at the end alone tries each beginning. */
function withoutEnd(number: string): string {
  let to = number.length;
  while (number[to - 1] === "." || number[to - 1] === ",") to -= 1;
  return number.slice(0, to);
}

/** A value that is looked for in requests. `text` is what `plainText` gave of a traceable value. */
export type Wanted = { readonly text: string; readonly as: Spelling; readonly names: Names };

/** Whether the request says a value by its form, or is the value as a whole. */
export function isSaidIn(request: RequestWords, { text, as, names }: Wanted): boolean {
  if (names.kept === null) return false;
  if (as !== "text" && names.sought.some((name) => request.names.has(name))) return true;
  return text.length > SOUGHT_CHARS_MAX && names.sought.includes(namesOf(request.plain, as).kept ?? "");
}

/** Whether a value that is short enough and whose letters end at `end` stands there as a whole. Its end was asked about before. */
export function standsAt(request: RequestWords, end: number, { text, as, names }: Wanted): boolean {
  const at = end - text.length;
  if (names.kept === null || text.length < CHARS_MIN || !isWhole(request.plain, at, end)) return false;
  return names.sought.includes(namesOf(request.plain.slice(at, end), as).kept ?? "");
}

/** A value that ends as a sentence does is a whole only where it is quoted: else the end is the sentence's. */
function isWhole(text: string, at: number, end: number): boolean {
  if (!startsFree(text, at)) return false;
  if (at === 0 && end === text.length) return true;
  if (!ENDS.includes(text[end - 1] ?? "")) return true;
  return OPENS.includes(text[at - 1] ?? " ") && CLOSES.includes(text[end] ?? " ");
}

/**
 * Whether nothing before `at` belongs to what begins there: white space, what opens, one sign such as `#` or `€`, or a label
 * of letters with a colon, and before these white space again. Everything else joins, hidden characters among it.
 */
function startsFree(text: string, at: number): boolean {
  let i = at;
  if (SIGILS.includes(text[i - 1] ?? " ")) i -= 1;
  else if (text[i - 1] === ":" && text[i] !== "/") i -= labelBefore(text, i);
  const least = Math.max(0, i - AROUND_MAX);
  while (i > least && (OPENS.includes(text[i - 1] ?? "") || (CLOSES.includes(text[i - 1] ?? "") && i < at))) i -= 1;
  return i === 0 || SPACES.includes(text[i - 1] ?? "");
}

const LABEL_MAX = 24;
/** What may stand between a value and the white space around it. With more it counts as joined. */
const AROUND_MAX = 8;

/** How long the label before `at` is, with its colon; 0 where there is none. */
function labelBefore(text: string, at: number): number {
  const match = /(?:^|[^\p{L}\p{N}])([A-Za-z]+:)$/u.exec(text.slice(Math.max(0, at - LABEL_MAX), at));
  return match?.[1]?.length ?? 0;
}

/** Whether nothing from `at` on belongs to what ends there: what closes, the end of a sentence, and then white space. */
export function endsFree(text: string, at: number): boolean {
  let i = /^['’]s/.test(text.slice(at, at + 2)) ? at + 2 : at;
  const most = Math.min(text.length, i + AROUND_MAX);
  while (i < most && (CLOSES.includes(text[i] ?? "") || ENDS.includes(text[i] ?? ""))) i += 1;
  return i >= text.length || SPACES.includes(text[i] ?? "");
}
