/**
 * What a step may say that uses no control: waiting, scrolling, looking at what is shown, and conditions of that. A closed list, in
 * English, and a part of the published contract: what is in none of these forms has to mean the step's control.
 */
import type { Intent } from "./intent.ts";
import { classOf } from "./lexicon.ts";
import { CLEARING, KEY_PRESSES, KEYS, ORDERING, USING } from "./step-words.ts";
import type { Token } from "./tokenise.ts";

const forms = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);

/** What the words in capitals stand for: any of these forms. */
export const FREE_SLOTS: Readonly<Record<string, readonly string[]>> = {
  THING: forms("SHOWN, it, everything"),
  SEEN: forms("the|this|your|a|an NOUN NOUN?, it"),
  SHOWN: forms("DET* NOUN NOUN?"),
  DET: forms(`
    the, a, an, this, that, these, those, your, its, any, all, new, next, following, whole, current, same, updated, second, search,
    success, error`),
  NOUN: forms(`
    page, screen, view, list, dialog, dialog box, window, form, panel, app, application, site, website, web page, result, results,
    message, messages, confirmation, notification, popup, pop up, spinner, loader, progress, loading, content, contents, data, table,
    process, operation, change, changes, update, animation, indicator, prompt, overview, summary, details, response`),
  HAS: forms("to, has, have, is, are, be, been, being, fully, completely, finished, finish, finishes"),
  STATE: forms(`
    load, loads, loaded, loading, appear, appears, appeared, open, opens, opened, close, closes, closed, show, shows, shown,
    displayed, visible, ready, finish, finishes, finished, complete, completes, completed, done, refresh, refreshes, refreshed,
    update, updates, updated, changed, saved, correct, right, available, there, present, up, gone, disappear, disappears,
    disappeared`),
  PROCESS: forms("keyboard, download, upload, import, export, sync, installation, search"),
  DOING: forms("filling in, filling out, completing, entering, reviewing"),
  FILLED: forms("the|your|all|these* form|fields|details|information|data|changes"),
  KEY: KEYS,
  TIME: forms("LONG* moment|moments|second|seconds|minute|minutes|while|bit"),
  LONG: forms("a, an, few, some, couple, of, one, two, three, four, five, ten, 2, 3, 5, 10, 30, more, short, little"),
  WAY: forms("up, down, left, right, further, all the way, a bit, a little, slowly"),
  END: forms("the? very? top|bottom|end"),
  WHEN: forms("if, when, once, after, until, as soon as, now that"),
  ASKED: forms(`
    asked, prompted, requested, needed, necessary, required, applicable, possible, available, shown, visible, ready, done, finished`),
};

/** `x?`: with or without; `x*`: any number of times, also never; `x|y`: either; `x_y`: both words. */
export const FREE_CLAUSES: readonly string[] = [
  ...["wait briefly?", "wait for? TIME", "wait for|until|till THING HAS* STATE?", "until THING HAS* STATE"],
  ...["scroll WAY* the|through|in|on? THING?", "scroll|swipe WAY* to|until_you_reach END of? THING?"],
  "swipe WAY* the|through|in|on? the? page|screen|view|list?",
  ...["look_at|check|verify|review|read|inspect|observe|see SHOWN", "look_at|check|see what is shown|displayed"],
  "check|verify|see|observe|confirm_that that|if|whether? THING HAS* STATE",
  "make_sure|ensure that? SEEN HAS* STATE",
  ...[
    "wait for|until|till the|your? PROCESS HAS* STATE?",
    "WHEN you see|find SHOWN|it",
    "after DOING FILLED",
    "start|begin by",
  ],
  ...["WHEN you_are|it_is? ASKED to_confirm|for_confirmation?", "WHEN THING HAS* STATE", "after TIME"],
];

function patternOf(form: string): string {
  return form
    .split(" ")
    .map((part) => {
      const [, words = "", times = ""] = /^(.*?)([?*]?)$/.exec(part) ?? [];
      return `(?:${words.split("|").map(eitherOf).join("|")})${times}`;
    })
    .join("");
}

/** A word takes the space behind it along. */
function eitherOf(word: string): string {
  return FREE_SLOTS[word]?.map(patternOf).join("|") ?? `${word.replaceAll("_", " ")} `;
}

const patterns = (forms: readonly string[]): readonly RegExp[] =>
  forms.map((form) => new RegExp(`^(?:${patternOf(form)})`));
