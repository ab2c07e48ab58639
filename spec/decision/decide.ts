/**
 * The whole decision again, slowly and plainly (design 6): one rail after the other, each in its own file, none of them
 * sharing a line with the rails that it judges. What it imports from the house are types.
 *
 * The order is part of what is said: the first rail that refuses has the last word, and whatever comes after it is not asked.
 */
import type { JsonObject } from "../../src/domain/json.ts";
import { staleParts } from "./approval.ts";
import { capRefusal, reservationsOf } from "./caps.ts";
import { evidenceRefusal } from "./evidence.ts";
import { paramsOf } from "./params.ts";
import { everyRole, judged } from "./policy.ts";
import { provenanceVerdict } from "./provenance.ts";
import type { SaidCase, SaidDecision } from "./said.ts";

type Deny = Extract<SaidDecision, { outcome: "deny" }>;

export function decideSlowly(about: SaidCase): SaidDecision {
  const { route, tool, principal, asked, facts, approval } = about;

  // Nobody can perform it.
  if (route === "unroutable") return deny("loop", "loop", "unroutable");
  if (route === "actor_not_in_allowlist") return deny("loop", "loop", "actor_not_in_allowlist");
  if (tool === null) return deny("output", "output", "unknown_tool");

  // Whoever may not use it may not be told anything of it either, so this comes before its params are looked at.
  if (!principal.tools.includes(tool.name)) return deny("input", "input", "permission");

  // What was said.
  const said = paramsOf(tool, asked.params);
  if ("code" in said) return deny("output", said.code === "policy_error" ? "action" : "output", said.code);
  const { params } = said;

  // What is known of it.
  if ("code" in facts) return deny("record", "action", facts.code, params);
  const { record } = facts;

  // What proves it.
  const unproven = evidenceRefusal(about, tool, params, record);
  if (unproven !== null) return deny("evidence", "action", unproven, params);

  // Where its values come from.
  const origin = provenanceVerdict(about, tool, params);
  if (origin !== null && "code" in origin) return deny(`${tool.name}.provenance`, "action", origin.code, params);

  // What the operator's rules say. A denial is stronger than a stage by origin; with a stage of theirs it is one.
  const rules = judged(about, tool, params, record);
  if (rules.effect === "deny") return deny(rules.rule, "action", rules.code, params);
  const alsoAsked = rules.effect === "stage" ? [rules.role] : [];
  const verdict =
    origin === null
      ? rules
      : {
          effect: "stage" as const,
          rule: `${tool.name}.provenance`,
          role: everyRole([...origin.stages, ...alsoAsked]),
        };

  // A person. An approval grants nothing: it lets pass what the rules leave to a person, and where they leave nothing to
  // one it still has to be the approval of this.
  if (verdict.effect === "stage" && approval === null) {
    return { outcome: "stage", rule: verdict.rule, role: verdict.role, params };
  }
  if (approval !== null) {
    if (about.now >= approval.expiresAt) return deny("approval", "action", "approval_expired", params);
    const stale = staleParts(approval, verdict.effect === "stage" ? verdict.role : null);
    if (stale.length > 0) return deny("approval", "action", "approval_stale", params, stale.join(", "));
  }

  // How much of it.
  const wanted = reservationsOf(about, tool, params, record);
  if (wanted === null) return deny("caps", "blast_radius", "cap_error", params);
  const over = capRefusal(about, tool, wanted);
  if (over !== null) return deny("caps", "blast_radius", over.code, params, over.names);

  return { outcome: "permit", rule: verdict.rule, params, reservations: wanted };
}

function deny(
  rule: string,
  rail: Deny["rail"],
  code: string,
  params: JsonObject | null = null,
  names: string | null = null,
): Deny {
  return { outcome: "deny", rule, rail, code, names, params };
}
