/**
 * The one delimiter function: text that is data, not instruction. Every line of it begins with `> `, whatever line breaks
 * it holds, so that no data can end its own block or open another (claim S23).
 */
export const QUOTE = "> ";

export function quoted(text: string): string {
  return QUOTE + text.replace(LINE_BREAKS, `\n${QUOTE}`);
}

/** Every sequence that some reader takes for a line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters that break lines are what is looked for
const LINE_BREAKS = /\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/g;