const CLAUSES = patterns(FREE_CLAUSES);
const WAYS_OF_USING = patterns(USING);
const WAYS_WITH_FIELDS = patterns([...USING, ...CLEARING]);
const PRESSES = patterns(KEY_PRESSES);
/** Begin what may stand behind that of which it is a condition, without a mark. */
const CONDITIONS: ReadonlySet<string> = new Set(["if", "when", "once", "after", "until", "as", "now"]);
const MARKS = /^[.,:;!?()\u2013\u2014\u2026-]$/u;
const LINKS: ReadonlySet<string> = new Set(["and", "then", "or", "but"]);
const ORDER: ReadonlySet<string> = new Set(ORDERING);

/** The tokens of clauses in which no control is used. */
export function freeTokens(intent: Intent): ReadonlySet<number> {
  return tokensOf(intent, CLAUSES, (last) => endsBehind(intent, last));
}

/** The tokens of what is one way of using a control, in more than a word. */
export function usingTokens(intent: Intent, isField: boolean): ReadonlySet<number> {
  return tokensOf(intent, isField ? WAYS_WITH_FIELDS : WAYS_OF_USING, () => true);
}

/** The tokens that press a key. On a keyboard it has a capital letter. */
export function keyTokens(intent: Intent): ReadonlySet<number> {
  const mayEnd = (last: number): boolean => {
    const next = intent.tokens[last + 1];
    return next === undefined || isBetween(next) || next.text === "to";
  };
  return tokensOf(intent, PRESSES, mayEnd, true);
}

function tokensOf(
  intent: Intent,
  forms: readonly RegExp[],
  mayEnd: (last: number) => boolean,
  capitals = false,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i < intent.tokens.length; i++) {
    const run = startsAt(intent, i, found) ? wordsFrom(intent, i) : [];
    const length = longest(intent, run, forms, mayEnd, capitals);
    for (const k of run.slice(0, length)) found.add(k);
    i = run[length - 1] ?? i;
  }
  return found;
}

/** The words from there to the next mark or quotation. Within "pop-up" there is no mark. */
function wordsFrom({ tokens, quotes }: Intent, from: number): readonly number[] {
  const run: number[] = [];
  for (let i = from; i < tokens.length && quotes[i] === -1; i++) {
    const token = tokens[i];
    if (token?.kind !== "symbol") run.push(i);
    else if (token.text !== "-" || tokens[i - 1]?.to !== token.from || tokens[i + 1]?.from !== token.to) break;
  }
  return run;
}

function startsAt({ tokens, quotes }: Intent, i: number, free: ReadonlySet<number>): boolean {
  const [before, token] = [tokens[i - 1], tokens[i]];
  if (token === undefined || token.kind === "symbol" || quotes[i] !== -1) return false;
  if (before === undefined || free.has(i - 1) || CONDITIONS.has(token.text)) return true;
  return quotes[i - 1] === -1 && (isBetween(before) || opensClause(tokens, i - 1));
}

/** "first", "please": behind them a clause begins where one begins before them. */
function opensClause(tokens: readonly Token[], i: number): boolean {
  if (!ORDER.has(tokens[i]?.text ?? "")) return false;
  const before = tokens[i - 1];
  return before === undefined || isBetween(before) || opensClause(tokens, i - 1);
}

/** What stands between clauses: not a mark of a quotation. */
function isBetween({ text }: Token): boolean {
  return MARKS.test(text) || LINKS.has(text);
}

/** How many of the words are one clause, up to where it can end. */
function longest(
  intent: Intent,
  run: readonly number[],
  forms: readonly RegExp[],
  mayEnd: (last: number) => boolean,
  capitals: boolean,
): number {
  const { tokens, shown } = intent;
  const text = run.map((i) => `${tokens[i]?.text} `).join("");
  const isName = (i: number): boolean => !capitals && /^\p{Lu}/u.test(shown.slice(tokens[i]?.from, tokens[i]?.to));
  return forms.reduce((most, form) => {
    const count = wordCount(intent, run, form.exec(text)?.[0].length ?? 0);
    const last = run[count - 1];
    // With a capital letter it is a name, and a name has to be a control's.
    const fits = count > most && last !== undefined && mayEnd(last) && !run.slice(1, count).some(isName);
    return fits ? count : most;
  }, 0);
}

function wordCount({ tokens }: Intent, run: readonly number[], units: number): number {
  let count = 0;
  for (let at = 0; at < units; count++) at += (tokens[run[count] ?? -1]?.text.length ?? units) + 1;
  return count;
}

function endsBehind({ tokens }: Intent, last: number): boolean {
  const next = tokens[last + 1];
  if (next === undefined) return true;
  if (tokens[last]?.text === "by") return next.text.endsWith("ing");
  return isBetween(next) || CONDITIONS.has(next.text) || ["verb", "action"].includes(classOf(next));
}
