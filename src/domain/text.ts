/** Text that can always be recorded: a lone surrogate, which no encoder can write, becomes U+FFFD. */
export function wellFormed(text: string): string {
  return isPrintable(text) ? text : text.replace(LONE_SURROGATE, "\ufffd");
}

export function isWellFormed(text: string): boolean {
  return isPrintable(text) || text.search(LONE_SURROGATE) === -1;
}

/** Whether it is all printable ASCII: then a character is a byte, and nothing in it is hidden. Most text is. */
export function isPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

const PRINTABLE = /^[ -~]*$/;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
