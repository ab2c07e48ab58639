import { deepFreeze, type Json, type JsonObject } from "../../domain/json.ts";
import { NO_PROVENANCE, type Provenance, type ProvenanceRules } from "../../domain/provenance.ts";
import { destinationsIn } from "./destinations.ts";
import { paramLeaves } from "./leaves.ts";
import { keyPath } from "./path.ts";
import type { Asked, Seen } from "./seen.ts";

/** Values of one proposal that are traced, those with a rule first. What is beyond was never seen. */
export const TRACED_MAX = 256;

/** A value that has to be traced, with its path in the params. */
export type Traced = { readonly path: string; readonly text: string };

/**
 * Where each leaf value of the params was seen. `params` is what the output rail accepted, `rules` the tool's, null for none:
 * they say how a field's spellings are compared, and which texts are looked into.
 */
export function traceParams(params: JsonObject, seen: Seen, rules: ProvenanceRules | null): Provenance {
  const asked = new Map<string, Asked>();
  const ask = (field: string, value: Json): void => {
    const rule = rules === null ? undefined : ownRule(rules, field);
    for (const { path, text } of paramLeaves(value, keyPath("", field), TRACED_MAX - asked.size)) {
      asked.set(path, { text, as: rule?.as ?? "text" });
      if (rule?.inside !== true) continue;
      for (const one of destinationsIn(text)) {
        if (asked.size >= TRACED_MAX) return;
        asked.set(insidePath(path, one.text), one);
      }
    }
  };
  const fields = Object.entries(params);
  const ruled = ([field]: readonly [string, Json]): boolean => rules !== null && ownRule(rules, field) !== undefined;
  for (const [field, value] of [...fields.filter(ruled), ...fields.filter((one) => !ruled(one))]) {
    if (asked.size >= TRACED_MAX) break;
    ask(field, value);
  }
  if (asked.size === 0) return NO_PROVENANCE;
  const sightings = seen.look([...asked.values()]).seen;
  return deepFreeze(Object.fromEntries([...asked.keys()].map((path, i) => [path, sightings[i] ?? []])));
}

/** Where a destination inside of a composed text is kept. */
export function insidePath(path: string, destination: string): string {
  return `${path}{${destination}}`;
}

export function ownRule(rules: ProvenanceRules, field: string): ProvenanceRules[string] | undefined {
  return Object.hasOwn(rules, field) ? rules[field] : undefined;
}
