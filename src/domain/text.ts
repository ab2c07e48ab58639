/** Text that can always be recorded: a lone surrogate, which no encoder can write, becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\ufffd");
}

export function isWellFormed(text: string): boolean {
  return text.search(LONE_SURROGATE) === -1;
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
