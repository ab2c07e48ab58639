/**
 * Playwright's aria snapshots: YAML whose keys are `role "name" [attribute] [attribute=value]`. Both kinds are read: those for
 * a model (`[ref=e3]`, `[cursor=pointer]`), where a control keeps its ref as its id, and those of assertions, which have none.
 *
 * A control is what has a role that can be used or a pointer of its own, and every text that stands by itself. Where a snapshot
 * has refs, an element without one cannot be reached and is left out. What a tool puts around a snapshot (`Page URL`, a fence)
 * names the screen.
 */

import { BOX_ROLES, FIELD_ROLES, FRAME_ROLES, USED_ROLES } from "../../domain/aria-roles.ts";
import { controlId } from "../../domain/control-id.ts";
import type { Harvested } from "../../domain/control-map.ts";
import { CHILD_TEXTS_MAX } from "../../domain/draw-map.ts";
import { isJsonObject, type Json } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import { readYaml } from "./read-yaml.ts";
import { Gathering, heldText, otherTexts, type Reading } from "./reading.ts";
import { startsWith } from "./starts-with.ts";

export function readAria(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const { snapshot, title, path } = unwrapped(reading.text);
  const yaml = readYaml(snapshot, { aliases: false, texts: true }, limits);
  if (!yaml.ok) return yaml;
  if (!Array.isArray(yaml.value))
    return unparsed("not_aria", 'a snapshot is a list that begins like `- button "Save"`');
  const nodes = yaml.value.map(nodeOf);
  const [first] = nodes;
  if (first === undefined || nodes.every((node) => node.kind === "unread")) {
    return unparsed("not_aria", `a snapshot has lines like \`- button "Save"\`, and not ${quoted(wordsOf(first))}`);
  }
  const gathering = new Gathering(reading, limits);
  const walk = new Walk(gathering, /\[ref=/.test(snapshot));
  for (const node of nodes) walk.visit(node);
  return gathering.draw(reading, "aria", { title, where: path }, limits);
}

type ElementNode = {
  readonly kind: "element";
  readonly role: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text on the element's own line. */
  readonly text: string;
  readonly children: readonly Node[];
};
type Node =
  | ElementNode
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "property"; readonly name: string; readonly text: string }
  | { readonly kind: "unread"; readonly words: string };

