import { joinRoles } from "../domain/approval.ts";
import { type Denial, denial } from "../domain/denial.ts";
import { type JsonObject, own } from "../domain/json.ts";
import type { Provenance, ProvenanceRule, Sighting } from "../domain/provenance.ts";
import type { Tool } from "../domain/tool.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import type { Judgement } from "./policy.ts";
import { destinationsIn } from "./provenance/destinations.ts";
import { paramLeaves } from "./provenance/leaves.ts";
import { keyPath } from "./provenance/path.ts";
import { insidePath, TRACED_MAX } from "./provenance/trace.ts";

/**
 * Provenance (design 6.3): whether each value that a rule of the tool names was seen where the rule wants it. Returns null
 * where all were, else a denial or a stage, under the name `<tool>.provenance`; a denial beats a stage. It reads what was
 * traced, and what was not traced was never seen.
 *
 * Laws, tested in test/laws/provenance.test.ts:
 *   never-seen-stays-so     no spelling of a value makes it another that was seen
 *   untrusted-adds-nothing  what outsiders wrote turns no denial into a permit
 */
export function checkProvenance(
  tool: Tool,
  params: JsonObject,
  provenance: Provenance,
): Exclude<Judgement, { readonly effect: "permit" }> | null {
  if (tool.provenance === null) return null;
  const name = `${tool.name}.provenance`;
  let traced = 0;
  const roles: string[] = [];
  const why: string[] = [];
  for (const [field, rule] of Object.entries(tool.provenance)) {
    const value = own(params, field);
    if (value === undefined) continue;
    for (const { path, text } of paramLeaves(value, keyPath("", field), LEAVES_MAX)) {
      if (rule.inside !== true) traced += 1;
      const missing = isSeen(rule, provenance, path) ? null : missingAt(rule, provenance, path, text);
      if (missing === null) continue;
      if (rule.otherwise === undefined) return { effect: "deny", rule: name, denial: missing };
      roles.push(rule.otherwise.stage);
      why.push(missing.detail);
    }
  }
  // Where provenance stands in for evidence, a proposal in which nothing was to be traced has shown nothing.
  if (traced === 0 && tool.placement === "irreversible" && tool.evidence === null) {
    return { effect: "deny", rule: name, denial: denial("provenance_missing", "nothing in the params can be traced") };
  }
  if (roles.length === 0) return null;
  return { effect: "stage", rule: name, role: joinRoles(roles), why: why.slice(0, WHY_MAX).join("; ") };
}

/** More than the output rail lets through. */
const LEAVES_MAX = 100_000;
/** So many values that were not seen are named to the person. */
const WHY_MAX = 4;

/** What is missing of a value that was not seen as a whole; null for a composed text in which nothing is. */
function missingAt(rule: ProvenanceRule, provenance: Provenance, path: string, text: string): Denial | null {
  if (rule.inside !== true) return unseen(rule, path, sightingsAt(provenance, path));
  const inside = destinationsIn(text);
  if (inside.length >= TRACED_MAX) return denial("provenance_missing", `${quoted(path)} holds too much to be traced`);
  const bad = inside.map((one) => insidePath(path, one.text)).find((one) => !isSeen(rule, provenance, one));
  return bad === undefined ? null : unseen(rule, bad, sightingsAt(provenance, bad));
}

function isSeen(rule: ProvenanceRule, provenance: Provenance, path: string): boolean {
  return sightingsAt(provenance, path).some(({ source }) => source !== "untrusted" && rule.from.includes(source));
}

function sightingsAt(provenance: Provenance, path: string): readonly Sighting[] {
  return Object.hasOwn(provenance, path) ? (provenance[path] ?? []) : [];
}

function unseen(rule: ProvenanceRule, path: string, sightings: readonly Sighting[]): Denial {
  const wanted = rule.from.map((source) => WHERE[source]).join(" or in ");
  const first = sightings[0];
  if (first === undefined) return denial("provenance_missing", `${quoted(path)} was not seen in ${wanted}`);
  if (sightings.some(({ source }) => source !== "untrusted")) {
    return denial("provenance_missing", `${quoted(path)} was seen, but not in ${wanted}`);
  }
  const by = first.tool === null ? "in words that are not the operator's" : `in what ${first.tool} returned`;
  return denial("provenance_untrusted", `${quoted(path)} was seen only ${by}, which outsiders can write`);
}

const WHERE = { request: "the operator's request", trusted: "a trusted field" } as const;

function quoted(path: string): string {
  return JSON.stringify(utf8Prefix(path, 80));
}
