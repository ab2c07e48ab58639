/**
 * Reads a header as YAML 1.2 (core schema), and of YAML only what says one thing: no anchors, aliases, tags, merge keys,
 * directives or second documents, no key twice, no nesting that a header has no use for.
 *
 * The package's parser gives a flat stack of tokens first. What is refused is refused there, before values are composed, which
 * the package does by recursion.
 */
import { Composer, type CST, isMap, isScalar, isSeq, Parser } from "yaml";
import { quoted } from "../domain/json-limits.ts";
import { isWellFormed } from "../domain/text.ts";
import type { HeaderEntry, HeaderMap, HeaderNode } from "./header-node.ts";
import { hiddenRuns } from "./hidden-points.ts";
import { LISTED_MAX, type Note } from "./places.ts";
import { quotedLine } from "./quoted-line.ts";

/** Mappings and lists inside one another: `task: {any: [...]}` has three. */
export const HEADER_DEPTH_MAX = 4;

/** Faults of the syntax that are listed: what follows the first is often its consequence. */
const SYNTAX_MAX = 3;
/** Characters of the package's own words about a fault that a message repeats. */
const WORDS_MAX = 160;

/** The header's mapping, or null where something was noted. `from`: where the header begins in the file. */
export function readYaml(header: string, from: number, note: Note): HeaderMap | null {
  const tokens = [...new Parser().parse(header)];
  if (!isPlain(tokens, header, from, note)) return null;
  const [document, second] = new Composer({
    schema: "core",
    stringKeys: true,
    merge: false,
    resolveKnownTags: false,
    // Ours is linear, and knows the place of the second key.
    uniqueKeys: false,
  }).compose(tokens, true, header.length);
  const faults = document === undefined ? [] : [...document.errors, ...document.warnings];
  for (const fault of faults.slice(0, SYNTAX_MAX)) {
    note("unreadable_header", from + Math.min(fault.pos[0], header.length), inOurWords(fault.code, fault.message));
  }
  if (faults.length > 0) return null;
  if (second !== undefined) {
    note("forbidden_yaml", from + (second.range?.[0] ?? 0), "a second YAML document: a rule has one header");
    return null;
  }
  const root = document?.contents ?? null;
  if (!isMap(root)) {
    const at = root?.range?.[0] ?? 0;
    note("unreadable_header", from + at, "the header has to be a mapping of keys to values, such as `id: lock-screen`");
    return null;
  }
  const reader = new NodeReader(from, note);
  const node = reader.read(root, from);
  return reader.sound && node.kind === "map" ? node : null;
}

/** Looks at every token without recursion: whether it is all YAML that says one thing, and shallow. */
function isPlain(tokens: readonly CST.Token[], header: string, from: number, note: Note): boolean {
  let count = 0;
  const refuse = (token: CST.Token, what: string): void => {
    count += 1;
    if (count > LISTED_MAX) return;
    const mended = token.type === "alias" ? quotedLine(header, token.offset) : null;
    const says = mended === null ? "write out what is meant" : `a text that begins with \`*\` needs quotes: ${mended}`;
    note("forbidden_yaml", from + token.offset, `${what}: ${says}`);
  };
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  open.reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    const what = FORBIDDEN[token.type];
    if (what !== undefined) refuse(token, what);
    const isCollection = "items" in token;
    if (isCollection && depth >= HEADER_DEPTH_MAX) {
      const message = `more than ${HEADER_DEPTH_MAX} mappings and lists inside one another`;
      note("unreadable_header", from + token.offset, message);
      return false;
    }
    const parts = partsOf(token);
    for (let i = parts.length - 1; i >= 0; i--) {
      const part = parts[i];
      if (part !== undefined) open.push({ token: part, depth: depth + (isCollection ? 1 : 0) });
    }
  }
  return count === 0;
}

const FORBIDDEN: Readonly<Partial<Record<CST.Token["type"], string>>> = {
  anchor: "an anchor (`&`)",
  alias: "an alias (`*`)",
  tag: "a tag (`!`)",
  directive: "a YAML directive (`%`)",
  "doc-start": "a second YAML document",
  "doc-end": "the end of a YAML document (`...`)",
};

