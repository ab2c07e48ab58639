import { quoted } from "../domain/json-limits.ts";
import type { Parsed } from "../domain/parsed.ts";
import type { HeaderNode } from "./header-node.ts";
import type { Note } from "./places.ts";

/**
 * A text or a list of texts, each read by `read`. Undefined where something was noted. An empty list is refused: it might be
 * meant as all, or as none.
 */
export function readStrings<T>(
  name: string,
  node: HeaderNode,
  note: Note,
  read: (text: string) => Parsed<T>,
): readonly T[] | undefined {
  const items = node.kind === "list" ? node.items : [node];
  if (items.length === 0) {
    note("bad_value", node.at, `\`${name}\` is an empty list: leave it out, or name something`);
    return undefined;
  }
  const found: T[] = [];
  for (const item of items) {
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      note("bad_value", item.at, `\`${name}\` has to be a text or a list of texts${inQuotes(item)}`);
      continue;
    }
    const value = read(item.value);
    if (value.ok) found.push(value.value);
    else note("bad_value", item.at, `\`${name}\` ${quoted(item.value)}: ${value.why.detail}`);
  }
  return found.length === items.length ? found : undefined;
}

/** For a number or a yes that was meant as a text. */
export function inQuotes(node: HeaderNode): string {
  return node.kind === "scalar" && node.value !== null ? `: write ${JSON.stringify(String(node.value))} in quotes` : "";
}
