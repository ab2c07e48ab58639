/**
 * Reads a rule file (design 7.1): a YAML header between two lines `---`, then the text that the model is told. Strict: what is
 * not understood is an error with its place, and nothing is guessed.
 *
 * An error before the body makes the header unreadable, whatever it is: as long as it is not certain what the header says, the
 * file may be a safety rule, and nothing is published or served without it (fail closed). An error in the body alone leaves
 * the header certain.
 *
 * Laws, tested in test/laws/rule-file.test.ts:
 *   untouched-bytes   the body is exactly the bytes `from` to `to` of the file
 *   total             any text gives a rule or findings; none throws
 *   placed            every finding has a place in the file, in the order of the places
 */
import type { Finding } from "../domain/finding.ts";
import type { Rule } from "../domain/rule.ts";
import { isWellFormed } from "../domain/text.ts";
import { utf8Length } from "../domain/utf8.ts";
import { finding } from "./finding-codes.ts";
import type { HeaderMap } from "./header-node.ts";
import { hiddenRuns } from "./hidden-points.ts";
import { mixedWords } from "./mixed-script.ts";
import { LISTED_MAX, Notes, Places, shownName } from "./places.ts";
import { type RuleHeader, type RuleKey, readHeader } from "./read-header.ts";
import { readYaml } from "./read-yaml.ts";
import { bodyRange, splitFile } from "./split-file.ts";

/** UTF-8 bytes that a rule file may have. */
export const RULE_FILE_BYTES_MAX = 1_048_576;

/** One file. `text`: its bytes, decoded strictly as UTF-8, with a byte order mark where it has one. `digest`: their SHA-256. */
export type RuleFile = { readonly name: string; readonly text: string; readonly digest: string };

/** Where the parts of a rule stand, as findings say it: each key that the header has, and the body. */
export type RulePlaces = { readonly [part in RuleKey | "body"]?: string };

export type RuleParse =
  /** `findings` has warnings only. */
  | { readonly ok: true; readonly rule: Rule; readonly places: RulePlaces; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly headerUnreadable: true; readonly findings: readonly Finding[] }
  /** The header is certain, and the body is not fit to be served. */
  | {
      readonly ok: false;
      readonly headerUnreadable: false;
      readonly id: string;
      readonly safety: boolean;
      /** UTF-8 bytes of the text after the header. */
      readonly bytes: number;
      readonly places: RulePlaces;
      readonly findings: readonly Finding[];
    };

export function parseRule({ name, text, digest }: RuleFile): RuleParse {
  if (text.length > RULE_FILE_BYTES_MAX || utf8Length(text) > RULE_FILE_BYTES_MAX) {
    return unreadable(name, "file_too_large", `more than ${RULE_FILE_BYTES_MAX} bytes`);
  }
  if (!isWellFormed(text)) return unreadable(name, "lone_surrogate", "half a surrogate pair, which is no text");
  const places = new Places(name, text);
  const notes = new Notes(places);
  noteName(name, notes);
  noteHidden(text, notes);
  noteMixed(text, notes);
  const split = splitFile(text);
  if (!split.ok) {
    notes.note("unreadable_header", split.at, `${split.message}; mend the file, or exclude it by name`);
    return { ok: false, headerUnreadable: true, findings: notes.findings };
  }
  const { headerFrom, headerTo, bodyFrom } = split;
  const range = bodyRange(text, bodyFrom);
  if (range === null) notes.note("empty_body", text.length, "there is no text after the header");
  // What cannot be seen is not given to a parser: its own marks are control characters.
  const isHidden = notes.errorBefore(bodyFrom);
  const map = isHidden ? null : readYaml(text.slice(headerFrom, headerTo), headerFrom, notes.note);
  const header = map === null ? null : readHeader(map, notes.note);
  if (map === null || header === null || notes.errorBefore(bodyFrom)) {
    return { ok: false, headerUnreadable: true, findings: notes.findings };
  }
  const where = placesOf(map, range?.start ?? text.length, places);
  const { findings } = notes;
  if (range === null || notes.errorBefore(text.length)) {
    const { id, safety } = header;
    const bytes = range === null ? 0 : utf8Length(text.slice(range.start, range.end));
    return { ok: false, headerUnreadable: false, id, safety, bytes, places: where, findings };
  }
  return { ok: true, rule: ruleOf(header, { name, text, digest }, range), places: where, findings };
}

/** For a file that could not even be read as text. `why` in one line. */
export function unreadableFile(name: string, why: string): RuleParse {
  return unreadable(name, "unreadable_file", why);
}

function unreadable(name: string, code: Parameters<typeof finding>[0], why: string): RuleParse {
  // A folder says under this name what is wrong with all of it.
  const message = name === "." ? why : `${why}; mend the file, or exclude it by name`;
  return { ok: false, headerUnreadable: true, findings: [finding(code, `${shownName(name)}:1:1`, message)] };
}

function ruleOf(header: RuleHeader, file: RuleFile, { start, end }: { start: number; end: number }): Rule {
  const body = file.text.slice(start, end);
  const from = utf8Length(file.text.slice(0, start));
  return { ...header, file: file.name, revision: file.digest, body, from, to: from + utf8Length(body) };
}

function placesOf(map: HeaderMap, body: number, places: Places): RulePlaces {
  const keys = map.entries.map(({ key, at }) => [key, places.at(at)]);
  return { ...Object.fromEntries(keys), body: places.at(body) };
}

/** A name is a line of reports, prompts and receipts. */
function noteName(name: string, { note }: Notes): void {
  const [run] = hiddenRuns(name, 1).runs;
  const breaks = name.includes("\n") ? "a line break" : name.includes("\t") ? "a tab" : null;
  if (run !== undefined) note("hidden_code_point", 0, `in the name of the file: ${run.message}`);
  if (breaks !== null) note("hidden_code_point", 0, `in the name of the file: ${breaks}; rename it`);
}

function noteHidden(text: string, { note }: Notes): void {
  const { runs, more } = hiddenRuns(text, LISTED_MAX);
  for (const { at, message } of runs) note("hidden_code_point", at, message);
  const last = runs.at(-1);
  if (more > 0 && last !== undefined) note("hidden_code_point", last.at, `and in ${more} more places after this one`);
}

function noteMixed(text: string, { note }: Notes): void {
  const { words, more } = mixedWords(text, LISTED_MAX);
  for (const { at, word, letter } of words) {
    const point = letter.codePointAt(0) ?? 0;
    const number = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    const shown = word.length > 40 ? `${word.slice(0, 40).toWellFormed()}...` : word;
    note("mixed_script", at, `"${shown}" mixes Latin letters with others that look like them, such as ${number}`);
  }
  const last = words.at(-1);
  if (more > 0 && last !== undefined) note("mixed_script", last.at, `and ${more} more words after this one`);
}
