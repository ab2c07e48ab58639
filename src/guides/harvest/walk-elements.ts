import type { Control } from "../../domain/control-map.ts";
import type { Markup } from "../../domain/markup.ts";
import type { Gathering } from "./reading.ts";

/** An element of a dump as its format reads it. */
export type Element = Omit<Control, "screen" | "childText"> & {
  /** Whether it is shown as a text of its own where it cannot be used. */
  readonly isText: boolean;
  /** Whether a text inside it may be what somebody wrote, and is told nowhere. A control inside it is one. */
  readonly isSecret: boolean;
  /** What it adds to the texts of the control that it is in. */
  readonly inside: string;
  /** Of the texts inside it, those that say more than its own names. */
  readonly childText: (texts: readonly string[]) => readonly string[];
};

/** An open element: where it would stand among the controls, and the texts that have been found in it. */
type Open = { readonly markup: Markup; readonly element: Element; next: number; readonly texts: string[] };

/**
 * Walks a dump in the order of the document, without recursion. An element's id is its number in that order, `n0` the root.
 * A text belongs to the innermost control around it, and stands on its own where there is none.
 */
export function walkElements(root: Markup, gathering: Gathering, read: (markup: Markup, id: string) => Element): void {
  const found: { readonly element: Element; readonly texts: readonly string[] }[] = [];
  const stack: Open[] = [];
  const controls: Open[] = [];
  let number = 0;

  const open = (markup: Markup): void => {
    const element = read(markup, `n${number}`);
    number += 1;
    if (gathering.leavesOut(element.id, element.resourceId, element.text, element.desc)) {
      number += sizeOf(markup) - 1;
      return;
    }
    const one: Open = { markup, element, next: 0, texts: [] };
    const around = controls.at(-1);
    if (element.clickable) {
      controls.push(one);
      found.push(one);
    } else if (around !== undefined) around.texts.push(element.inside);
    else if (element.isText) found.push(one);
    // The texts in it go nowhere else.
    if (element.isSecret && !element.clickable) controls.push(one);
    stack.push(one);
  };

  open(root);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.markup.children[top.next];
    top.next += 1;
    if (child !== undefined) open(child);
    else {
      stack.pop();
      if (controls.at(-1) === top) controls.pop();
    }
  }
  for (const { element, texts } of found) {
    const { isText: _isText, inside: _inside, isSecret, childText, ...seen } = element;
    const inner = isSecret ? [] : childText(texts);
    if (seen.text === "" && seen.desc === "" && seen.resourceId === "" && inner.length === 0) gathering.nameless();
    else gathering.add({ ...seen, childText: inner });
  }
}

/** Elements of a branch, itself included: what is left out keeps its numbers. */
function sizeOf(markup: Markup): number {
  let size = 0;
  const rest = [markup];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    size += 1;
    for (const child of next.children) rest.push(child);
  }
  return size;
}
