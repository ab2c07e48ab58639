/**
 * Screens as AutoDroid renders them for a model: `<button id=3 text='Sort by'>Bob<br>Hey</button>`, an element a line. It looks
 * like HTML and is not: nothing in it is escaped, a text may have line breaks, quotes and angle brackets in it, and only the
 * element's own end tag ends it.
 */
import type { Harvested } from "../../domain/control-map.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { Gathering, otherTexts, type Reading } from "./reading.ts";
import { startsWith } from "./starts-with.ts";

export function readAutodroid(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const gathering = new Gathering(reading, limits);
  const text = reading.text.replace(/^\ufeff/, "");
  const scanner = new Scanner(text);
  let count = 0;
  for (let found = scanner.next(); found !== null && !gathering.full; found = scanner.next()) {
    if (found.before !== "") gathering.note("unread_line", `not an element: ${quoted(found.before)}`);
    if (found.element !== null) {
      count += 1;
      addElement(found.element, gathering);
    }
  }
  if (count > 0) return gathering.draw(reading, "autodroid", { title: "", where: "" }, limits);
  return unparsed("not_autodroid", "a screen has elements like <button id=3>Save</button>, and there is none");
}

type Element = {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly content: string;
};

/** The one tag of a text that cannot be used. */
const SHOWN_ONLY = "p";

function addElement({ tag, attributes, content }: Element, gathering: Gathering): void {
  const id = attributes.get("id") ?? "";
  const [text = "", ...more] = partsOf(content);
  const [desc = "", ...said] = partsOf(attributes.get("text") ?? attributes.get("alt") ?? "");
  if (gathering.leavesOut(id, text, desc)) return;
  const checked = attributes.get("checked");
  gathering.add({
    id,
    role: tag,
    text,
    desc,
    childText: otherTexts([...more, ...said], text, desc),
    value: checked === undefined ? "" : checked === "True" ? "checked" : "not checked",
    clickable: tag !== SHOWN_ONLY,
  });
}

function partsOf(text: string): readonly string[] {
  return text.split("<br>").map((part) => part.trim());
}

const OPENING = /<([a-z]+) id=([^\s<>'"]+)/g;
const CLOSING = /<\/([a-z]+)>/g;

/** One pass over a text: what is not there behind some place is not looked for again from a later one. */
class Scanner {
  readonly #text: string;
  /** Where the last end tag of each kind stands. */
  readonly #lastEnds = new Map<string, number>();
  #at = 0;
  /** Whether some quotation mark that ends a value may still follow. */
  #quotesLeft = true;

  constructor(text: string) {
    this.#text = text;
    for (const { 1: tag = "", index } of text.matchAll(CLOSING)) this.#lastEnds.set(tag, index);
  }

  /** The next element, and what stands before it that is none; null at the end. */
  next(): { readonly before: string; readonly element: Element | null } | null {
    const from = this.#at;
    if (from >= this.#text.length) return null;
    OPENING.lastIndex = from;
    const opening = OPENING.exec(this.#text);
    const before = this.#text.slice(from, opening?.index ?? this.#text.length).trim();
    this.#at = opening === null ? this.#text.length : opening.index + opening[0].length;
    if (opening === null) return { before, element: null };
    const [, tag = "", id = ""] = opening;
    const attributes = this.#attributes();
    const ends = this.#at <= (this.#lastEnds.get(tag) ?? -1);
    if (attributes === null || !ends) return { before: before || opening[0], element: null };
    const end = this.#text.indexOf(`</${tag}>`, this.#at);
    const content = this.#text.slice(this.#at, end);
    this.#at = end + tag.length + 3;
    return { before, element: { tag, attributes: attributes.set("id", id), content } };
  }

  /** Reads ` name=value name='a value'` up to and with the bracket that ends the tag. */
  #attributes(): Map<string, string> | null {
    const attributes = new Map<string, string>();
    const text = this.#text;
    for (;;) {
      while (/\s/.test(text.charAt(this.#at))) this.#at += 1;
      if (text.charAt(this.#at) === ">") {
        this.#at += 1;
        return attributes;
      }
      const [, name] = startsWith(NAME, text, this.#at) ?? [];
      if (name === undefined) return null;
      this.#at += name.length + 1;
      const value = this.#value();
      if (value === null) return null;
      attributes.set(name, value);
    }
  }

  /** A quotation mark ends a value where the tag goes on or ends behind it: others are part of the value. */
  #value(): string | null {
    const text = this.#text;
    if (text.charAt(this.#at) !== "'") {
      const [bare = ""] = startsWith(BARE, text, this.#at) ?? [];
      this.#at += bare.length;
      return bare;
    }
    const from = this.#at + 1;
    if (!this.#quotesLeft) return null;
    for (let end = text.indexOf("'", from); end !== -1; end = text.indexOf("'", end + 1)) {
      if (!/[\s>]/.test(text.charAt(end + 1))) continue;
      this.#at = end + 1;
      return text.slice(from, end);
    }
    this.#quotesLeft = false;
    return null;
  }
}

const NAME = /([a-zA-Z_-]+)=/y;
const BARE = /[^\s>']*/y;
