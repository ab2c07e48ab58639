/** A line longer than this is not repeated in a message. */
const LINE_MAX = 200;

/** What a glob at the beginning of a value is, braces with commas in them included. */
const UNQUOTED = /(^|[[{,:]\s*)(\*(?:\{[^}\n]*\}|[^,\]}{\s])*)/g;
const COMMA = /,(?![^{]*\})\s*/;

/**
 * The line as it should be, where a value begins with a `*` at this offset and so is an alias to YAML: in quotes, and as a
 * list where commas stand between several. Null where the line is too long to be repeated.
 */
export function quotedLine(header: string, at: number): string | null {
  const from = header.lastIndexOf("\n", at - 1) + 1;
  const end = header.indexOf("\n", at);
  const line = header.slice(from, end === -1 ? header.length : end).trimEnd();
  if (line.length > LINE_MAX) return null;
  const before = line.slice(0, at - from);
  if (/[[{]/.test(before)) return line.replace(UNQUOTED, '$1"$2"').trim();
  const value = line.slice(at - from).replace(/\s+#.*$/, "");
  const texts = value.split(COMMA).filter((text) => text !== "");
  const quoted = texts.map((text) => JSON.stringify(text));
  return `${before}${texts.length === 1 ? quoted.join("") : `[${quoted.join(", ")}]`}`.trim();
}
