import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { SaidCase, SaidTool } from "./said.ts";

/** What the origin of the values says: a denial, the roles that have to look at it, or null where all of it is in order. */
export function provenanceVerdict(
  { provenance, inside }: SaidCase,
  tool: SaidTool,
  params: JsonObject,
): { readonly code: string } | { readonly stages: readonly string[] } | null {
  if (tool.provenance === null) return null;
  let wholes = 0;
  const stages: string[] = [];
  for (const [field, rule] of Object.entries(tool.provenance)) {
    if (!Object.hasOwn(params, field)) continue;
    for (const { path, text } of valuesIn(params[field] ?? null, field)) {
      if (rule.inside !== true) wholes += 1;
      // A composed text is in order where all that is inside of it is; or where all of it was seen, of course.
      const whole = fault(listIn(provenance, path), rule.from);
      let wrong = whole;
      if (rule.inside === true && whole !== null) {
        const faults = listIn(inside, text).map((one) => fault(listIn(provenance, `${path}{${one}}`), rule.from));
        wrong = faults.find((one) => one !== null) ?? null;
      }
      if (wrong === null) continue;
      if (rule.stage === undefined) return { code: wrong };
      stages.push(rule.stage);
    }
  }
  const mustProve = tool.placement === "irreversible" && tool.evidence === null;
  if (mustProve && wholes === 0) return { code: "provenance_missing" };
  return stages.length === 0 ? null : { stages };
}

/** Its own and nobody else's: names are given by strangers, and some mean something to the language. */
function listIn<T>(lists: { readonly [name: string]: readonly T[] }, name: string): readonly T[] {
  return Object.hasOwn(lists, name) ? (lists[name] ?? []) : [];
}

type Sightings = SaidCase["provenance"][string];

/** Nowhere, or in the wrong places; and where only outsiders wrote it, that is worse. */
function fault(sightings: Sightings, from: readonly string[]): string | null {
  const good = sightings.some(({ source }) => (source === "request" || source === "trusted") && from.includes(source));
  if (good) return null;
  const onlyOutsiders = sightings.length > 0 && sightings.every(({ source }) => source === "untrusted");
  return onlyOutsiders ? "provenance_untrusted" : "provenance_missing";
}

/** Texts and numbers carry something; what is true, false or nothing carries nothing. */
function valuesIn(value: Json, path: string): readonly { readonly path: string; readonly text: string }[] {
  if (typeof value === "string" || typeof value === "number") return [{ path, text: String(value) }];
  if (Array.isArray(value)) return value.flatMap((one: Json, i) => valuesIn(one, `${path}[${i}]`));
  return [];
}
