import type { EntryStep } from "../../domain/entry-path.ts";
import { quoted } from "../../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { unreachable } from "../../domain/unreachable.ts";
import type { SeenControl } from "./controls-of-page.ts";
import type { WebPage } from "./web-page.ts";

/** Does a step with a control as a person would: with the mouse where it is seen, and with the keyboard. */
export async function takeStep(
  step: EntryStep,
  control: SeenControl,
  around: ReadonlyMap<number, number>,
  page: WebPage,
  at: string,
): Promise<Parsed<null>> {
  try {
    switch (step.do) {
      case "click":
        return await click(control, around, page, at);
      case "fill":
        return await fill(control, step.text, page, at);
      default:
        return unreachable(step);
    }
  } catch (error) {
    if (page.page.isClosed()) throw error;
    const said = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    return unparsed("step_failed", `${at}: ${said.slice(0, 160)}`);
  }
}

async function click(
  control: SeenControl,
  around: ReadonlyMap<number, number>,
  { page, cdp }: WebPage,
  at: string,
): Promise<Parsed<null>> {
  const { backendId } = control;
  const place = await placeOf(backendId, cdp);
  if (place === "none") {
    // A box that is hidden behind a picture of a box has no place of its own, and is clicked by the program.
    await call(cdp, backendId, "function () { this.click(); }");
    return parsed(null);
  }
  if (place === "outside") {
    return unparsed(
      "step_failed",
      `${at}: ${wordsFor(control)} is outside of what can be scrolled to, where no click reaches it`,
    );
  }
  const hit = await cdp.send("DOM.getNodeForLocation", { ...place, ignorePointerEventsNone: true }).catch(() => null);
  if (hit !== null && !isIn(hit.backendNodeId, backendId, around) && !isIn(backendId, hit.backendNodeId, around)) {
    return unparsed("step_failed", `${at}: something else lies over ${wordsFor(control)}`);
  }
  await page.mouse.click(place.x, place.y);
  return parsed(null);
}

/** A control as a refusal names it: `the button "Save"`. */
function wordsFor({ role, text, desc, id }: SeenControl): string {
  return `the ${role} ${quoted(text || desc || id)}`;
}

type Cdp = WebPage["cdp"];
type Place = { readonly x: number; readonly y: number };

/**
 * The middle of what is seen of the first part of an element that is on the screen, scrolled to. `none` where it takes no place,
 * `outside` where it has one that no scrolling brings up.
 */
async function placeOf(backendNodeId: number, cdp: Cdp): Promise<Place | "none" | "outside"> {
  try {
    await cdp.send("DOM.scrollIntoViewIfNeeded", { backendNodeId });
    const { quads } = await cdp.send("DOM.getContentQuads", { backendNodeId });
    if (quads.length === 0) return "none";
    const { cssLayoutViewport: screen } = await cdp.send("Page.getLayoutMetrics");
    const { clientWidth: width, clientHeight: height } = screen;
    for (const quad of quads) {
      const x = middleOf(
        quad.filter((_, i) => i % 2 === 0),
        width,
      );
      const y = middleOf(
        quad.filter((_, i) => i % 2 === 1),
        height,
      );
      if (x !== null && y !== null) return { x, y };
    }
    return "outside";
  } catch {
    return "none";
  }
}

/** The middle of what of these coordinates is between 0 and `max`; null where nothing is. */
function middleOf(coordinates: readonly number[], max: number): number | null {
  const from = Math.max(0, Math.min(...coordinates));
  const to = Math.min(max, Math.max(...coordinates));
  return from < to ? Math.floor((from + to) / 2) : null;
}

/** Whether an element is another one, or somewhere in it. What is not known, since it came later, counts as in it. */
function isIn(inner: number, outer: number, around: ReadonlyMap<number, number>): boolean {
  if (!around.has(inner)) return true;
  for (let at: number | undefined = inner; at !== undefined; at = around.get(at)) if (at === outer) return true;
  return false;
}

async function fill(control: SeenControl, text: string, { page, cdp }: WebPage, at: string): Promise<Parsed<null>> {
  const { backendId, tag } = control;
  if (tag === "SELECT") {
    const chosen = await call(cdp, backendId, CHOOSE, text);
    return chosen === true
      ? parsed(null)
      : unparsed("step_failed", `${at}: there is no option ${JSON.stringify(text)}`);
  }
  const failed = (why: string) =>
    unparsed("step_failed", `${at}: nothing can be typed into ${wordsFor(control)}: ${why}`);
  const hasFocus = await cdp.send("DOM.focus", { backendNodeId: backendId }).catch(() => null);
  if (hasFocus === null) return failed("the keyboard cannot be put on it");
  const watch = await callFor(cdp, backendId, WATCH);
  const why = await askOf(cdp, watch, "function () { return this.why; }");
  if (typeof why === "string") return failed(why);
  await page.keyboard.insertText(text);
  // What a page does when somebody types may be to leave.
  const took = await askOf(cdp, watch, TOOK, text).catch(() => true);
  return took === false
    ? unparsed("step_failed", `${at}: ${wordsFor(control)} does not take the text of the step`)
    : parsed(null);
}

/**
 * Selects what stands where the keyboard writes now, which may be inside of the element, and watches whether something is written
 * there. `why`: why nothing can be, or null.
 */
const WATCH = `function () {
  let at = this.getRootNode().activeElement ?? this;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const watch = { at, why: null, typed: false, before: at.value };
  const isField = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement;
  const untyped = ["checkbox", "radio", "file", "range", "color", "button", "submit", "reset", "image"];
  if (!isField) watch.why = at.isContentEditable ? null : "it is no field";
  else if (untyped.includes(at.type)) watch.why = "it is a field of the type " + at.type;
  else if (at.readOnly) watch.why = "it is read only";
  if (watch.why !== null) return watch;
  at.addEventListener("input", () => { watch.typed = true; }, { once: true, capture: true });
  at.select?.();
  return watch;
}`;

/** Whether what was typed arrived. An editor may do with it what it likes; a field for numbers has to have that number. */
const TOOK = `function (text) {
  const { at, typed, before } = this;
  if (text === "" || at.value === undefined || at.value === text) return true;
  if (at.type === "number") return at.value !== "" && Number(at.value) === Number(text);
  return typed || at.value !== before;
}`;

const CHOOSE = `function (text) {
  const option = [...this.options].find((one) => one.label.trim() === text || one.value === text);
  if (option === undefined) return false;
  this.value = option.value;
  this.dispatchEvent(new Event("input", { bubbles: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}`;

async function call(cdp: Cdp, backendNodeId: number, functionDeclaration: string, argument?: string): Promise<unknown> {
  const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
  return await askOf(cdp, object.objectId, functionDeclaration, argument);
}

/** The browser's own number of what a function makes of an element. */
async function callFor(cdp: Cdp, backendNodeId: number, functionDeclaration: string): Promise<string | undefined> {
  const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
  if (object.objectId === undefined) throw new Error("the element is gone");
  const { result } = await cdp.send("Runtime.callFunctionOn", { objectId: object.objectId, functionDeclaration });
  return result.objectId;
}

async function askOf(
  cdp: Cdp,
  objectId: string | undefined,
  functionDeclaration: string,
  argument?: string,
): Promise<unknown> {
  if (objectId === undefined) throw new Error("the element is gone");
  const { result } = await cdp.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration,
    arguments: argument === undefined ? [] : [{ value: argument }],
    returnByValue: true,
  });
  return result.value;
}
