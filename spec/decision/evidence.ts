import type { Json, JsonObject } from "../../src/domain/json.ts";
import { plainText } from "./plain-text.ts";
import type { SaidCase, SaidItem, SaidTool } from "./said.ts";

/** How far two clocks may differ: five minutes. */
const SKEW_MS = 5 * 60 * 1_000;

/** Why what was cited proves nothing, or null where it proves enough. */
export function evidenceRefusal(
  { asked, principal, customer, now }: SaidCase,
  { evidence }: SaidTool,
  params: JsonObject,
  record: Json,
): string | null {
  if (evidence === null) return null;

  // The same id twice is one.
  const ids: string[] = [];
  for (const id of asked.evidence) if (!ids.includes(id)) ids.push(id);
  if (ids.length < evidence.min) return "evidence_missing";

  if (evidence.lists !== "items") return "policy_error";
  const known = itemsOf(record);
  if (known === null) return "policy_error";

  const cited: SaidItem[] = [];
  for (const id of ids) {
    const item = known.findLast((one) => one.id === id);
    if (item === undefined) return "evidence_unknown";
    const isOurs = item.owner === undefined || item.owner === principal.id || item.owner === customer;
    if (!isOurs) return "evidence_foreign";
    if (evidence.maxAgeMs !== null) {
      if (item.at === undefined) return "evidence_stale";
      const age = now - item.at;
      if (age > evidence.maxAgeMs) return "evidence_stale";
      if (age < -SKEW_MS) return "evidence_stale";
    }
    cited.push(item);
  }

  for (const [field, by] of Object.entries(evidence.justifies)) {
    if (!Object.hasOwn(params, field)) continue;
    const said = plainText(params[field] ?? null);
    let vouched = false;
    for (const item of cited) {
      if (vouched) break;
      if ("broken" in by) return "policy_error";
      const value = item[by.item];
      // An item that has no such field vouches for nothing that JSON has a word for: its author's mistake.
      if (value === undefined) return "policy_error";
      vouched = plainText(value) === said;
    }
    if (!vouched) return "evidence_mismatch";
  }
  return null;
}

function itemsOf(record: Json): readonly SaidItem[] | null {
  if (typeof record !== "object" || record === null || !("items" in record)) return null;
  return record.items as unknown as readonly SaidItem[];
}
