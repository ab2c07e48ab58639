/**
 * A scanner for TypeScript text: which parts are code, comments and string literals, and what a file imports.
 *
 * TypeScript 7 has no JS API, and the house's checks need no syntax tree: they need to know that `Date.now` in a comment
 * or in a string is not a call. Its own tests stand in test/house.test.ts.
 */

export type ImportKind = "value" | "type" | "url";

/** One reference from a file to a module: a static or dynamic import, a re-export, or `new URL("./x.ts", import.meta.url)`. */
export type Import = { readonly specifier: string; readonly kind: ImportKind; readonly at: number };

/** A string or template literal: `at` is the index of its opening quote; `${...}` in a template reads as `${}`. */
export type Literal = { readonly at: number; readonly text: string };

export type Source = {
  /** The text with comments, regular expressions and the insides of strings blanked: same length, same line breaks. */
  readonly code: string;
  /** The text with everything but comments blanked: same length, same line breaks. */
  readonly comments: string;
  readonly literals: readonly Literal[];
  readonly imports: readonly Import[];
};

/** Reads one file's text. Never fails: text that is not TypeScript gives something harmless, since the compiler judges it. */
export function readSource(text: string): Source {
  const { code, comments, literals } = scan(text);
  return { code, comments, literals, imports: importsOf(code, literals) };
}

/** The line, from 1, on which the character at `index` stands. */
export function lineOf(text: string, index: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i !== -1 && i < index; i = text.indexOf("\n", i + 1)) line += 1;
  return line;
}

/** What stands for `${...}` in the text of a template literal. */
const HOLE = "$" + "{}";

type Scanned = { readonly code: string; readonly comments: string; readonly literals: readonly Literal[] };

function scan(text: string): Scanned {
  const code: string[] = [];
  const comments: string[] = [];
  const literals: Literal[] = [];
  let i = 0;
  let openTemplates = 0;

  function take(count: number, as: "code" | "comment" | "blank"): void {
    for (const end = Math.min(i + count, text.length); i < end; i++) {
      const unit = text.charAt(i);
      const blank = unit === "\n" || unit === "\r" ? unit : " ";
      code.push(as === "code" ? unit : blank);
      comments.push(as === "comment" ? unit : blank);
    }
  }

  function comment(): void {
    const block = text.startsWith("/*", i);
    const end = text.indexOf(block ? "*/" : "\n", i + 2);
    take((end === -1 ? text.length : end + (block ? 2 : 0)) - i, "comment");
  }

  // A string that is not closed ends with its line, so that text which is no string (JSX) cannot hide a whole file.
  function string(quote: string): void {
    const at = i;
    take(1, "code");
    let end = i;
    while (end < text.length && text[end] !== quote && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
    literals.push({ at, text: unescaped(text.slice(i, end)) });
    take(end - i, "blank");
    if (text[i] === quote) take(1, "code");
  }

  function template(): void {
    const at = i;
    const parts: string[] = [];
    openTemplates += 1;
    take(1, "code");
    while (i < text.length && text[i] !== "`") {
      let end = i;
      while (end < text.length && text[end] !== "`" && !text.startsWith("${", end)) end += text[end] === "\\" ? 2 : 1;
      parts.push(unescaped(text.slice(i, end)));
      take(end - i, "blank");
      if (!text.startsWith("${", i)) break;
      parts.push(HOLE);
      take(2, "code");
      statements();
      take(1, "code");
    }
    literals.push({ at, text: parts.join("") });
    take(1, "code");
    openTemplates -= 1;
  }

  function pattern(): void {
    let end = i + 1;
    for (let inClass = false; end < text.length && text[end] !== "\n"; end++) {
      if (text[end] === "\\") end += 1;
      else if (text[end] === "[") inClass = true;
      else if (text[end] === "]") inClass = false;
      else if (text[end] === "/" && !inClass) break;
    }
    for (end += 1; /[a-z]/.test(text.charAt(end)); ) end += 1;
    take(end - i, "blank");
  }

  // Reads code up to the end of the text, or up to the brace that closes a template's `${`.
  function statements(): void {
    for (let depth = 0; i < text.length; ) {
      const unit = text.charAt(i);
      if (unit === "}" && depth === 0 && openTemplates > 0) return;
      if (text.startsWith("//", i) || text.startsWith("/*", i)) comment();
      else if (unit === '"' || unit === "'") string(unit);
      else if (unit === "`") template();
      else if (unit === "/" && opensPattern(code)) pattern();
      else {
        if (unit === "{") depth += 1;
        if (unit === "}") depth -= 1;
        take(1, "code");
      }
    }
  }

  statements();
  literals.sort((a, b) => a.at - b.at);
  return { code: code.join(""), comments: comments.join(""), literals };
}

const BEFORE_PATTERN =
  /(?:^|[=([{},;:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|delete|void|throw|do|else|await|yield))$/;

/** Whether a slash after this code opens a regular expression rather than dividing. */
function opensPattern(code: readonly string[]): boolean {
  let end = code.length;
  while (end > 0 && (code[end - 1] ?? "").trim() === "") end -= 1;
  return BEFORE_PATTERN.test(code.slice(Math.max(0, end - 12), end).join(""));
}

function unescaped(raw: string): string {
  return raw.replace(/\\(["'`\\$])/g, "$1");
}

const IMPORT_FORMS: readonly { readonly form: RegExp; readonly kind: (match: RegExpMatchArray) => ImportKind }[] = [
  {
    form: /\bimport\s*(?<type>type\b\s*)?(?:[\w$]+\s*,?\s*)?(?:\{[^{}]*\}|\*\s*as\s+[\w$]+)?\s*\bfrom\s*["']/g,
    kind: (match) => (match.groups?.type === undefined ? "value" : "type"),
  },
  {
    form: /\bexport\s*(?<type>type\b\s*)?(?:\{[^{}]*\}|\*(?:\s*as\s+[\w$]+)?)\s*from\s*["']/g,
    kind: (match) => (match.groups?.type === undefined ? "value" : "type"),
  },
  { form: /\bimport\s*["']/g, kind: () => "value" },
  {
    form: /(?<type>\btypeof\s+)?\bimport\s*\(\s*["'`]/g,
    kind: (match) => (match.groups?.type === undefined ? "value" : "type"),
  },
  { form: /\bnew\s+URL\s*\(\s*["'`]/g, kind: () => "url" },
  { form: /\bimport\.meta\.resolve\s*\(\s*["'`]/g, kind: () => "url" },
];

function importsOf(code: string, literals: readonly Literal[]): readonly Import[] {
  const byPlace = new Map(literals.map((literal) => [literal.at, literal.text]));
  const found: Import[] = [];
  for (const { form, kind } of IMPORT_FORMS) {
    for (const match of code.matchAll(form)) {
      const at = match.index + match[0].length - 1;
      const specifier = byPlace.get(at);
      if (specifier === undefined) continue;
      const kindHere = kind(match);
      if (kindHere === "url" && !specifier.startsWith(".")) continue;
      found.push({ specifier, kind: kindHere, at });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
