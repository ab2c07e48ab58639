/** Whether a text of the operator's names a value, gives it, means it as a target or addresses somebody. */

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

/** Whether a text holds one of the words, or of the phrases, as such. */
export function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => names(text, word));
}

/**
 * Whether a text gives a value for something, and does not only happen to hold its words: in quotes, or after a word or a
 * colon that gives it ("named report.docx", "to x", "address: x"), up to a mark, a line's end or an "and".
 */
export function gives(text: string, value: string): boolean {
  if (!names(text, value)) return false;
  const form = literal(tidy(value));
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
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${to}) ${others}${literal(tidy(name))}(?![\\p{L}\\p{N}_-])`, "iu");
  return namesAsTarget(text, name) && form.test(text);
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

/** A text as a regular expression that finds it. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Format characters, private use and unassigned: nobody sees them, so nobody asked for them. */
export const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]/u;

const JOINS_BEFORE = /[\p{L}\p{N}_@+\-/%.&=#~]$/u;
const JOINS_AFTER = /^(?:[\p{L}\p{N}_@+\-/%&=#~]|[.:][\p{L}\p{N}])/u;
const NUMBER = /(?<![\p{L}\p{N}_.,:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\p{L}\p{N}_%:/-]|\.\d|,\d)/gu;
