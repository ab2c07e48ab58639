/** A Denial: a rail's refusal of a proposal, with a code from a closed list. The distribution of these codes is the metric (design 6.7). */
export type Rail = "input" | "output" | "action" | "blast_radius" | "loop";

export type Denial = {
  readonly rail: Rail;
  readonly code: string;
  readonly detail: string;
  /** Whether the same proposal may be worth making again unchanged: true only where the world, not the proposal, was at fault. */
  readonly retryable: boolean;
};

type CodeFacts = { readonly rail: Rail; readonly retryable: boolean };

/** Every code that the house itself gives. A tool adds its own through `denials`; those belong to the action rail. */
export const DENIAL_CODES = {
  permission: { rail: "input", retryable: false },

  unknown_tool: { rail: "output", retryable: false },
  unknown_key: { rail: "output", retryable: false },
  missing_key: { rail: "output", retryable: false },
  wrong_type: { rail: "output", retryable: false },
  fraction: { rail: "output", retryable: false },
  not_in_enum: { rail: "output", retryable: false },
  no_variant: { rail: "output", retryable: false },
  out_of_bounds: { rail: "output", retryable: false },
  bad_format: { rail: "output", retryable: false },
  invalid_params: { rail: "output", retryable: false },
  too_large: { rail: "output", retryable: false },
  too_deep: { rail: "output", retryable: false },
  too_many_keys: { rail: "output", retryable: false },
  duplicate_key: { rail: "output", retryable: false },
  forbidden_key: { rail: "output", retryable: false },
  lone_surrogate: { rail: "output", retryable: false },
  unsafe_integer: { rail: "output", retryable: false },
  number_out_of_range: { rail: "output", retryable: false },
  not_json: { rail: "output", retryable: false },
  not_plain: { rail: "output", retryable: false },
  too_much_evidence: { rail: "output", retryable: false },

  evidence_missing: { rail: "action", retryable: false },
  evidence_unknown: { rail: "action", retryable: false },
  evidence_foreign: { rail: "action", retryable: false },
  evidence_stale: { rail: "action", retryable: false },
  evidence_mismatch: { rail: "action", retryable: false },
  record_missing: { rail: "action", retryable: false },
  record_failed: { rail: "action", retryable: true },
  record_timeout: { rail: "action", retryable: true },
  record_unreadable: { rail: "action", retryable: false },
  no_policy: { rail: "action", retryable: false },
  no_permit: { rail: "action", retryable: false },
  policy_error: { rail: "action", retryable: false },
  outcome_open: { rail: "action", retryable: false },

  cap_exceeded: { rail: "blast_radius", retryable: false },
  cap_error: { rail: "blast_radius", retryable: false },

  unroutable: { rail: "loop", retryable: false },
  actor_not_in_allowlist: { rail: "loop", retryable: false },
} as const satisfies Record<string, CodeFacts>;

export type HouseCode = keyof typeof DENIAL_CODES;

export function isHouseCode(code: string): code is HouseCode {
  return Object.hasOwn(DENIAL_CODES, code);
}

/** A denial with a code of the house: rail and retryability follow from the table. */
export function denial(code: HouseCode, detail: string): Denial {
  const facts = DENIAL_CODES[code];
  return { rail: facts.rail, code, detail, retryable: facts.retryable };
}
