/** A Denial: a rail's refusal of a proposal, with a code from a closed list. The distribution of these codes is the metric (design 6.7). */
export type Rail = "input" | "output" | "action" | "blast_radius" | "loop";

export type Denial = {
  readonly rail: Rail;
  readonly code: string;
  readonly detail: string;
  /** Whether the same proposal may be worth making again unchanged: true only where the world, not the proposal, was at fault. */
  readonly retryable: boolean;
};

/** `when`: what it is given for, as a reader of the codes page is told. */
type CodeFacts = { readonly rail: Rail; readonly retryable: boolean; readonly when: string };

/** Every code that the house itself gives. A tool adds its own through `denials`; those belong to the action rail. */
export const DENIAL_CODES = {
  permission: { rail: "input", retryable: false, when: "the run's principal may not use the tool" },

  unknown_tool: { rail: "output", retryable: false, when: "there is no tool of this name" },
  unknown_key: { rail: "output", retryable: false, when: "the params hold a key that the schema does not have" },
  missing_key: { rail: "output", retryable: false, when: "a key that the schema requires is not there" },
  wrong_type: { rail: "output", retryable: false, when: "a value is of another type than its schema" },
  fraction: { rail: "output", retryable: false, when: "a number that must be whole is not" },
  not_in_enum: { rail: "output", retryable: false, when: "a value is none of those that are allowed" },
  no_variant: { rail: "output", retryable: false, when: "the params fit no variant of a union" },
  out_of_bounds: { rail: "output", retryable: false, when: "a number, text or list is smaller or larger than allowed" },
  bad_format: { rail: "output", retryable: false, when: "a text does not have its format or pattern" },
  invalid_params: { rail: "output", retryable: false, when: "the schema refuses the params for a reason of its own" },
  too_large: { rail: "output", retryable: false, when: "the params take more bytes than params may" },
  too_deep: { rail: "output", retryable: false, when: "the params are nested too deep" },
  too_many_keys: { rail: "output", retryable: false, when: "the params have too many keys and items" },
  duplicate_key: { rail: "output", retryable: false, when: "an object has the same key twice" },
  forbidden_key: { rail: "output", retryable: false, when: "a key is `__proto__`, `constructor` or `prototype`" },
  lone_surrogate: { rail: "output", retryable: false, when: "a text holds half a surrogate pair" },
  unsafe_integer: { rail: "output", retryable: false, when: "a whole number is beyond 2^53 - 1" },
  number_out_of_range: { rail: "output", retryable: false, when: "a number is not finite, or has too many digits" },
  not_json: { rail: "output", retryable: false, when: "the params are not JSON" },
  not_plain: { rail: "output", retryable: false, when: "the params are not plain data" },
  too_much_evidence: { rail: "output", retryable: false, when: "more ids are cited than may be" },

  evidence_missing: { rail: "action", retryable: false, when: "fewer ids are cited than the tool requires" },
  evidence_unknown: { rail: "action", retryable: false, when: "a cited id is not in the record" },
  evidence_foreign: { rail: "action", retryable: false, when: "a cited id belongs to somebody else" },
  evidence_stale: {
    rail: "action",
    retryable: false,
    when: "a cited id is older than the tool allows, or has no readable date",
  },
  evidence_mismatch: {
    rail: "action",
    retryable: false,
    when: "no cited id vouches for the value of a field that must be vouched for",
  },
  provenance_missing: {
    rail: "action",
    retryable: false,
    when: "a value was not seen where the tool wants it: in the request, or in a trusted field of a result",
  },
  provenance_untrusted: {
    rail: "action",
    retryable: false,
    when: "a value was seen, but only where outsiders can write",
  },
  record_missing: { rail: "action", retryable: false, when: "the tool's record was not found" },
  record_failed: { rail: "action", retryable: true, when: "loading the record threw, or was cancelled" },
  record_timeout: { rail: "action", retryable: true, when: "loading the record took too long" },
  record_unreadable: { rail: "action", retryable: false, when: "what was loaded is no plain data" },
  no_policy: { rail: "action", retryable: false, when: "no policy rule names the tool" },
  no_permit: { rail: "action", retryable: false, when: "rules name the tool, and none permits this" },
  policy_error: { rail: "action", retryable: false, when: "a rule threw, or gave no verdict" },
  outcome_open: {
    rail: "action",
    retryable: false,
    when: "the same action was started before and its outcome is not known",
  },

  already_done: {
    rail: "action",
    retryable: false,
    when: "the same action is done already: the receipt goes along, and nothing is done again",
  },
  approval_stale: {
    rail: "action",
    retryable: false,
    when: "what was approved is no longer what would be done: the detail names what changed",
  },
  approval_mismatch: {
    rail: "action",
    retryable: false,
    when: "a step that was decided before is proposed again with another tool, other params or other evidence",
  },
  approval_rejected: { rail: "action", retryable: false, when: "a person refused it" },
  approval_expired: {
    rail: "action",
    retryable: false,
    when: "nobody approved it in time, or it was not used in time",
  },
  too_many_waiting: {
    rail: "action",
    retryable: true,
    when: "as many proposals of the run wait for a person as may",
  },

  cannot_wait: {
    rail: "action",
    retryable: false,
    when: "it needs a person, and a run inside a step cannot wait for one",
  },

  cap_exceeded: { rail: "blast_radius", retryable: false, when: "a cap has too little left" },
  cap_error: { rail: "blast_radius", retryable: false, when: "a cap's amount, key or use could not be computed" },

  unroutable: { rail: "loop", retryable: false, when: "nobody can perform this step of a plan" },
  actor_not_in_allowlist: { rail: "loop", retryable: false, when: "this actor cannot stand in a plan" },
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
