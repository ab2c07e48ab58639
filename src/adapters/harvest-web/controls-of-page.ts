/**
 * The controls of a page that was looked at. A control is what has a role that can be used, a pointer of its own or a listener,
 * and every run of text outside of one; a text inside of one is the control's. What can be chosen from a closed list is told by
 * the list. What somebody writes into is a control, and what stands in it is not: no value, no text, nothing inside it.
 */
import { BOX_ROLES, FIELD_ROLES, PICTURE_ROLES, TEXT_ROLES, USED_ROLES } from "../../domain/aria-roles.ts";
import { controlId } from "../../domain/control-id.ts";
import type { Control } from "../../domain/control-map.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import type { PageLook, PageNode } from "./page-node.ts";

/** A control as it was seen on the page, before it has its place in a map. */
export type SeenControl = Omit<Control, "screen"> & {
  /** The browser's own number of its element. */
  readonly backendId: number;
  readonly tag: string;
};

export type SeenPage = {
  readonly controls: readonly SeenControl[];
  /** Names of `leaveOut` that were there. */
  readonly leftOut: ReadonlySet<string>;
};

/**
 * At most `controlsMax` and one more, so that whoever counts them sees that there are too many. `passwords`: the browser's numbers
 * of the fields for passwords that were seen in this tab before; those that are seen now are added.
 */
export function controlsOfPage(
  look: PageLook,
  leaveOut: ReadonlySet<string>,
  controlsMax: number,
  passwords: Set<number>,
): SeenPage {
  for (const node of look.nodes) if (isPassword(node)) passwords.add(node.backendId);
  const marks = new Marks(look.nodes, leaveOut, passwords);
  const controls: SeenControl[] = [];
  for (let i = 0; i < look.nodes.length && controls.length <= controlsMax; i++) {
    const control = marks.controlAt(i);
    if (control !== null) controls.push(control);
  }
  return { controls, leftOut: marks.leftOut };
}

/** The browser's own words for some roles, as ARIA has them. */
const ARIA: Readonly<Record<string, string>> = {
  image: "img",
  DisclosureTriangle: "button",
  PopUpButton: "combobox",
  ToggleButton: "button",
  LabelText: "label",
  Date: "textbox",
  DateTime: "textbox",
  InputTime: "textbox",
  ColorWell: "textbox",
};

/** Texts in an element that one listener is for. */
const LISTENED_TEXTS_MAX = 3;
/** A full stop between two links says nothing. */
const MARKS_ONLY = /^[\p{P}\s]*$/u;

/** Passwords on one page that are looked for in its names. */
const SHOWN_MAX = 20;

class Marks {
  readonly leftOut = new Set<string>();
  readonly #nodes: readonly PageNode[];
  readonly #roles: readonly string[];
  readonly #kids: readonly (readonly number[])[];
  /** For each node, its place among its parent's. */
  readonly #places: readonly number[];
  /** For each node, whether it can be used. */
  readonly #used: readonly boolean[];
  /** For each node, the innermost control around it that can be used, or -1. */
  readonly #owner: readonly number[];
  /** For each node, whether it is left out, or in something that is, or stands in a field. */
  readonly #out: readonly boolean[];
  readonly #passwords: ReadonlySet<number>;
  /** Passwords that the page shows now. */
  readonly #shown: readonly string[];

