/** An Effect: what performing a tool does to the world, and so what may be done after a crash in the middle of it (design 6.5). */
export const EFFECTS = ["read", "idempotent", "once"] as const;
export type Effect = (typeof EFFECTS)[number];

/** An Outcome: how an effect settled. `outcome_unknown` is work for a person and is never retried by itself. */
export type Outcome = "done" | "failed" | "outcome_unknown";
