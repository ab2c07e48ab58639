/**
 * Accessibility trees as WebArena prints them: a node a line, `[id] role 'name' property: value`, with tabs for depth and names
 * in Python's quotes. A first line `Tab 0 (current): title` names the screen.
 */

import { BOX_ROLES, FRAME_ROLES, USED_ROLES } from "../../domain/aria-roles.ts";
import type { Harvested } from "../../domain/control-map.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import { Gathering, heldText, type Reading } from "./reading.ts";
import { startsWith } from "./starts-with.ts";

export function readActree(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const gathering = new Gathering(reading, limits);
  let title = "";
  let read = 0;
  /** The depth of an element that is left out with all that is in it. */
  let leftOut = Number.POSITIVE_INFINITY;
  const boxes = new Boxes();
  for (const line of reading.text.replace(/^\ufeff/, "").split(/\r\n?|\n/)) {
    if (line.trim() === "" || gathering.full) continue;
    const tab = TAB.exec(line);
    const node = nodeOf(line);
    if (tab !== null) {
      if (tab[1] !== undefined || title === "") title = tab[2] ?? "";
    } else if (node === null) gathering.note("unread_line", `not a node: ${quoted(line.trim())}`);
    else if (node.depth > limits.depthMax)
      return unparsed("too_deep", `more than ${limits.depthMax} nodes inside one another`);
    else {
      read += 1;
      if (node.depth > leftOut) continue;
      leftOut = Number.POSITIVE_INFINITY;
      if (boxes.hold(node)) continue;
      if (node.role === "RootWebArea") title = node.name;
      if (gathering.leavesOut(node.id, node.name)) leftOut = node.depth;
      else {
        addNode(node, gathering);
        // What stands in a field is no part of the interface.
        if (isWrittenRole(node.role)) leftOut = node.depth;
      }
    }
  }
  if (read > 0) return gathering.draw(reading, "actree", { title, where: "" }, limits);
  return unparsed("not_actree", "a tree has lines like [164] textbox 'Search', and there is none");
}

type Node = {
  readonly depth: number;
  readonly id: string;
  readonly role: string;
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
};

/**
 * The boxes of a tree with a list to choose from. Whether one is written into is not told: a text in it may be what somebody wrote.
 * What can be used in it is the interface's, such as a choice, with all that is in that.
 */
class Boxes {
  /** The depths of the box, and of what can be used in it, that the walk is in. */
  #box = Number.POSITIVE_INFINITY;
  #choice = Number.POSITIVE_INFINITY;

  /** Whether the node stands in a box, and is no part of the interface. Asked once for each node, in order. */
  hold({ depth, role }: Node): boolean {
    if (depth > this.#choice) return false;
    this.#choice = Number.POSITIVE_INFINITY;
    const isIn = depth > this.#box;
    if (isIn && USED_ROLES.has(role)) this.#choice = depth;
    else if (!isIn) this.#box = role === "combobox" ? depth : Number.POSITIVE_INFINITY;
    return isIn && this.#choice !== depth;
  }
}

const TAB = /^Tab \d+( \(current\))?: (.*)$/;
const NODE = /^(\t*)\[([^\][\s]+)\] ([A-Za-z]+) ?/;
const LETTER = /[A-Za-z]/;
const WORD = /\S+/y;
const STATES: ReadonlySet<string> = new Set(["checked", "expanded", "pressed", "selected", "disabled"]);

function nodeOf(line: string): Node | null {
  const head = NODE.exec(line);
  if (head === null) return null;
  const [all, tabs = "", id = "", role = ""] = head;
  const name = pythonText(line, all.length);
  if (name === null) return null;
  return { depth: tabs.length + 1, id, role, name: name.text, properties: propertiesIn(line, name.end) };
}

/** The states among `name: value name: value`, from `at` on. Found by their colons, so that a long word is read once. */
function propertiesIn(line: string, at: number): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  let from = at;
  for (let colon = line.indexOf(": ", from); colon !== -1; colon = line.indexOf(": ", Math.max(from, colon + 1))) {
    let start = colon;
    while (start > from && LETTER.test(line.charAt(start - 1))) start -= 1;
    const [value = ""] = startsWith(WORD, line, colon + 2) ?? [];
    if (start === colon || value === "") continue;
    const name = line.slice(start, colon);
    if (STATES.has(name)) properties.set(name, value);
    from = colon + 2 + value.length;
  }
  return properties;
}

function addNode({ id, role, name, properties }: Node, gathering: Gathering): void {
  const used = USED_ROLES.has(role);
  if (!used && (name.trim() === "" || FRAME_ROLES.has(role))) return;
  const box = properties.get("checked") ?? (BOX_ROLES.has(role) ? "false" : undefined);
  const states = ["expanded", "pressed", "selected"].filter((state) => /^true$/i.test(properties.get(state) ?? ""));
  const boxText =
    box === undefined ? "" : /^true$/i.test(box) ? "checked" : /^mixed$/i.test(box) ? "mixed" : "not checked";
  gathering.add({
    id,
    role,
    text: name,
    value: heldText(boxText, ...states),
    clickable: used,
    disabled: /^true$/i.test(properties.get("disabled") ?? ""),
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** A text as Python's repr writes it, which begins at `at`; where there is none, the empty text. */
function pythonText(line: string, at: number): { readonly text: string; readonly end: number } | null {
  const quote = line.charAt(at);
  if (quote !== "'" && quote !== '"') return { text: "", end: at };
  let text = "";
  for (let i = at + 1; i < line.length; i++) {
    const unit = line.charAt(i);
    if (unit === quote) return { text, end: i + 1 };
    if (unit !== "\\") {
      text += unit;
      continue;
    }
    const coded = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|U(000[\da-f]{5}|0010[\da-f]{4}))/.exec(line.slice(i, i + 10));
    const hex = coded?.[1] ?? coded?.[2] ?? coded?.[3];
    const next = line.charAt(i + 1);
    text += hex === undefined ? (ESCAPES[next] ?? next) : String.fromCodePoint(Number.parseInt(hex, 16));
    i += hex === undefined ? 1 : (coded?.[0].length ?? 2) - 1;
  }
  return null;
}
