/**
 * Screens of iOS as Appium's XCUITest driver writes them. Which types can be used is the system's own list, since a page source
 * does not say it; `label` is what a person reads, `name` often an identifier of the program's.
 */
import type { Harvested } from "../../domain/control-map.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { isWrittenRole } from "../../domain/written-roles.ts";
import { Passwords } from "./passwords.ts";
import { isIosSource } from "./read-android.ts";
import { Gathering, otherTexts, type Reading } from "./reading.ts";
import { type Element, walkElements } from "./walk-elements.ts";

export function readIos(
  root: Markup,
  reading: Reading,
  limits: MapLimits,
  passwords: Passwords = new Passwords(),
): Parsed<Harvested> {
  if (!isIosSource(root)) {
    return unparsed("not_ios", `the outermost element has to be <AppiumAUT>, and is <${root.name.slice(0, 40)}>`);
  }
  const gathering = new Gathering(reading, limits);
  let app = "";
  let title = "";
  passwords.nextText();
  walkElements(root, gathering, (markup, id) => {
    const get = (name: string): string => markup.attributes[name] ?? "";
    const role = (get("type") || markup.name).replace(/^XCUIElementType/, "");
    if (role === "Application" && app === "") app = get("name");
    if (role === "NavigationBar" && title === "") title = get("name");
    return elementOf(role, id, get, passwords);
  });
  return gathering.draw(reading, "ios", { title, where: app }, limits);
}

const USED: ReadonlySet<string> = new Set([
  ...["Button", "Cell", "Switch", "Toggle", "Link", "TextField", "SecureTextField", "SearchField", "Slider", "Stepper"],
  ...[
    "Picker",
    "PickerWheel",
    "DatePicker",
    "Tab",
    "MenuItem",
    "MenuBarItem",
    "CheckBox",
    "RadioButton",
    "PopUpButton",
  ],
  ...["ComboBox", "DisclosureTriangle", "Key", "Icon"],
]);

function elementOf(role: string, id: string, get: (name: string) => string, passwords: Passwords): Element {
  const isWritten = isWrittenRole(`XCUIElementType${role}`);
  const place = ["x", "y", "width", "height"].map(get).join(" ").trim();
  const known = { name: get("name") || "TextField", place };
  const isPassword = isWritten && passwords.has(role === "SecureTextField", known);
  // What stands in the field for a password is no name of it, unless it is what the empty field says.
  const isHeld = (text: string): boolean => isPassword && text === get("value") && text !== get("placeholderValue");
  const [label = "", name = ""] = [get("label"), get("name")].map((text) => (isHeld(text) ? "" : text));
  const text = label || name || get("placeholderValue");
  const isBox = role === "Switch" || role === "Toggle" || role === "CheckBox";
  const held = isWritten || get("value") === text ? "" : get("value");
  return {
    id,
    role,
    text,
    desc: "",
    resourceId: name === text ? "" : name,
    value: isBox && (held === "0" || held === "1") ? (held === "1" ? "checked" : "not checked") : held,
    clickable: USED.has(role),
    disabled: get("enabled") === "false",
    isText: role === "StaticText" && text !== "",
    inside: text,
    isSecret: isPassword,
    childText: (texts) => otherTexts(texts, text),
  };
}
