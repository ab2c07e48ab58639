import { fileURLToPath } from "node:url";
import { apart } from "../../apart.ts";
import type { Counts } from "../../hostile/tally.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

export type Differential = {
  readonly cases: number;
  readonly counts: Counts;
  readonly faults: readonly string[];
  readonly cpuSeconds: number;
};

type Told = {
  readonly cases: number;
  readonly counts: readonly (readonly [string, number])[];
  readonly faults: readonly string[];
};

/**
 * Decides so many random cases by the rails of a house (`src`: the real one, or a copy with a planted fault) and by the slow
 * ones, in a process of its own. It ends with `faultsMax` differences. Rejects where the house does not even open.
 */
export async function differential(src: string, seed: number, cases: number, faultsMax: number): Promise<Differential> {
  const told = await apart<Told>(WORKER, [src, String(seed), String(cases), String(faultsMax)]);
  if (!told.ok) throw new Error(told.why);
  return { ...told.report, counts: new Map(told.report.counts), cpuSeconds: told.cpuSeconds };
}

/** Every code that a decision can be denied with, beside those that tools and rules have of their own. */
const DENIALS = [
  ...["unroutable", "actor_not_in_allowlist", "permission", "unknown_tool"],
  ...[
    "unknown_key",
    "missing_key",
    "wrong_type",
    "fraction",
    "not_in_enum",
    "no_variant",
    "out_of_bounds",
    "bad_format",
  ],
  ...["invalid_params", "too_large", "too_deep", "too_many_keys", "forbidden_key", "lone_surrogate", "unsafe_integer"],
  ...["number_out_of_range", "not_plain", "record_missing", "record_failed", "record_timeout", "record_unreadable"],
  ...["evidence_missing", "evidence_unknown", "evidence_foreign", "evidence_stale", "evidence_mismatch"],
  ...["provenance_missing", "provenance_untrusted", "no_policy", "no_permit", "policy_error"],
  ...["approval_expired", "approval_stale", "cap_exceeded", "cap_error"],
];

const OF_THEIR_OWN = ["too_much", "frozen", "too_late", "rule_0"];

const RULES = [
  ...["loop", "output", "input", "record", "evidence", "provenance", "authorise", "of the operator", "placement"],
  ...["default", "approval", "caps"],
];

/** What a campaign must have seen, or it proves nothing. */
export const TO_BE_SEEN: readonly string[] = [
  ...["permit", "stage", "deny", "permit approved", "deny approved"].map((outcome) => `outcome ${outcome}`),
  ...[...DENIALS, ...OF_THEIR_OWN].map((code) => `denial ${code}`),
  ...RULES.map((rule) => `rule ${rule}`),
];
