import type { Spelling } from "../../domain/provenance.ts";
import { isPrintable } from "../../domain/text.ts";
import { MASKED, SPACES, undisguised } from "./undisguised.ts";

/** Something inside of a composed text through which what is in it could get out: a link, a host, an address, an account. */
export type Destination = { readonly text: string; readonly as: Spelling };

/**
 * The destinations in a text, in the order of their kinds, each once: whatever could be read as one. What is disguised is
 * looked at without its disguise as well and named with it, so that it equals nothing but itself. Rather too many than too
 * few: `report.pdf` is a host to some reader. Time is linear in the text.
 */
export function destinationsIn(text: string): readonly Destination[] {
  const found = new Map<string, Destination>();
  const known = new Set<string>();
  scan(text, (one, as) => {
    if (one === "") return;
    found.set(one, { text: one, as });
    known.add(undisguised(one));
  });
  const reading = undisguised(text);
  if (reading === text) return [...found.values()];
  // What only the whole text hides, such as a tag with spaces in it, has no writing of its own.
  scan(reading, (one) => {
    if (one !== "" && !known.has(one) && !known.has(undisguised(one)) && !found.has(one)) {
      found.set(one, { text: one, as: "text" });
    }
  });
  return [...found.values()];
}

function scan(text: string, add: (one: string, as: Spelling) => void): void {
  const words = text.split(SPACES).map((word) => restOf(word, add));
  const rest = words.join(" ");
  for (const [spelt] of rest.matchAll(SPELT)) add(spelt, "text");
  const left = rest.replace(IBAN, (account) => {
    if (digitsIn(account) < DIGITS_MIN) return account;
    add(account, "text");
    return " ";
  });
  for (const [digits] of left.matchAll(DIGITS)) {
    if (digitsIn(digits) < DIGITS_MIN || isMoment(digits) || SMALL_AMOUNT.test(digits)) continue;
    add(digits, AMOUNT.test(digits) ? "number" : "text");
  }
}

/** Adds the destinations in a word, and returns what else there is in it. */
function restOf(word: string, add: (one: string, as: Spelling) => void): string {
  let rest = "";
  let run = "";
  const endRun = (): void => {
    const shown = undisguised(run);
    // What stands between its letters may vanish where it is shown.
    const joined = shown.replace(BETWEEN_LETTERS, "");
    if ((shown !== run && kindOf(shown) !== null) || (joined !== run && kindOf(joined) !== null))
      add(trimmed(run), "text");
    rest += run;
    run = "";
  };
  for (const part of word.split(BETWEEN)) {
    const bare = trimmed(part);
    const kind = kindOf(undisguised(bare));
    if (kind === null) run += part;
    else {
      endRun();
      rest += " ";
      add(bare, isPrintable(bare) && !MASKED.test(bare) ? kind : "text");
    }
  }
  endRun();
  return rest;
}

/** Fewer digits in a row are an amount, a year, a time of day. */
const DIGITS_MIN = 6;

