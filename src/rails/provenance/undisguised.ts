import { HIDDEN } from "../../domain/hidden.ts";
import { isPrintable } from "../../domain/text.ts";

/** Whether something in a text is written for a decoder: percent signs, entities, escapes, quoted-printable. */
export const MASKED =
  /%[0-9a-f]{2}|&(?:#x[0-9a-f]|#\d|[a-z][a-z0-9]*;)|\\(?:u[0-9a-f]{4}|u\{[0-9a-f]|x[0-9a-f]{2})|=(?:2E|2F|3A|3D|40)/i;

/**
 * What a reader that decodes, folds and drops would make of a text: a browser, a mail programme, a person. Masks are decoded
 * and tags dropped, then what nobody sees and marks on letters; other forms of letters, digits, dots and dashes become plain
 * ones, and `[.]` is a dot again. Only what is looked for in it is right: nobody is shown it. Time is linear in the text.
 */
export function undisguised(text: string): string {
  let plain = text.replace(SPACES, " ");
  for (let times = 0; times < DECODED_MAX && MASKED.test(plain); times++) plain = decoded(plain);
  plain = plain.replace(TAGS, "");
  if (!isPrintable(plain)) plain = folded(plain);
  return plain.replace(SPACES, " ").replace(SPELT_SIGN, (_all, sign: string) => SIGNS.get(sign.toLowerCase()) ?? ".");
}

/** A text that was masked more often is not one that a reader gets to the bottom of. */
const DECODED_MAX = 8;

/** White space, without what is hidden: a word does not end at what nobody sees. */
export const SPACES = /[\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;

/** Markup, but for an address in angle brackets. */
const TAGS = /<(?![a-z][a-z0-9+.-]*:|[^<>@ ]*@)[^<>]*>/gi;

/** A sign in brackets, or its name in them, as people write it so that no link comes of it. */
const SPELT_SIGN = / ?[([{<] ?(dot|d0t|punkt|punto|point|at|\.|@|:|\/|:\/\/) ?[)\]}>] ?/gi;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["at", "@"],
  ["@", "@"],
  [":", ":"],
  ["/", "/"],
  ["://", "://"],
]);

function decoded(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, percentDecoded)
    .replace(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi, (_all, hex?: string, digits?: string) =>
      pointOf(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
    )
    .replace(/&([a-z][a-z0-9]*);/gi, (_all, name: string) => ENTITIES.get(name.toLowerCase()) ?? "")
    .replace(/\\(?:u\{0*([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_all, ...hex: (string | undefined)[]) =>
      pointOf(Number.parseInt(hex.slice(0, 3).find((one) => one !== undefined) ?? "", 16)),
    )
    .replace(/=(2E|2F|3A|3D|40)/gi, (_all, hex: string) => pointOf(Number.parseInt(hex, 16)));
}

/** A space that was encoded does not end a link. */
function percentDecoded(run: string): string {
  try {
    return decodeURIComponent(run).replace(SPACES, "");
  } catch {
    // A URIError says that it is no UTF-8: then each byte is a character.
    return run.replace(/%(..)/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/** Of the others, most are hidden or a letter that makes no destination; each is dropped. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["period", "."],
  ["dot", "."],
  ["middot", "."],
  ["centerdot", "."],
  ["commat", "@"],
  ["colon", ":"],
  ["sol", "/"],
  ["bsol", "\\"],
  ["percnt", "%"],
  ["equals", "="],
  ["hyphen", "-"],
  ["dash", "-"],
  ["ndash", "-"],
  ["mdash", "-"],
  ["lowbar", "_"],
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["lpar", "("],
  ["rpar", ")"],
  ["lsqb", "["],
  ["rsqb", "]"],
  ["comma", ","],
  ["semi", ";"],
  ["nbsp", " "],
  ["ensp", " "],
  ["emsp", " "],
  ["thinsp", " "],
  ["tab", " "],
  ["newline", " "],
]);

function pointOf(point: number): string {
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

function folded(text: string): string {
  return text
    .replace(UNSEEN, "")
    .normalize("NFKC")
    .replace(/\p{M}/gu, "")
    .replace(/[\p{Pd}\u2212\u2043]/gu, "-")
    .replace(/l\u00b7l/gi, "ll")
    .replace(DOTS, ".")
    .replace(/[\u2215\u2044\u29f8\u2571]/g, "/")
    .replace(/[\ua789\u02d0\u2236]/g, ":")
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, letterOf)
    .replace(/\p{No}/gu, digitOf);
}

/** What Unicode says is not shown by default, what our own list hides, and controls. */
const UNSEEN = new RegExp(`\\p{Default_Ignorable_Code_Point}|[\\u0000-\\u0008\\u000e-\\u001f]|${HIDDEN.source}`, "gu");

/** Full stops of other scripts and dots in the middle, beside a letter or digit of ours: alone they end their own sentences. */
const DOTS =
  /(?<=[A-Za-z0-9])[\u3002\u00b7\u2022\u2027\u2219\u22c5\u30fb\u2e31\ua4f8\u0701\u0702\u06d4\u066b]|[\u3002\u00b7\u2022\u2027\u2219\u22c5\u30fb\u2e31\ua4f8\u0701\u0702\u06d4\u066b](?=[A-Za-z0-9])/g;

/** White letters in black circles and squares, and the letters of flags. NFKC leaves these. */
function letterOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const first = point < 0x1f170 ? 0x1f150 : point < 0x1f1e6 ? 0x1f170 : 0x1f1e6;
  return String.fromCharCode(0x41 + point - first);
}

/** Digits in circles that NFKC leaves: which one it is does not matter, since what is disguised equals only itself. */
function digitOf(): string {
  return "0";
}
