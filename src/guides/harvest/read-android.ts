/**
 * Screens of Android as `uiautomator dump` and Appium's UiAutomator2 driver write them. A control is what can be clicked or
 * checked and has a name of some kind, and every text outside of one; a text inside of one is the control's.
 */
import type { Harvested } from "../../domain/control-map.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { Gathering, heldText, otherTexts, type Reading } from "./reading.ts";
import { type Element, walkElements } from "./walk-elements.ts";

export function readAndroid(root: Markup, reading: Reading, limits: MapLimits): Parsed<Harvested> {
  if (root.name !== "hierarchy") {
    const hint = isIosSource(root) ? ": this is a page source of iOS" : "";
    return unparsed(
      "not_android",
      `the outermost element has to be <hierarchy>, and is <${root.name.slice(0, 40)}>${hint}`,
    );
  }
  const gathering = new Gathering(reading, limits);
  let app = "";
  walkElements(root, gathering, (markup, id) => {
    const get = (name: string): string => markup.attributes[name] ?? "";
    if (app === "") app = get("package");
    return elementOf(markup, id, get);
  });
  return gathering.draw(reading, "android", { title: "", where: app }, limits);
}

export function isIosSource(root: Markup): boolean {
  return root.name === "AppiumAUT" || root.name.startsWith("XCUIElementType");
}

function elementOf(markup: Markup, id: string, get: (name: string) => string): Element {
  const is = (name: string): boolean => get(name) === "true";
  const kind = get("class") || markup.name;
  const written = is("password") && MASKED.test(get("text")) ? "" : get("text");
  const hint = get("hint");
  // Where the dump tells the hint apart, the text of a field is what somebody wrote into it.
  const text = hint === "" ? written : hint;
  const content = hint === "" || written === hint || is("password") ? "" : written;
  const box = is("checkable") ? (is("checked") ? "checked" : "not checked") : "";
  return {
    id,
    role: kind.slice(kind.lastIndexOf(".") + 1),
    text,
    desc: get("content-desc"),
    resourceId: get("resource-id"),
    value: heldText(content, box, is("selected") ? "selected" : ""),
    clickable: is("clickable") || is("checkable"),
    disabled: get("enabled") === "false",
    isText: text !== "" || get("content-desc") !== "",
    inside: text || get("content-desc"),
    childText: (texts) => otherTexts(texts, text),
  };
}

/** What stands in a password's field instead of it. */
const MASKED = /^[\u2022\u25cf\u00b7*]+$/;