/** What stands around a link in prose or markup, and seldom in one. */
const BETWEEN = /(["`“”„‘‚«»‹›<>()[\]{}|,;]+)/;

/** What a link or a host has no use for. */
const BETWEEN_LETTERS = /[^\p{L}\p{N}.@/-]/gu;

/** A host in words, `evil dot com`, or with its signs in brackets. */
const SPELT =
  /(?<![\p{L}\p{N}._@-])[\p{L}\p{N}._@-]+(?:(?: dot | ?[([{<] ?(?:dot|d0t|punkt|punto|point|at|\.|@) ?[)\]}>] ?)[\p{L}\p{N}._@-]+)+/giu;

/** ISO 13616: two letters, two digits, and groups of four with or without something between them, of which only the first may be letters alone. */
const IBAN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\p{L}{2}\p{Nd}{2}SEP[\p{L}\p{Nd}]{4}(?:SEP(?=\p{L}{0,3}\p{Nd})[\p{L}\p{Nd}]{4}){1,6}(?:SEP(?=\p{L}{0,3}\p{Nd})[\p{L}\p{Nd}]{1,4})?(?![\p{L}\p{N}])`.replaceAll(
    "SEP",
    String.raw`[\s\p{Pd}\u2212\u2043_'’·.,:/]{0,3}`,
  ),
  "gu",
);

/** Digits of any kind, with what people write between them. */
const DIGITS = /\p{N}(?:[\s\p{Pd}\u2212\u2043_'’·.,:/()*~]{0,5}\p{N})*/gu;
const AMOUNT = /^(?!0\d)(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
/** Fewer than six digits, and cents. */
const SMALL_AMOUNT = /^\d{1,2}[,'’]\d{3}(?:\.\d{2})?$/;

const PIECE =
  /(?:^|[ ,(]{1,3}| ?[\p{Pd}] ?)(?:(\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01]))|((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)|((?:19|20)\d{2})|(\d{1,2}))(?=$|[ ,(\p{Pd}])/uy;
/** Days, times of day, years and days of a month that a moment or a span of time is written with. */
const PIECES_MAX: readonly number[] = [2, 2, 1, 1];

/** Whether digits are no more than a day, a time of day, or from one to another: `2026-05-01, 10:30-11:30`. */
function isMoment(digits: string): boolean {
  const left = [...PIECES_MAX];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < digits.length) {
    const kind =
      PIECE.exec(digits)
        ?.slice(1)
        .findIndex((one) => one !== undefined) ?? -1;
    if (kind === -1) return false;
    left[kind] = (left[kind] ?? 0) - 1;
    if ((left[kind] ?? -1) < 0) return false;
  }
  return true;
}

function digitsIn(text: string): number {
  return text.match(/\p{N}/gu)?.length ?? 0;
}

/** A part without the marks around it, the end of its sentence and `mailto:`. */
function trimmed(part: string): string {
  let from = 0;
  let to = part.length;
  while (from < to && MARKS.includes(part[from] ?? "")) from += 1;
  if (/^mailto:/i.test(part.slice(from, from + 7))) from += 7;
  while (to > from && (MARKS.includes(part[to - 1] ?? "") || ENDS.includes(part[to - 1] ?? ""))) to -= 1;
  return part.slice(from, to);
}

const MARKS = "'’*_~=";
const ENDS = ".!?:…";

const HOST = /[\p{L}\p{N}_-]\.(?:\p{L}{2}|xn--)|^\.\p{L}{2}/iu;
/** Slashes that begin a host, and schemes that need none. */
const LINK =
  /(?:^|[^\p{L}\p{N}])(?:\/\/[^/]|\\\\[^\\]|www\.|(?:mailto|tel|sms|data|javascript|vbscript|file|blob|ftps?|sftp|https?|hxxps?|wss?|ssh|git|ircs?|xmpp|sips?|callto|skype|slack|whatsapp|tg|facetime|webcal|magnet|bitcoin|ethereum|lightning|ldaps?|smb|gopher|rtsp):)/iu;
/** Addresses by number, in any of the forms that a browser takes. */
const ADDRESS = /\p{Nd}\.\p{Nd}{1,9}\.\p{Nd}{1,9}\.\p{Nd}|0x[0-9a-f]{2}|(?:[0-9a-f]{1,4}:){4}/iu;
const HEXES = /^[0-9a-f:.]*$/i;
/** Long codes, the address of a wallet for example: letters and digits without a break, or with dashes between them. */
const LONG = /[A-Za-z0-9]{24,}/g;
const DASHES = /[\p{Pd}\u2212\u2043_]/gu;

function kindOf(text: string): Spelling | null {
  if (text.length < 3) return null;
  if (MASKED.test(text)) return "text";
  if (LINK.test(text) || text.includes("://")) return "url";
  const at = text.indexOf("@");
  if (at > 0 && at < text.length - 1) return "email";
  if (HOST.test(text) || /^localhost\b/i.test(text)) return "url";
  if ((HEXES.test(text) && text.includes("::")) || ADDRESS.test(text)) return "text";
  return isLong(text, 1) || isLong(text.replace(DASHES, ""), 4) ? "text" : null;
}

function isLong(text: string, digits: number): boolean {
  return (text.match(LONG) ?? []).some((one) => digitsIn(one) >= digits);
}
