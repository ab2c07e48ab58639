import { SaxesParser } from "saxes";
import { quoted } from "../../domain/json-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { type Parsed, parsed, unparsed, type Why } from "../../domain/parsed.ts";
import type { MarkupLimits, MarkupReader } from "../../ports/markup-reader.ts";

/** Characters that the parser is given at a time, so that it stops soon after a refusal. */
const CHUNK = 65_536;

type Open = Markup & { readonly children: Markup[] };

export const readMarkup: MarkupReader = (text, limits) => {
  const reading = new Reading(limits);
  try {
    for (let at = 0; at < text.length; at += CHUNK) reading.parser.write(text.slice(at, at + CHUNK));
    reading.parser.close();
  } catch (error) {
    if (error !== reading.stop) throw error;
  }
  return reading.outcome();
};

/** One document. The parser has callbacks only, and goes on after a fault, so a refusal is thrown through it. */
class Reading {
  readonly stop = new Error("the document is refused");
  readonly parser = new SaxesParser<{ readonly xmlns: false }>({ xmlns: false });
  readonly #limits: MarkupLimits;
  readonly #open: Open[] = [];
  #root: Markup | null = null;
  #elements = 0;
  #why: Why | null = null;

  constructor(limits: MarkupLimits) {
    this.#limits = limits;
    // The parser knows XML's five entities and, since no document type is let through, never another.
    this.parser.on("error", (error) => this.#refuse("not_xml", `not XML: ${inOneLine(error.message)}`));
    this.parser.on("doctype", () => this.#refuse("doctype", "a document type (<!DOCTYPE ...>) has no use here"));
    this.parser.on("opentag", ({ name, attributes }) => this.#opens(name, attributes));
    this.parser.on("closetag", () => this.#closes());
  }

  outcome(): Parsed<Markup> {
    if (this.#why !== null) return { ok: false, why: this.#why };
    return this.#root === null ? unparsed("not_xml", "not XML: there is no element") : parsed(this.#root);
  }

  #opens(name: string, attributes: Readonly<Record<string, string>>): void {
    const { depthMax, elementsMax } = this.#limits;
    this.#elements += 1;
    if (this.#elements > elementsMax) this.#refuse("too_large", `more than ${elementsMax} elements`);
    if (this.#open.length >= depthMax) this.#refuse("too_deep", `more than ${depthMax} elements inside one another`);
    this.#open.push({ name, attributes, children: [] });
  }

  #closes(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = closed;
    else parent.children.push(closed);
  }

  #refuse(code: "not_xml" | "doctype" | "too_large" | "too_deep", detail: string): never {
    this.#why = { code, detail: `line ${this.parser.line}: ${detail}` };
    throw this.stop;
  }
}

const WORDS_MAX = 160;

/** The parser's own words, which begin with line and column and may repeat the document. */
function inOneLine(message: string): string {
  const words = message.replace(/^\d+:\d+: /, "");
  return words.length > WORDS_MAX || /[^ -~]/.test(words) ? quoted(words) : words;
}
