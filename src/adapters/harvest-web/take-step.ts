import type { EntryStep } from "../../domain/entry-path.ts";
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
  { backendId, text }: SeenControl,
  around: ReadonlyMap<number, number>,
  { page, cdp }: WebPage,
  at: string,
): Promise<Parsed<null>> {
  const place = await placeOf(backendId, cdp);
  if (place === null) {
    // A box that is hidden behind a picture of a box has no place of its own, and is clicked by the program.
    await call(cdp, backendId, "function () { this.click(); }");
    return parsed(null);
  }
  const hit = await cdp.send("DOM.getNodeForLocation", { ...place, ignorePointerEventsNone: true }).catch(() => null);
  if (hit !== null && !isIn(hit.backendNodeId, backendId, around) && !isIn(backendId, hit.backendNodeId, around)) {
    return unparsed("step_failed", `${at}: something else lies over the control ${JSON.stringify(text.slice(0, 60))}`);
  }
  await page.mouse.click(place.x, place.y);
  return parsed(null);
}

type Cdp = WebPage["cdp"];

/** The middle of the first part of an element that is on the screen, scrolled to; null where it takes no place. */
async function placeOf(backendNodeId: number, cdp: Cdp): Promise<{ readonly x: number; readonly y: number } | null> {
  try {
    await cdp.send("DOM.scrollIntoViewIfNeeded", { backendNodeId });
    const { quads } = await cdp.send("DOM.getContentQuads", { backendNodeId });
    const [quad] = quads;
    if (quad === undefined) return null;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = quad;
    return { x: Math.round((x1 + x2 + x3 + x4) / 4), y: Math.round((y1 + y2 + y3 + y4) / 4) };
  } catch {
    return null;
  }
}

/** Whether an element is another one, or somewhere in it. What is not known, since it came later, counts as in it. */
function isIn(inner: number, outer: number, around: ReadonlyMap<number, number>): boolean {
  if (!around.has(inner)) return true;
  for (let at: number | undefined = inner; at !== undefined; at = around.get(at)) if (at === outer) return true;
  return false;
}

async function fill(
  { backendId, tag }: SeenControl,
  text: string,
  { page, cdp }: WebPage,
  at: string,
): Promise<Parsed<null>> {
  if (tag === "SELECT") {
    const chosen = await call(cdp, backendId, CHOOSE, text);
    return chosen === true
      ? parsed(null)
      : unparsed("step_failed", `${at}: there is no option ${JSON.stringify(text)}`);
  }
  await cdp.send("DOM.focus", { backendNodeId: backendId });
  await call(cdp, backendId, "function () { this.select?.(); }");
  await page.keyboard.insertText(text);
  return parsed(null);
}

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
  if (object.objectId === undefined) throw new Error("the element is gone");
  const { result } = await cdp.send("Runtime.callFunctionOn", {
    objectId: object.objectId,
    functionDeclaration,
    arguments: argument === undefined ? [] : [{ value: argument }],
    returnByValue: true,
  });
  return result.value;
}
