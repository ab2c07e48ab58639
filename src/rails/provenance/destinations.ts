import { HIDDEN } from "../../domain/hidden.ts";
import type { Spelling } from "../../domain/provenance.ts";
import { isPrintable } from "../../domain/text.ts";

/** Something inside of a composed text through which what is in it could get out: a link, a host, an address, an account. */
export type Destination = { readonly text: string; readonly as: Spelling };

/**
 * The destinations in a text, in the order of their kinds, each once. What is disguised (hidden characters, percent signs,
 * entities, other forms of a letter or a dot) is looked at without its disguise and named with it, so that it equals nothing
 * but itself. Rather too many than too few: `report.pdf` is a host to some reader.
 */
export function destinationsIn(text: string): readonly Destination[] {
  const found = new Map<string, Destination>();
  const add = (one: string, as: Spelling): void => {
    if (one !== "") found.set(one, { text: one, as });
  };
  const words = text.split(WHITE).map((word) => {
    const parts = word.split(BETWEEN).map((part) => {
      const bare = trimmed(part);
      const kind = kindOf(unmasked(bare));
      if (kind === null) return part;
      add(bare, isPrintable(bare) && !MASKED.test(bare) ? kind : "text");
      return "";
    });
    // A disguise may hide in what was split at, an entity's semicolon for example.
    if (MASKED.test(word) && kindOf(unmasked(word)) !== null) add(trimmed(word), "text");
    return parts.join("");
  });
  const rest = words.join(" ").replace(IBAN, (account) => {
    if (digitsIn(account) < DIGITS_MIN) return account;
    add(account, "text");
    return " ";
  });
  for (const [digits] of rest.matchAll(DIGITS)) {
    if (digitsIn(digits) >= DIGITS_MIN && !ISO_MOMENT.test(digits))
      add(digits, AMOUNT.test(digits) ? "number" : "text");
  }
  return [...found.values()];
}

/** Fewer digits in a row are an amount, a year, a time of day. */
const DIGITS_MIN = 6;

/** White space, without what is hidden: a word does not end at what nobody sees. */
const WHITE = /[\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/;

/** What stands around a link in prose or markup, and seldom in one. */
const BETWEEN = /(["`“”„‘‚«»‹›<>()[\]{}|,;]+)/;

/** Two letters, two digits and groups of four, with or without spaces: ISO 13616. */
const IBAN =
  /(?<![\p{L}\p{N}])\p{L}{2}\p{Nd}{2}(?:[ \u00a0-]?[\p{L}\p{Nd}]{4}){2,7}(?:[ \u00a0-]?[\p{L}\p{Nd}]{1,4})?(?![\p{L}\p{N}])/gu;

/** Digits with what people write between them. */
const DIGITS = /\p{Nd}(?:[ \u00a0./()-]{0,3}\p{Nd})*/gu;
const AMOUNT = /^(?!0\d)\d+(?:\.\d+)?$/;
const ISO_MOMENT = /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])(?: \d{2})?$/;

function digitsIn(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
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

const MASKED = /%[0-9a-f]{2}|&(?:#|[a-z]+;)/i;

/** What a reader that decodes, folds and drops would make of a word. */
function unmasked(word: string): string {
  let text = word;
  for (let times = 0; times < 3 && MASKED.test(text); times++) {
    text = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    text = text.replace(/&#(x[0-9a-f]{1,6}|\d{1,7});?/gi, (_all, code: string) => pointOf(code));
    text = text.replace(
      /&(period|commat|colon|sol|amp);/gi,
      (all, name: string) => ENTITIES.get(name.toLowerCase()) ?? all,
    );
  }
  if (isPrintable(text)) return text;
  return text
    .replace(new RegExp(HIDDEN.source, "gu"), "")
    .normalize("NFKC")
    .replace(/\u3002(?=[A-Za-z0-9])/g, ".");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["period", "."],
  ["commat", "@"],
  ["colon", ":"],
  ["sol", "/"],
  ["amp", "&"],
]);

function pointOf(code: string): string {
  const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

/** A dot in the clear, or one that people write so that no link comes of it, and a programme makes one again. */
const HOST = /[\p{L}\p{N}_-](?:\.|\(dot\)|\[dot\])(?:\p{L}{2}|xn--)/iu;
const LINK = /^(?:\/\/|\\\\|www\.|(?:mailto|tel|sms|data|javascript|file|ftp|https?|hxxps?):)/i;
/** Addresses by number, in any of the forms that a browser takes. */
const ADDRESS =
  /\p{Nd}\.\p{Nd}{1,9}\.\p{Nd}{1,9}\.\p{Nd}|0x[0-9a-f]{2}|^[0-9a-f:]*::[0-9a-f:.]*$|(?:[0-9a-f]{1,4}:){4}/iu;
/** Long codes, the address of a wallet for example: letters and digits without a break. */
const LONG = /[A-Za-z0-9]{24,}/g;

function kindOf(text: string): Spelling | null {
  if (text.length < 3) return null;
  if (LINK.test(text) || text.includes("://")) return "url";
  const at = text.indexOf("@");
  if (at > 0 && at < text.length - 1) return "email";
  if (HOST.test(text) || /^localhost\b/i.test(text)) return "url";
  const coded = (text.match(LONG) ?? []).some((one) => /\d/.test(one));
  return coded || ADDRESS.test(text) ? "text" : null;
}