/** The tokens inside a token, in their order. */
function partsOf(token: CST.Token): readonly CST.Token[] {
  if ("items" in token) {
    const parts = token.items.flatMap((item) => [...item.start, item.key, ...(item.sep ?? []), item.value]);
    return [...parts, ...("end" in token ? token.end : [])].filter((part) => part !== undefined && part !== null);
  }
  if (token.type === "document") {
    return [...token.start, token.value, ...(token.end ?? [])].filter((part) => part !== undefined);
  }
  if (token.type === "block-scalar") return token.props;
  return "end" in token && token.end !== undefined ? token.end : [];
}

/** Turns the package's nodes into ours. Recursion is as deep as HEADER_DEPTH_MAX. */
class NodeReader {
  readonly #from: number;
  readonly #note: Note;
  sound = true;

  constructor(from: number, note: Note) {
    this.#from = from;
    this.#note = note;
  }

  /** `otherwise`: the place of what has none of its own, an empty value. */
  read(node: unknown, otherwise: number): HeaderNode {
    if (isMap(node)) {
      const at = this.#at(node.range, otherwise);
      return { kind: "map", at, entries: this.#entries(node.items, at) };
    }
    if (isSeq(node)) {
      const at = this.#at(node.range, otherwise);
      return { kind: "list", at, items: node.items.map((item) => this.read(item, at)) };
    }
    const value = isScalar(node) ? node.value : null;
    const isEmpty = isScalar(node) && node.type === "PLAIN" && node.source === "";
    const at = isScalar(node) && !isEmpty ? this.#at(node.range, otherwise) : otherwise;
    if (typeof value === "string") this.#check(value, at);
    if (typeof value === "string" || typeof value === "boolean") return { kind: "scalar", at, value };
    if (typeof value !== "number") return { kind: "scalar", at, value: null };
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      this.#refuse("bad_value", at, "a number that is not carried exactly: write it in quotes");
    }
    return { kind: "scalar", at, value: value + 0 };
  }

  #entries(items: readonly { readonly key: unknown; readonly value: unknown }[], around: number): HeaderEntry[] {
    const seen = new Set<string>();
    return items.map(({ key, value }) => {
      const node = this.read(key, isScalar(key) ? this.#at(key.range, around) : around);
      const name = node.kind === "scalar" && typeof node.value === "string" ? node.value : "";
      if (seen.has(name)) this.#refuse("duplicate_key", node.at, `the key ${quoted(name)} is there twice`);
      seen.add(name);
      if (name === "<<") this.#refuse("forbidden_yaml", node.at, "a merge key (`<<`): write out what is meant");
      return { key: name, at: node.at, value: this.read(value, node.at) };
    });
  }

  /** An escape in double quotes can hide what no character of the file shows. */
  #check(value: string, at: number): void {
    const [run] = hiddenRuns(value, 1).runs;
    if (run !== undefined) this.#refuse("hidden_code_point", at, `by an escape: ${run.message}`);
    if (!isWellFormed(value)) this.#refuse("bad_value", at, "half a surrogate pair, which is no text");
  }

  #refuse(code: Parameters<Note>[0], at: number, message: string): void {
    this.sound = false;
    this.#note(code, at, message);
  }

  #at(range: readonly number[] | null | undefined, otherwise: number): number {
    const start = range?.[0];
    return start === undefined ? otherwise : this.#from + start;
  }
}

/** A fault of the syntax, with what usually mends it. */
function inOurWords(code: string, message: string): string {
  const [said = ""] = message.split("\n", 1);
  const words = said.length > WORDS_MAX ? `${said.slice(0, WORDS_MAX)}...` : said;
  const mends = code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY" || code === "BAD_SCALAR_START";
  return `not YAML: ${words.toWellFormed()}${mends ? "; a text with `: ` or a special first character needs quotes" : ""}`;
}
