/** An interface said in each format that is a text. */
import type { TextKind } from "../../src/guides/index.ts";
import type { Interface } from "../contract/harvester.ts";

/** The text of one screen. `depth`: elements around the controls. */
export type Written = (names: readonly string[], depth: number) => string;

const xmlText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("\u202e", "&#x202e;");

const around = (depth: number, open: string, inner: string, close: string): string =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

export const WRITTEN: Readonly<Record<TextKind, Written>> = {
  android: (names, depth) => {
    const open = '<node class="android.view.View" text="">';
    const nodes = names.map((name) => `<node class="android.widget.Button" text="${xmlText(name)}" clickable="true"/>`);
    return `<?xml version="1.0"?><hierarchy rotation="0">${around(depth, open, nodes.join(""), "</node>")}</hierarchy>`;
  },
  ios: (names, depth) => {
    const tag = "XCUIElementTypeOther";
    const nodes = names.map((name) => `<XCUIElementTypeButton label="${xmlText(name)}"/>`);
    return `<AppiumAUT>${around(depth, `<${tag}>`, nodes.join(""), `</${tag}>`)}</AppiumAUT>`;
  },
  aria: (names, depth) => {
    const frames = Array.from({ length: depth }, (_, i) => `${"  ".repeat(i)}- group:\n`);
    const indent = "  ".repeat(depth);
    const key = (name: string): string => `'button ${JSON.stringify(name).replaceAll("'", "''")}'`;
    return `${frames.join("")}${names.map((name) => `${indent}- ${key(name)}\n`).join("")}`;
  },
  autodroid: (names) => names.map((name, i) => `<button id=${i}>${name}</button>\n`).join(""),
  actree: (names, depth) =>
    names.map((name, i) => `${"\t".repeat(depth)}[${100 + i}] button '${name.replace(/['\\]/g, "\\$&")}'\n`).join(""),
  mcp: (names) => JSON.stringify({ tools: names.map((name) => ({ name })) }),
  openapi: (names, depth) => {
    const paths = names.map((name, i) => [`/${i}`, { get: { operationId: name, responses: nested(depth) } }]);
    return JSON.stringify({ openapi: "3.1.0", info: { title: "Things" }, paths: Object.fromEntries(paths) });
  },
  jsonl: (names, depth) =>
    JSON.stringify({
      map: "one",
      controls: names.map((name, i) => ({ id: `c${i}`, role: "button", text: name })),
      ...(depth > 0 ? { extra: nested(depth) } : {}),
    }),
};

function nested(depth: number): object {
  let value = {};
  for (let i = 1; i < depth; i++) value = { inside: value };
  return value;
}

/** What `depthMax` has to be for a text of that depth; null where the format has none. */
export const DEPTH: Readonly<Record<TextKind, (depth: number) => number | null>> = {
  // The root, what is around, the control.
  android: (depth) => depth + 2,
  ios: (depth) => depth + 2,
  // A list and a mapping for each element around, and the list of the control.
  aria: (depth) => 2 * depth + 1,
  autodroid: () => null,
  actree: (depth) => depth + 1,
  // A list of objects in an object.
  mcp: () => 3,
  // The document, the paths, a path, an operation, and what is in it.
  openapi: (depth) => depth + 4,
  jsonl: (depth) => depth + 1,
};

export function written(kind: TextKind, { screens, depth = 0 }: Interface): readonly string[] {
  return screens.map((names) => WRITTEN[kind](names, depth));
}
