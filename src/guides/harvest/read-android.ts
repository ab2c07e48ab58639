/**
 * Screens of Android as `uiautomator dump` and Appium's UiAutomator2 driver write them. A control is what can be clicked or
 * checked and has a name of some kind, and every text outside of one; a text inside of one is the control's.
 */
import type { Harvested } from "../../domain/control-map.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import { Passwords } from "./passwords.ts";
import { Gathering, heldText, otherTexts, type Reading } from "./reading.ts";
import { type Element, walkElements } from "./walk-elements.ts";

export function readAndroid(
  root: Markup,
  reading: Reading,
  limits: MapLimits,
  passwords: Passwords = new Passwords(),
): Parsed<Harvested> {
  if (root.name !== "hierarchy") {
    const hint = isIosSource(root) ? ": this is a page source of iOS" : "";
    return unparsed(
      "not_android",
      `the outermost element has to be <hierarchy>, and is <${root.name.slice(0, 40)}>${hint}`,
    );
  }
  const gathering = new Gathering(reading, limits);
  let app = "";
  passwords.nextText();
  walkElements(root, gathering, (markup, id) => {
    const get = (name: string): string => markup.attributes[name] ?? "";
    if (app === "") app = get("package");
    return elementOf(markup, id, get, passwords);
  });
  return gathering.draw(reading, "android", { title: "", where: app }, limits);
}

export function isIosSource(root: Markup): boolean {
  return root.name === "AppiumAUT" || root.name.startsWith("XCUIElementType");
}

function elementOf(markup: Markup, id: string, get: (name: string) => string, passwords: Passwords): Element {
  const is = (name: string): boolean => get(name) === "true";
  const kind = get("class") || markup.name;
  const isField = is("password") || isWrittenRole(kind);
  const known = { name: get("resource-id") || kind, place: get("bounds") };
  const isPassword = isField && passwords.has(is("password"), known);
  // Where the dump tells the hint apart, the text of a field is what somebody wrote into it; where it does not, it may be either,
  // and is the only name that there is. A password is never one.
  const text = get("hint") || (isPassword ? "" : get("text"));
  const box = is("checkable") ? (is("checked") ? "checked" : "not checked") : "";
  return {
    id,
    role: kind.slice(kind.lastIndexOf(".") + 1),
    text,
    desc: get("content-desc"),
    resourceId: get("resource-id"),
    value: heldText(box, is("selected") ? "selected" : ""),
    clickable: is("clickable") || is("checkable"),
    disabled: get("enabled") === "false",
    isText: text !== "" || get("content-desc") !== "",
    inside: text || get("content-desc"),
    isSecret: isPassword,
    childText: (texts) => otherTexts(texts, text),
  };
}
