/** Text that can always be recorded: a lone surrogate, which no encoder can write, becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Whether it is all printable ASCII: then a character is a byte, and nothing in it is hidden. Most text is. */
export function isPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

const PRINTABLE = /^[ -~]*$/;