const ROLE = /[A-Za-z][\w-]*/y;
const OPEN_NAME = / +(?=["/])/y;
const ATTRIBUTE = / +\[([^[\]=]*)(?:=([^[\]]*))?\]/y;

function wordsOf(node: Node | undefined): string {
  return node?.kind === "unread" ? node.words : "";
}

function nodeOf(json: Json): Node {
  if (typeof json === "string") return elementOf(json, "", []);
  const entries = isJsonObject(json) ? Object.entries(json) : [];
  const [entry, second] = entries;
  if (entry === undefined || second !== undefined) return { kind: "unread", words: entry?.[0] ?? "" };
  const [key, value] = entry;
  const text = typeof value === "string" ? value : "";
  if (key === "text") return { kind: "text", text };
  if (key.startsWith("/")) return { kind: "property", name: key.slice(1), text };
  return elementOf(key, text, Array.isArray(value) ? value : []);
}

function elementOf(key: string, text: string, children: readonly Json[]): Node {
  const [role] = startsWith(ROLE, key, 0) ?? [];
  if (role === undefined) return { kind: "unread", words: key };
  const space = startsWith(OPEN_NAME, key, role.length);
  const opens = role.length + (space?.[0].length ?? 0);
  const named = space === null ? opens : endOfName(key, opens);
  const attributes = new Map<string, string>();
  let at = named;
  for (let next = startsWith(ATTRIBUTE, key, at); next !== null; next = startsWith(ATTRIBUTE, key, at)) {
    const [all, one = "", value = "true"] = next;
    attributes.set(one.trim(), value);
    at += all.length;
  }
  if (named === -1 || at !== key.length) return { kind: "unread", words: key };
  const name = key.slice(opens, named);
  return {
    kind: "element",
    role,
    name: name.startsWith('"') ? unescaped(name) : name,
    attributes,
    text,
    children: children.map(nodeOf),
  };
}

/** Behind the mark that ends the name which begins at `from`; -1 where none does. A form would need a stack as deep as it is long. */
function endOfName(key: string, from: number): number {
  for (let at = from + 1; at < key.length; at++) {
    if (key.charAt(at) === key.charAt(from)) return at + 1;
    if (key.charAt(at) === "\\") at += 1;
  }
  return -1;
}

/** A name is written as JSON writes a string. */
function unescaped(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name.slice(1, -1);
  }
}

/**
 * What is around an element: whether it can be used, whether it has the pointer of what can, and whether it is a box with a list
 * to choose from. A text in a box may be what somebody wrote; what can be used in it is the interface's, with all that is in that.
 */
type Around = { readonly used: boolean; readonly pointer: boolean; readonly box: boolean };

class Walk {
  readonly #gathering: Gathering;
  readonly #refs: boolean;

  constructor(gathering: Gathering, refs: boolean) {
    this.#gathering = gathering;
    this.#refs = refs;
  }

  /** Recursion is as deep as the YAML was. */
  visit(node: Node, around: Around = { used: false, pointer: false, box: false }): void {
    if (node.kind === "unread") this.#gathering.note("unread_line", `not a line of a snapshot: ${quoted(node.words)}`);
    if (node.kind === "text") this.#text(node.text, around);
    if (node.kind !== "element") return;
    const ref = node.attributes.get("ref") ?? "";
    const inner = ownText(node);
    if (this.#gathering.leavesOut(ref, node.name, inner)) return;
    const pointer = node.attributes.get("cursor") === "pointer";
    const used = USED_ROLES.has(node.role) || (pointer && !around.pointer);
    const reached = ref !== "" || !this.#refs;
    const told = used || (!around.box && isText(node, inner, around, this.#refs));
    if (reached && told) this.#add(node, ref, inner, used);
    const box = node.role === "combobox" || (around.box && !used);
    const inside: Around = { used: around.used || used, pointer: around.pointer || pointer, box };
    // What stands in a field is no part of the interface.
    if (isWrittenRole(node.role)) return;
    for (const child of node.children) {
      // What can be chosen from a closed list is told by the list, and a text by the element that it is all of.
      if (node.role === "combobox" && child.kind === "element" && child.role === "option") continue;
      if (inner !== "" && child.kind === "text") continue;
      this.visit(child, inside);
    }
  }

  /** A text between elements has no ref: with refs it cannot be pointed at, and without them nothing can be. */
  #text(text: string, around: Around): void {
    if (this.#refs || around.used || text.trim() === "" || this.#gathering.leavesOut(text)) return;
    this.#gathering.add({ id: controlId("text", text), role: "text", text, clickable: false });
  }

  #add(node: ElementNode, ref: string, inner: string, used: boolean): void {
    const { role, name, attributes } = node;
    // Where a slider stands is a state of it; whatever else stands in a field is somebody's.
    const isField = FIELD_ROLES.has(role);
    // The name of what can be used is the snapshot's word; elsewhere the text is the name.
    const text = USED_ROLES.has(role) ? name : name || inner;
    const placeholder = node.children.find((child) => child.kind === "property" && child.name === "placeholder");
    const states = ["expanded", "pressed", "selected"].filter((state) => attributes.has(state));
    const tells = role === "combobox" || (used && name === "" && role !== "listbox" && !isWrittenRole(role));
    this.#gathering.add({
      id: ref || controlId(role, text),
      role,
      text,
      desc: placeholder?.kind === "property" && placeholder.text !== name ? placeholder.text : "",
      childText: tells ? otherTexts(this.#textsIn(node), text, isField ? inner : "") : [],
      value: heldText(role === "slider" ? inner : "", boxState(role, attributes.get("checked")), ...states),
      clickable: used,
      disabled: attributes.has("disabled"),
    });
  }

  #textsIn(node: ElementNode): readonly string[] {
    const { texts, whole } = textsIn(node);
    if (!whole) this.#gathering.note("not_expanded", `in a ${node.role} are more than ${INSIDE_MAX} elements`);
    return texts;
  }
}

/** Whether an element that cannot be used is a text of its own, rather than a frame or what its parts say again. */
function isText({ role, name, children }: ElementNode, inner: string, around: Around, refs: boolean): boolean {
  if (around.used && !refs) return false;
  if (inner !== "") return true;
  return name !== "" && !FRAME_ROLES.has(role) && !children.some((child) => child.kind === "element");
}

function boxState(role: string, checked: string | undefined): string {
  if (checked === "mixed") return "mixed";
  if (checked !== undefined) return "checked";
  return BOX_ROLES.has(role) ? "not checked" : "";
}

/** The text of an element that has only text in it. */
function ownText({ text, children }: ElementNode): string {
  const inner = children.filter((child) => child.kind !== "property");
  if (text !== "" || inner.length === 0) return text;
  return inner.every((child) => child.kind === "text") ? inner.map(({ text: part }) => part).join(" ") : "";
}

/** Nodes in a control that are looked at for its texts: of controls inside one another each looks at all that are in it. */
const INSIDE_MAX = 10_000;

type Inside = {
  readonly texts: readonly string[] /** Whether nothing in it was passed over. */;
  readonly whole: boolean;
};

/** The texts in an element, in reading order: one more than a map keeps, where there are so many. */
function textsIn(node: ElementNode): Inside {
  const texts = new Set(node.text === "" ? [] : [node.text]);
  const open = [{ rest: node.children.values(), told: node.role !== "combobox" }];
  let looked = 0;
  for (let at = open.at(-1); at !== undefined && texts.size <= CHILD_TEXTS_MAX; at = open.at(-1)) {
    const { value: child } = at.rest.next();
    if (looked === INSIDE_MAX && child !== undefined) return { texts: [...texts], whole: false };
    looked += 1;
    if (child === undefined) open.pop();
    else if (child.kind === "text" && at.told) texts.add(child.text);
    else if (child.kind === "element") {
      const told = at.told || USED_ROLES.has(child.role);
      const isField = FIELD_ROLES.has(child.role);
      const said = child.name || (isField ? "" : child.text);
      if (said !== "" && told) texts.add(said);
      if ((child.name === "" || !told) && !isField) open.push({ rest: child.children.values(), told });
    }
  }
  return { texts: [...texts], whole: true };
}

const URL_LINE = /^(?:- )?Page URL: *\S*?:\/\/[^/\s]*(\/[^\s?#]*)?/m;
const TITLE_LINE = /^(?:- )?Page Title: *(.*)$/m;
const FENCED = /^```ya?ml\n([\s\S]*?)^```/m;

/** The snapshot itself, and what the text around it says of the page. */
function unwrapped(text: string): { readonly snapshot: string; readonly title: string; readonly path: string } {
  const even = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const fenced = FENCED.exec(even);
  if (fenced === null) return { snapshot: even, title: "", path: "" };
  const around = even.slice(0, fenced.index);
  const path = URL_LINE.exec(around);
  return {
    snapshot: fenced[1] ?? "",
    title: TITLE_LINE.exec(around)?.[1]?.trim() ?? "",
    path: path === null ? "" : (path[1] ?? "/"),
  };
}
