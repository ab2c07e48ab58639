import { canonicalJson } from "../domain/canonical.ts";
import { EVENT_BYTES_MAX, EVENT_NAME, EVENT_NAME_FORM } from "../domain/guide-event.ts";
import { isForbidden, quoted } from "../domain/json-limits.ts";
import type { Condition, Scalar } from "../domain/rule.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { HeaderEntry, HeaderNode } from "./header-node.ts";
import type { Note } from "./places.ts";
import { inQuotes } from "./read-strings.ts";

/**
 * What an event or a proposal has to be: a mapping of facts to the values that they may have, with `event` and, in `breach`,
 * `tool` for its name. What no tool can say is refused: a rule would wait for it for ever. Undefined where something was noted.
 */
export function readCondition(name: "when" | "breach", node: HeaderNode, note: Note): Condition | undefined {
  if (node.kind !== "map" || node.entries.length === 0) {
    note("bad_value", node.at, `\`${name}\` has to be a mapping of facts to values, such as \`event: screen_locked\``);
    return undefined;
  }
  let sound = true;
  const refuse = (at: number, message: string): null => {
    sound = false;
    note("bad_value", at, message);
    return null;
  };
  const named = (entry: HeaderEntry | undefined): string | null => {
    if (entry === undefined) return null;
    const { key, value } = entry;
    if (value.kind !== "scalar" || typeof value.value !== "string" || value.value.trim() === "") {
      return refuse(value.at, `\`${name}.${key}\` has to be a name${inQuotes(value)}`);
    }
    if (key === "tool" || EVENT_NAME.test(value.value)) return value.value;
    return refuse(value.at, `\`${name}.${key}\` is called as no tool can call an event: ${EVENT_NAME_FORM}`);
  };
  const eventEntry = node.entries.find(({ key }) => key === "event");
  const toolEntry = node.entries.find(({ key }) => key === "tool");
  const event = named(eventEntry);
  const tool = named(toolEntry);
  if (toolEntry !== undefined && name === "when") {
    refuse(toolEntry.at, "`when` waits for an event: `tool` stands only in `breach`");
  } else if (toolEntry !== undefined && eventEntry !== undefined) {
    refuse(toolEntry.at, "`breach` is about an event or about a proposal of a tool, not about both");
  }
  const facts = node.entries
    .filter(({ key }) => key !== "event" && key !== "tool")
    .map((entry) => ({ name: entry.key, anyOf: readFact(name, entry, toolEntry === undefined, refuse) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return sound ? { event, tool, facts } : undefined;
}

function readFact(
  name: string,
  { key, at, value }: HeaderEntry,
  isOfEvent: boolean,
  refuse: (at: number, says: string) => null,
): Scalar[] {
  // No event and no proposal can have such a name, so the condition could never hold.
  if (key.trim() === "" || isForbidden(key)) refuse(at, `\`${name}\`: ${quoted(key)} is no name of a fact`);
  const items = value.kind === "list" ? value.items : [value];
  if (items.length === 0) refuse(value.at, `\`${name}\`: an empty list for ${quoted(key)} could never hold`);
  return items.flatMap((item) => {
    if (item.kind === "scalar" && item.value !== null) {
      if (isOfEvent && bytesOfEvent(key, item.value) > EVENT_BYTES_MAX) {
        refuse(item.at, `\`${name}\`: no event has room for this value of ${quoted(key)}`);
      }
      return [item.value];
    }
    refuse(item.at, `\`${name}\`: ${quoted(key)} has to be a text, a number, true or false, or a list of these`);
    return [];
  });
}

/** The smallest event with this fact. */
function bytesOfEvent(key: string, value: Scalar): number {
  return utf8Length(canonicalJson({ name: "x", facts: { [key]: value } }));
}
