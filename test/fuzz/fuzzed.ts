import { fileURLToPath } from "node:url";
import { apart } from "../apart.ts";
import type { Counts } from "../hostile/tally.ts";
import type { Report } from "./campaign.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

export type Fuzzed = Report & { readonly cpuSeconds: number };

type Told = Omit<Report, "counts"> & { readonly counts: readonly (readonly [string, number])[] };

/**
 * So many random operations on the boxes of a house (`src`: the real one, or a copy with a planted fault), in a process of
 * its own. It ends with `faultsMax` faults; a hang or a crash is one.
 */
export async function fuzzed(src: string, seed: number, operations: number, faultsMax: number): Promise<Fuzzed> {
  const told = await apart<Told>(WORKER, [src, String(seed), String(operations), String(faultsMax)]);
  if (told.ok) return { ...told.report, counts: new Map(told.report.counts), cpuSeconds: told.cpuSeconds };
  const counts: Counts = new Map();
  return { operations: 0, counts, faults: [told.why], heapGrowth: 0, cpuSeconds: 0 };
}

const DENIALS = [
  ...[
    "permission",
    "unknown_tool",
    "unknown_key",
    "missing_key",
    "wrong_type",
    "fraction",
    "not_in_enum",
    "out_of_bounds",
  ],
  ...["bad_format", "too_large", "too_deep", "too_many_keys", "forbidden_key", "lone_surrogate", "unsafe_integer"],
  ...["number_out_of_range", "not_plain", "too_much_evidence", "record_missing", "record_failed"],
  ...["evidence_missing", "evidence_unknown", "evidence_foreign", "evidence_stale", "evidence_mismatch", "no_permit"],
  ...["already_done", "outcome_open", "approval_stale", "approval_mismatch", "approval_rejected", "approval_expired"],
  ...["cap_exceeded", "cap_error", "too_much", "account_shut", "no_blue", "too_many_waiting"],
];

const REFUSALS = [
  ...["unknown_approval", "unknown_approver", "approver_lacks_role", "approver_is_proposer", "approval_mismatch"],
  ...["approval_expired", "approval_rejected", "approval_used", "already_approved", "no_reason", "outside_run"],
  ...[
    "not_started",
    "unknown_step",
    "already_settled",
    "unknown_outcome",
    "unknown_run",
    "bad_step",
    "bad_proposal",
    "bad_id",
    "bad_params",
    "still_open",
  ],
];

const DID = [
  ...["decide", "guard", "settle", "approve", "reject", "edit", "resolve", "run", "resume", "record", "pass", "race"],
  ...["look", "nonsense", "meddle", "crowd", "restart"],
];

/** What a fuzz must have seen, or it proves nothing. */
export const TO_BE_SEEN: readonly string[] = [
  ...DID.map((name) => `did ${name}`),
  ...["allow", "stage", "permit"].map((outcome) => `outcome ${outcome}`),
  ...DENIALS.map((code) => `denial ${code}`),
  ...REFUSALS.map((code) => `refused ${code}`),
  ...["done", "done before", "came too late", "failed", "outcome_unknown", "denied", "staged"].map(
    (kind) => `guard ${kind}`,
  ),
  ...["done", "failed", "outcome_unknown"].map((outcome) => `settled ${outcome}`),
  ...["answered", "awaiting_approval", "outcome_unknown"].map((ending) => `ending ${ending}`),
  ...["approved", "approved in a run", "rejected", "edited", "resolved", "replayed", "expected"],
  ...["settled again", "resolved as gone", "begun again", "cancelled before it was resumed"],
  "decided on what a person edited",
];
