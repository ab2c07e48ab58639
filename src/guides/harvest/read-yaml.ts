/**
 * Reads a YAML document (1.2, core schema) of somebody else's to plain JSON. The package composes by recursion, looks for equal
 * keys in quadratic time, and copies what an alias stands for as often as it is named. So depth is looked at before, on its flat
 * stack of tokens, and values are made here, in linear time and within a bound.
 */
import { Composer, type CST, isAlias, isCollection, isMap, isScalar, isSeq, Lexer, Parser } from "yaml";
import type { Json } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, parsed, unparsed, type Why } from "../../domain/parsed.ts";

/** Values that aliases may add to a document. */
const ALIASED_MAX = 100_000;
/** What the package makes of one of them takes about a kilobyte, whatever it weighs in the text. */
const LEXEMES_MAX = 1_000_000;
const WORDS_MAX = 160;

export type YamlOptions = {
  /** Whether `&` and `*` may be used. */
  readonly aliases: boolean;
  /** Whether every scalar is the text that it is written as: `1.0` and `no` are what a screen says, not values. */
  readonly texts: boolean;
};

export function readYaml(text: string, { aliases, texts }: YamlOptions, { depthMax }: MapLimits): Parsed<Json> {
  const tokens = tokensOf(text);
  if (tokens === null) return unparsed("too_large", `more than ${LEXEMES_MAX} words and marks of YAML`);
  const refused = faultOf(tokens, aliases, depthMax);
  if (refused !== null) return refused;
  const schema = texts ? "failsafe" : "core";
  const options = { schema, version: "1.2", merge: false, resolveKnownTags: false, uniqueKeys: false } as const;
  const [document, second] = new Composer(options).compose(tokens, true, text.length);
  const [fault] = document?.errors ?? [];
  if (fault !== undefined) {
    const at = fault.linePos?.[0].line;
    const [said = ""] = fault.message.split("\n", 1);
    return unparsed("not_yaml", `${at === undefined ? "" : `line ${at}: `}${said.slice(0, WORDS_MAX).toWellFormed()}`);
  }
  if (document === undefined) return unparsed("not_yaml", "there is nothing in it");
  if (second !== undefined) return unparsed("not_yaml", "there is a second document in it");
  const values = new Values(depthMax);
  const value = values.of(document.contents, 0);
  return values.why === null ? parsed(value) : { ok: false, why: values.why };
}

/** The package's tokens; null where they are too many. */
function tokensOf(text: string): readonly CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > LEXEMES_MAX) return null;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Looks at every token, without recursion. */
function faultOf(tokens: readonly CST.Token[], aliases: boolean, depthMax: number): ReturnType<typeof unparsed> | null {
  const open: { readonly token: CST.Token; readonly depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!aliases && (token.type === "anchor" || token.type === "alias")) {
      return unparsed("not_yaml", "there is an anchor or an alias in it, which this format has no use for");
    }
    if (token.type === "tag")
      return unparsed("not_yaml", "there is a tag (`!`) in it, which this format has no use for");
    const deeper = "items" in token ? depth + 1 : depth;
    if (deeper > depthMax) return unparsed("too_deep", tooDeep(depthMax));
    for (const part of partsOf(token)) open.push({ token: part, depth: deeper });
  }
  return null;
}

const tooDeep = (depthMax: number): string => `more than ${depthMax} lists and mappings inside one another`;

function partsOf(token: CST.Token): readonly CST.Token[] {
  const parts: (CST.Token | null | undefined)[] = [];
  if ("items" in token) {
    // One by one: a call does not take as many arguments as there may be empty lines.
    for (const { start, key, sep, value } of token.items) {
      for (const part of start) parts.push(part);
      parts.push(key, value);
      for (const part of sep ?? []) parts.push(part);
    }
  } else if (token.type === "document") {
    for (const part of token.start) parts.push(part);
    parts.push(token.value);
  } else if (token.type === "block-scalar") {
    for (const part of token.props) parts.push(part);
  }
  return parts.filter((part) => part !== undefined && part !== null);
}

/** Makes values of the package's nodes. Recursion is as deep as `depthMax`, which also ends an alias that stands in itself. */
class Values {
  readonly #depthMax: number;
  /** What each anchor stands for, so far: the package looks for it in the whole document each time. */
  readonly #anchors = new Map<string, unknown>();
  #aliased = 0;
  #inAlias = 0;
  why: Why | null = null;

  constructor(depthMax: number) {
    this.#depthMax = depthMax;
  }

  of(node: unknown, depth: number): Json {
    if (this.why !== null) return null;
    if (this.#inAlias > 0) this.#aliased += 1;
    if (this.#aliased > ALIASED_MAX)
      return this.#refuse("too_large", `aliases stand for more than ${ALIASED_MAX} values`);
    if (isAlias(node)) return this.#alias(node.source, depth);
    if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return scalar(node.value);
    if (depth >= this.#depthMax) return this.#refuse("too_deep", tooDeep(this.#depthMax));
    if (isSeq(node)) return node.items.map((item) => this.of(item, depth + 1));
    return isMap(node) ? this.#object(node.items, depth) : null;
  }

  #alias(source: string, depth: number): Json {
    const meant = this.#anchors.get(source);
    if (meant === undefined)
      return this.#refuse("not_yaml", `no anchor stands before the alias *${source.slice(0, 40).toWellFormed()}`);
    this.#inAlias += 1;
    const value = this.of(meant, depth);
    this.#inAlias -= 1;
    return value;
  }

  #object(items: readonly { readonly key: unknown; readonly value: unknown }[], depth: number): Json {
    const object: { [name: string]: Json } = {};
    for (const { key, value } of items) {
      const name = String(isScalar(key) ? key.value : "");
      if (Object.hasOwn(object, name)) return this.#refuse("not_yaml", `the key ${quoted(name)} is there twice`);
      // By its definition, so that no name means more than a name.
      Object.defineProperty(object, name, { value: this.of(value, depth + 1), enumerable: true, writable: true });
    }
    return object;
  }

  #refuse(code: "too_large" | "too_deep" | "not_yaml", detail: string): null {
    this.why ??= unparsed(code, detail).why;
    return null;
  }
}

function scalar(value: unknown): Json {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number" ? value : null;
}
