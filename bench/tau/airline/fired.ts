import { customerId } from "../../../examples/tau/rule.ts";
import { ruleNames } from "../../../src/domain/policy.ts";
import { dayIn, type Json, type JsonObject } from "../../../src/index.ts";
import { airlineDesk } from "./desk.ts";

export type Asked = {
  readonly tool: string;
  readonly params: JsonObject;
  readonly facts: Json;
  readonly userId: string;
  readonly requests: readonly string[];
};

/**
 * The codes of every denying rule that fires, not only of the first one that decides: what is compared with an audit that
 * lists all violations of a proposal.
 */
export function firedCodes({ tool, params, facts, userId, requests }: Asked): string[] {
  if (facts === null) return [];
  const { agent, now, zone, policies } = airlineDesk;
  const context = {
    principal: { id: agent, tools: [tool], attributes: {} },
    customer: customerId(userId),
    thread: "audit",
    run: "audit",
    outermost: "audit",
    step: 1,
    now,
    today: dayIn(zone, now),
    requests,
    provenance: {},
  };
  const denying = policies.filter((rule) => rule.effect === "deny" && ruleNames(rule, tool));
  const fired = denying.filter((rule) => rule.when({ tool, params, evidence: [] }, facts, context));
  return [...new Set(fired.map((rule) => rule.code ?? rule.id))];
}
