/**
 * The values of a foreign header. Each tool reads them in its own way and none as YAML says, so each is read for what its key
 * is for: a text, a list of globs, or a yes or no.
 */

/** A comma separates two globs only outside braces and quotes: `*.{js,ts}, "a,b"` are two. */
export function splitList(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  /** Nothing but white space since the item began. Held, and not looked for again at each quote. */
  let isBare = true;
  for (let at = 0; at < text.length; at++) {
    const mark = text.charAt(at);
    const wasBare = isBare;
    isBare &&= mark.trim() === "";
    if (quote !== "") {
      if (mark === quote) quote = "";
    } else if ((mark === '"' || mark === "'") && wasBare) quote = mark;
    else if (mark === "{") depth += 1;
    else if (mark === "}") depth = Math.max(0, depth - 1);
    else if (mark === "," && depth === 0) {
      items.push(text.slice(start, at));
      start = at + 1;
      isBare = true;
    }
  }
  // A quote that nothing closes is a slip of the hand.
  if (quote !== "") return splitList(text.replaceAll(quote, ""));
  items.push(text.slice(start));
  return items.map((item) => unquoted(item.trim()).trim()).filter((item) => item !== "");
}

/** The items of a list in any of its forms: `a, b`, `"a, b"`, `[a, "b"]`; the lines of a block list come one by one. */
export function readList(value: string): readonly string[] {
  const bare = withoutComment(value).trim();
  const inner = bare.startsWith("[") && bare.endsWith("]") ? bare.slice(1, -1) : bare;
  // Quotes around everything are those of a text that is itself a list.
  return splitList(inner).flatMap((item) => (item.includes(",") ? splitList(item) : [item]).flatMap(splitBlanks));
}

/** Some part globs by blanks. A path may have blanks of its own, so every part has to be a glob. */
function splitBlanks(item: string): readonly string[] {
  const parts = item.split(/\s+/);
  return parts.every((part) => part.includes("*")) ? parts : [item];
}

/** `true` and `false` in the ways that people write them; null for anything else. */
export function readTruth(value: string): boolean | null {
  const word = unquoted(withoutComment(value).trim()).trim().toLowerCase();
  if (word === "true" || word === "yes" || word === "on") return true;
  return word === "false" || word === "no" || word === "off" ? false : null;
}

/** Without the quotes around all of it. What is not one quoted text stays as it is. */
export function unquoted(text: string): string {
  const quote = text.charAt(0);
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  if (quote === "'") return isOne(inner.replaceAll("''", ""), "'") ? inner.replaceAll("''", "'") : text;
  if (!isOne(inner.replace(/\\./gs, ""), '"')) return text;
  return inner.includes("\\") ? inner.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, unescaped) : inner;
}

function isOne(inner: string, quote: string): boolean {
  return !inner.includes(quote);
}

function unescaped(_all: string, code: string): string {
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  if (code === "n") return "\n";
  return code === "t" ? "\t" : code;
}

/** A comment begins at a `#` that follows white space, outside quotes. Globs and truth values only: a text may well say `#12`. */
function withoutComment(value: string): string {
  const first = value.trimStart().charAt(0);
  const from = first === '"' || first === "'" ? value.lastIndexOf(first) : 0;
  const at = value.slice(from).search(/(?:^|\s)#/);
  return at === -1 ? value : value.slice(0, from + at);
}
