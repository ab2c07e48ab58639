/** Letters that one token holds at the very most; no vocabulary in use has a longer word. */
const LETTERS_MAX = 32;
/** Digits and signs that one token holds at most. */
const OTHERS_MAX = 16;

/**
 * Tokens that a text has at the very least, whatever the tokeniser: no token holds letters from both sides of a character
 * that is none, and none is longer than the longest that vocabularies have. A server that counts fewer did not read it all.
 * White space counts for nothing: some vocabularies have tokens of dozens of blanks.
 */
export function tokensAtLeast(text: string): number {
  let tokens = 0;
  let letters = 0;
  let others = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isLetter(unit)) {
      letters += 1;
      others = 0;
      if (letters % LETTERS_MAX === 1) tokens += 1;
    } else if (unit >= 0x30 && unit <= 0x39) {
      letters = 0;
      others += 1;
      if (others % OTHERS_MAX === 1) tokens += 1;
    } else {
      letters = 0;
      others = 0;
    }
  }
  return tokens;
}

/** ASCII letters, and everything beyond ASCII, which may or may not be one. */
function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit >= 0x80;
}
