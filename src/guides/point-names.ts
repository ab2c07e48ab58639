/** The names that Unicode gives to points which cannot be seen, as far as somebody meets them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, "NULL"],
  [0x08, "BACKSPACE"],
  [0x0b, "LINE TABULATION"],
  [0x0c, "FORM FEED"],
  [0x0d, "CARRIAGE RETURN"],
  [0x1b, "ESCAPE"],
  [0x7f, "DELETE"],
  [0x85, "NEXT LINE"],
  [0xad, "SOFT HYPHEN"],
  [0x34f, "COMBINING GRAPHEME JOINER"],
  [0x61c, "ARABIC LETTER MARK"],
  [0x115f, "HANGUL CHOSEONG FILLER"],
  [0x1160, "HANGUL JUNGSEONG FILLER"],
  [0x180e, "MONGOLIAN VOWEL SEPARATOR"],
  [0x200b, "ZERO WIDTH SPACE"],
  [0x200c, "ZERO WIDTH NON-JOINER"],
  [0x200d, "ZERO WIDTH JOINER"],
  [0x200e, "LEFT-TO-RIGHT MARK"],
  [0x200f, "RIGHT-TO-LEFT MARK"],
  [0x2028, "LINE SEPARATOR"],
  [0x2029, "PARAGRAPH SEPARATOR"],
  [0x202a, "LEFT-TO-RIGHT EMBEDDING"],
  [0x202b, "RIGHT-TO-LEFT EMBEDDING"],
  [0x202c, "POP DIRECTIONAL FORMATTING"],
  [0x202d, "LEFT-TO-RIGHT OVERRIDE"],
  [0x202e, "RIGHT-TO-LEFT OVERRIDE"],
  [0x2060, "WORD JOINER"],
  [0x2061, "FUNCTION APPLICATION"],
  [0x2062, "INVISIBLE TIMES"],
  [0x2063, "INVISIBLE SEPARATOR"],
  [0x2064, "INVISIBLE PLUS"],
  [0x2066, "LEFT-TO-RIGHT ISOLATE"],
  [0x2067, "RIGHT-TO-LEFT ISOLATE"],
  [0x2068, "FIRST STRONG ISOLATE"],
  [0x2069, "POP DIRECTIONAL ISOLATE"],
  [0x2800, "BRAILLE PATTERN BLANK"],
  [0x3164, "HANGUL FILLER"],
  [0xfeff, "BYTE ORDER MARK"],
  [0xffa0, "HALFWIDTH HANGUL FILLER"],
  [0xfff9, "INTERLINEAR ANNOTATION ANCHOR"],
  [0xfffa, "INTERLINEAR ANNOTATION SEPARATOR"],
  [0xfffb, "INTERLINEAR ANNOTATION TERMINATOR"],
  [0x1d159, "MUSICAL SYMBOL NULL NOTEHEAD"],
  [0xe0001, "LANGUAGE TAG"],
  [0xe0020, "TAG SPACE"],
  [0xe007f, "CANCEL TAG"],
]);

/** A point by its number and name, such as `U+00AD SOFT HYPHEN`; by its number alone where it has no name here. */
export function nameOfPoint(point: number): string {
  const number = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = NAMES.get(point) ?? rangeName(point);
  return name === null ? number : `${number} ${name}`;
}

function rangeName(point: number): string | null {
  if (point < 0x20 || (point >= 0x80 && point < 0xa0)) return "CONTROL";
  if (point >= 0x13430 && point <= 0x1343f) return "EGYPTIAN HIEROGLYPH FORMAT CONTROL";
  if (point >= 0xfe00 && point <= 0xfe0f) return `VARIATION SELECTOR-${point - 0xfe00 + 1}`;
  if (point >= 0xe0100 && point <= 0xe01ef) return `VARIATION SELECTOR-${point - 0xe0100 + 17}`;
  if (point < 0xe0020 || point > 0xe007e) return null;
  const character = String.fromCharCode(point - 0xe0000);
  if (/[A-Z]/.test(character)) return `TAG LATIN CAPITAL LETTER ${character}`;
  if (/[a-z]/.test(character)) return `TAG LATIN SMALL LETTER ${character.toUpperCase()}`;
  return `TAG "${character}"`;
}
