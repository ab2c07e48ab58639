/**
 * The airline's written policy as named rules (tau2-bench, domain airline, its policy text): what the rules share. Deny
 * overrides stage overrides permit, and what no rule permits is denied.
 *
 * What the text asks of the conversation and code cannot know is no rule: the explicit yes before a write, bags that
 * nobody needs, one tool call at a time, when to transfer. Those stay hints.
 */
import type { DecisionContext } from "signalbox";
import { customerId, type TypedRule } from "../rule.ts";
import type { ReservationFacts } from "./facts.ts";
import { flown } from "./fares.ts";

/** Who may decide what the text leaves open. */
export const SUPERVISOR = "supervisor";

// Evidence alone does not protect this: a proposal can cite one customer's ids and name another's reservation.
export function foreign(userId: string, context: DecisionContext): boolean {
  return customerId(userId) !== context.customer;
}

export function anyFlown({ reservation }: ReservationFacts, context: DecisionContext): boolean {
  return reservation.flights.some((segment) => flown(segment, context.today));
}

export function allFlown({ reservation }: ReservationFacts, context: DecisionContext): boolean {
  return reservation.flights.every((segment) => flown(segment, context.today));
}

/** Rules that hold for every change of a reservation. */
export function changeRules<P>(tool: string): TypedRule<P, ReservationFacts>[] {
  return [
    {
      id: `${tool}: own reservation`,
      effect: "deny",
      code: "not_the_customers",
      when: (_proposal, record, context) => foreign(record.reservation.user_id, context),
    },
    {
      id: `${tool}: not cancelled before`,
      effect: "deny",
      code: "reservation_cancelled",
      when: (_proposal, record) => record.reservation.cancelled,
    },
  ];
}