  constructor(nodes: readonly PageNode[], leaveOut: ReadonlySet<string>, passwords: ReadonlySet<number>) {
    this.#passwords = passwords;
    const shown = nodes.filter(({ backendId, value }) => value.trim() !== "" && passwords.has(backendId));
    this.#shown = shown.slice(0, SHOWN_MAX).map(({ value }) => evenly(value));
    this.#nodes = nodes.map((node) => (node.desc === "" ? node : { ...node, desc: this.#withoutPasswords(node.desc) }));
    const { kids, places } = kidsOf(nodes);
    this.#kids = kids;
    this.#places = places;
    this.#roles = nodes.map(({ role, states, parent }) => {
      const begins = states.has("editable") && nodes[parent]?.states.has("editable") !== true;
      const isField = states.get("editable") === "richtext" || !USED_ROLES.has(ARIA[role] ?? role);
      return begins && isField ? "textbox" : (ARIA[role] ?? role);
    });
    this.#used = this.#whatIsUsed();
    const owner: number[] = [];
    const out: boolean[] = [];
    for (const [i, node] of nodes.entries()) {
      const around = node.parent;
      owner.push(this.#used[around] ? around : (owner[around] ?? -1));
      const isTyped = node.states.has("editable") && this.#isWritten(around);
      out.push(out[around] === true || isTyped || this.#isLeftOut(i, leaveOut));
    }
    this.#owner = owner;
    this.#out = out;
  }

  controlAt(i: number): SeenControl | null {
    const node = this.#nodes[i];
    if (node === undefined || this.#out[i]) return null;
    if (this.#used[i])
      return this.#roles[i] === "option" && this.#isInClosedList(i) ? null : this.#usedControl(i, node);
    if ((this.#owner[i] ?? -1) !== -1) return null;
    const role = this.#roles[i] ?? "";
    if (role === "StaticText") return this.#textControl(i, node);
    if (!PICTURE_ROLES.has(role) || node.name.trim() === "") return null;
    return seen(node, role, node.name, { value: node.value, clickable: false });
  }

  #usedControl(i: number, node: PageNode): SeenControl {
    const role = this.#roles[i] ?? "";
    const written = this.#isWritten(i);
    // What was a field for a password may show it as something else.
    const hidden = this.#passwords.has(node.backendId);
    const tells = FIELD_ROLES.has(role) && !written && !hidden && !isPersonal(node);
    const texts = written && role !== "combobox" ? [] : this.#textsIn(i);
    const told = role === "combobox" ? "" : node.value;
    const others = role === "listbox" ? [] : texts.filter((text) => text !== node.name && text !== told);
    const [only] = others;
    // What has no role of its own is called by the one text in it.
    const named = hidden && !written ? "" : this.#withoutPasswords(node.name);
    const text = named === "" && !USED_ROLES.has(role) && others.length === 1 && only !== undefined ? only : named;
    // A name that the browser made of the texts inside says them all.
    const said = role !== "combobox" && saysAll(text, others);
    return seen(node, role, text, {
      childText: said ? [] : [...new Set(others)].filter((one) => one !== text),
      value: [tells ? node.value : "", ...statesOf(role, node)].filter((one) => one !== "").join(", "),
      clickable: true,
    });
  }

  /** A name or a description that the browser makes of what is in an element has in it what stands in a field there. */
  #withoutPasswords(text: string): string {
    const whole = ` ${evenly(text)} `;
    let words = whole;
    for (const password of this.#shown) {
      // Of two side by side the second begins with the space that the first ends with.
      while (words.includes(` ${password} `)) words = words.replaceAll(` ${password} `, " ");
    }
    return words === whole ? text : words.trim();
  }

  /** A run of texts that stand side by side is one text; the first of them tells it. */
  #textControl(i: number, node: PageNode): SeenControl | null {
    const siblings = this.#kids[node.parent] ?? [];
    const at = this.#places[i] ?? 0;
    const before = siblings[at - 1];
    if (before !== undefined && this.#roles[before] === "StaticText") return null;
    let text = "";
    let end = at;
    for (; end < siblings.length && this.#roles[siblings[end] ?? -1] === "StaticText"; end++) {
      text += this.#nodes[siblings[end] ?? -1]?.name ?? "";
    }
    if (MARKS_ONLY.test(text)) return null;
    const parent = this.#nodes[node.parent];
    const whole = at === 0 && end === siblings.length && TEXT_ROLES.has(this.#roles[node.parent] ?? "");
    if (parent === undefined || !whole) return seen(node, "text", text, { clickable: false });
    return seen(parent, this.#roles[node.parent] ?? "", text, { clickable: false });
  }

  /** Bottom up: a listener on what has controls or many texts in it listens for all of them, and is no control. */
  #whatIsUsed(): readonly boolean[] {
    const used = this.#nodes.map(() => false);
    const holds = this.#nodes.map(() => false);
    const texts = this.#nodes.map(() => 0);
    for (let i = this.#nodes.length - 1; i >= 0; i--) {
      const node = this.#nodes[i];
      if (node === undefined) continue;
      const { element, parent } = node;
      const role = this.#roles[i] ?? "";
      const isLabel = role === "label" || role === "RootWebArea" || element?.tag === "BODY";
      const count = (texts[i] ?? 0) + (role === "StaticText" ? 1 : 0);
      const listensHere = element?.listens === true && !holds[i] && count <= LISTENED_TEXTS_MAX;
      const acts = element !== null && !isLabel && (element.points || listensHere);
      used[i] = USED_ROLES.has(role) || (acts && (count > 0 || node.name !== "" || identifiers(node).length > 0));
      if (parent < 0) continue;
      texts[parent] = (texts[parent] ?? 0) + count;
      if (used[i] || holds[i]) holds[parent] = true;
    }
    return used;
  }

  /** Whether somebody writes into it. A list is written into where it is a field, and closed where it is none. */
  #isWritten(i: number): boolean {
    const role = this.#roles[i] ?? "";
    if (isWrittenRole(role)) return true;
    const node = this.#nodes[i];
    return role === "combobox" && (node?.element?.tag === "INPUT" || node?.states.has("editable") === true);
  }

  #isInClosedList(i: number): boolean {
    for (let at = this.#nodes[i]?.parent ?? -1; at >= 0; at = this.#nodes[at]?.parent ?? -1) {
      if (this.#roles[at] === "combobox") return true;
    }
    return false;
  }

  /** The texts in a control that are not another control's, in order. */
  #textsIn(i: number): readonly string[] {
    const depth = this.#nodes[i]?.depth ?? 0;
    const texts: string[] = [];
    for (let at = i + 1; at < this.#nodes.length; at++) {
      const node = this.#nodes[at];
      if (node === undefined || node.depth <= depth) break;
      const role = this.#roles[at] ?? "";
      const isChoice = role === "option" && this.#isInClosedList(at);
      if (this.#out[at] || (this.#owner[at] !== i && !isChoice)) continue;
      const text = node.name.trim();
      if (text !== "" && (isChoice || role === "StaticText" || PICTURE_ROLES.has(role))) texts.push(text);
    }
    return texts;
  }

  #isLeftOut(i: number, leaveOut: ReadonlySet<string>): boolean {
    const node = this.#nodes[i];
    if (leaveOut.size === 0 || node === undefined) return false;
    const names = [...identifiers(node), node.name];
    const name = names.find((one) => one !== "" && leaveOut.has(one));
    if (name !== undefined) this.leftOut.add(name);
    return name !== undefined;
  }
}

type Kids = { readonly kids: readonly (readonly number[])[]; readonly places: readonly number[] };

function kidsOf(nodes: readonly PageNode[]): Kids {
  const kids: number[][] = nodes.map(() => []);
  const places = nodes.map(({ parent }, i) => (kids[parent]?.push(i) ?? 1) - 1);
  return { kids, places };
}

/** A text with one space wherever there was white space. */
function evenly(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function saysAll(name: string, texts: readonly string[]): boolean {
  if (texts.length === 0) return true;
  const squeezed = name.replace(/\s+/g, "");
  return squeezed !== "" && squeezed === texts.join("").replace(/\s+/g, "");
}

const STATES = ["expanded", "pressed", "selected"];

function statesOf(role: string, { states }: PageNode): readonly string[] {
  const checked = states.get("checked");
  const box = checked === "true" ? "checked" : checked === "mixed" ? "mixed" : BOX_ROLES.has(role) ? "not checked" : "";
  return [box, ...STATES.filter((state) => states.get(state) === "true")];
}

/** Whether the page says whose data stands in it: `cc-exp-year`, `bday-day`, `country`. */
function isPersonal({ element }: PageNode): boolean {
  const filled = element?.attributes.get("autocomplete")?.trim().toLowerCase() ?? "";
  return filled !== "" && filled !== "off" && filled !== "on";
}

function isPassword({ element }: PageNode): boolean {
  return element?.tag === "INPUT" && element.attributes.get("type")?.toLowerCase() === "password";
}

/** The attributes by which programs find an element, the first of them by which tests do. */
const IDENTIFIERS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "id"];

function identifiers({ element }: PageNode): readonly string[] {
  return IDENTIFIERS.map((name) => element?.attributes.get(name) ?? "").filter((id) => id !== "");
}

function seen(
  node: PageNode,
  role: string,
  text: string,
  more: { readonly childText?: readonly string[]; readonly value?: string; readonly clickable: boolean },
): SeenControl {
  const { childText = [], value = "", clickable } = more;
  const name = evenly(text);
  return {
    id: controlId(role, name || (childText[0] ?? "")),
    role,
    text: name,
    desc: node.desc === name ? "" : node.desc,
    childText,
    resourceId: identifiers(node)[0] ?? "",
    value,
    clickable,
    disabled: node.states.get("disabled") === "true",
    backendId: node.backendId,
    tag: node.element?.tag ?? "",
  };
}
