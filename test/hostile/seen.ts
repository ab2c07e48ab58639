/** What a campaign must have seen, or it proves nothing. */
import { REPAIR_NAMES } from "../../src/domain/repair.ts";
import { ENDINGS } from "../../src/index.ts";

/** What is not reached from here: nothing teaches a rule yet, and the ledger in memory can always be written. `failed` is a bug. */
const OTHER_ENDINGS = ["watchdog", "ledger_unavailable", "failed"];

/** The codes that these tools and rules can be denied with. Others are refused before: a reply that holds them is unreadable. */
const DENIALS = [
  ...[
    "permission",
    "unknown_tool",
    "unknown_key",
    "missing_key",
    "wrong_type",
    "fraction",
    "not_in_enum",
    "no_variant",
  ],
  ...["out_of_bounds", "bad_format", "too_large", "evidence_missing", "evidence_unknown", "evidence_foreign"],
  ...["evidence_stale", "evidence_mismatch", "record_missing", "record_failed", "record_timeout", "record_unreadable"],
  ...["provenance_missing", "provenance_untrusted"],
  ...["no_permit", "policy_error", "outcome_open", "cap_exceeded", "cap_error", "unroutable", "actor_not_in_allowlist"],
  ...["not_a_member", "frozen", "too_much"],
];

const UNREADABLE = [
  ...[
    "cut_by_length",
    "refused",
    "empty_reply",
    "lone_surrogate",
    "only_thinking",
    "cut_off",
    "two_objects",
    "mixed_reply",
  ],
  ...["arguments_missing", "arguments_unreadable", "call_unreadable", "unreadable_call", "not_json", "not_an_object"],
  ...["unknown_key", "unknown_kind", "wrong_type", "empty_text", "missing_tool", "missing_steps", "too_many_steps"],
  ...["missing_query", "too_much_evidence", "too_large", "too_deep", "too_many_keys", "duplicate_key", "forbidden_key"],
  ...["unsafe_integer", "number_out_of_range"],
];

const TOOLS_THAT_ACT = ["pay", "label", "purge"];

export const TO_BE_SEEN: readonly string[] = [
  ...["conversation", "action", "plan", "retrieve"].map((kind) => `read ${kind}`),
  ...UNREADABLE.map((code) => `unread ${code}`),
  ...REPAIR_NAMES.map((name) => `repair ${name}`),
  ...DENIALS.map((code) => `denial ${code}`),
  ...["permit", "stage"].map((outcome) => `decided ${outcome}`),
  ...Object.keys(ENDINGS)
    .filter((ending) => !OTHER_ENDINGS.includes(ending))
    .map((ending) => `ending ${ending}`),
  ...TOOLS_THAT_ACT.flatMap((tool) =>
    ["done", "failed", "outcome_unknown"].map((outcome) => `effect ${tool} ${outcome}`),
  ),
  ...["list", "peek", "builder", "tell"].flatMap((tool) =>
    ["done", "failed"].map((outcome) => `effect ${tool} ${outcome}`),
  ),
  ...["adapter_threw", "timeout", "context_overflow", "prompt_truncated", "unreachable"].map((code) => `model ${code}`),
  ...["receipt given back", "further calls not run", "performed", "verified batches", "verified replays"],
  ...[
    "native",
    "native_several",
    "native_plan",
    "native_broken",
    "plan",
    "cut",
    "mutant",
    "raw",
    "replayed",
    "forged",
  ].map((form) => `form ${form}`),
  ...["text_hermes", "text_llama", "text_mistral", "text_function", "text_message", "flat_python", "injection"].map(
    (form) => `form ${form}`,
  ),
  ...["wild", "rejection", "throw", "silence", "cancel", "failure", "big", "bomb", "two"].map((form) => `form ${form}`),
];
