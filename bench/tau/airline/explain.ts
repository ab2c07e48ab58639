/**
 * Why our decision differs from the audit that comes with the data. An explanation is of a kind, by what the audit says,
 * what we say and what the records hold; none names a dialogue.
 */
import { FREE_BAGS } from "../../../examples/tau/airline/fares.ts";
import type { Json, JsonObject } from "../../../src/index.ts";
import type { AirlineData, Dialogue } from "./data.ts";
import type { JudgedWrite } from "./drive.ts";
import { firedCodes } from "./fired.ts";

export type Explained = { readonly kind: string; readonly why: string };
type Data = Pick<AirlineData, "database" | "dialogues">;

/** The audit finds nothing and we do not permit, or it finds a violation and we permit. */
export function isDisagreement(write: JudgedWrite): boolean {
  if (write.audit.violates.length > 0) return write.verdict === "permit";
  return write.audit.needs.length === 0 && write.verdict !== "permit";
}

/** The explanation of a disagreement, or null where there is none: then the figure's goal does not hold. */
export function explain(write: JudgedWrite, data: Data): Explained | null {
  return systemRefusal(write) ?? forgottenCabin(write, data) ?? allowanceOfTheFirstRelease(write);
}

const LEFT_TO_THE_SYSTEM: Readonly<Record<string, { readonly answer: string; readonly fact: string }>> = {
  payment_balance: { answer: "balance is not enough", fact: "the gift card does not hold what the change costs" },
  no_seats: { answer: "not enough seats", fact: "the flight has fewer seats in that cabin than there are passengers" },
};

/** What the airline's own system would refuse is refused by us before it is tried. */
function systemRefusal(write: JudgedWrite): Explained | null {
  const left = LEFT_TO_THE_SYSTEM[write.code ?? ""];
  if (left === undefined || write.audit.violates.length > 0 || !write.recordedAnswer.includes(left.answer)) return null;
  return {
    kind: "audit is wrong by omission: it leaves seats and balances of a change to the airline's system",
    why: `${left.fact}, which the database knows, and the benchmark's own tool refused it too ("${left.answer}")`,
  };
}

/**
 * The first release's tool changed prices and flights but never the cabin that the reservation says, and the audit judges
 * on that record. Its finding must follow from the old cabin alone: with it in the record our rules say what it says.
 */
function forgottenCabin(write: JudgedWrite, data: Data): Explained | null {
  const dialogue = data.dialogues[write.dialogue];
  const reservation = reservationOf(write.facts);
  const id = reservation?.reservation_id;
  if (dialogue === undefined || reservation === null || typeof id !== "string") return null;
  const before = data.database.reservations[id]?.cabin;
  if (before === undefined || before === reservation.cabin || !cabinChanged(dialogue, write.event, id)) return null;
  const facts = { ...(write.facts as JsonObject), reservation: { ...reservation, cabin: before } };
  const then = firedCodes({ ...write, facts, userId: dialogue.actorUserId });
  const follows =
    write.audit.violates.length === 0 ? then.length === 0 : namesAll(write.audit.violates, then) && then.length > 0;
  if (!follows) return null;
  return {
    kind: "audit is wrong: it forgets a change of cabin that was made before in the dialogue",
    why:
      `the benchmark had moved the reservation from ${before} to ${String(reservation.cabin)} (its first release does ` +
      "not write that into the record; its successor does); by the cabin that is flown the decision is ours",
  };
}

function cabinChanged(dialogue: Dialogue, event: number, reservationId: string): boolean {
  return dialogue.events
    .slice(0, event)
    .some(
      (entry) =>
        entry.type === "call" &&
        entry.tool === "update_reservation_flights" &&
        entry.toolResult === "ok" &&
        entry.args.reservation_id === reservationId,
    );
}

// The policy text of sierra-research/tau-bench (its airline wiki.md), one bag less than its successor's.
const GOLD_BUSINESS_THEN = 3;

/** The audit of the recordings reads the policy of the first release, in which gold members had one bag less in business. */
function allowanceOfTheFirstRelease(write: JudgedWrite): Explained | null {
  const facts = write.facts as JsonObject | null;
  const reservation = reservationOf(write.facts);
  const membership = (facts?.customer as JsonObject | undefined)?.membership;
  if (membership !== "gold" || (reservation?.cabin ?? write.params.cabin) !== "business") return null;
  const { passengers, total_baggages: total, nonfree_baggages: extra } = write.params;
  const people = reservation?.passengers ?? (Array.isArray(passengers) ? passengers.length : null);
  const then = Math.max(0, Number(total) - GOLD_BUSINESS_THEN * Number(people));
  const finding = `nonfree_baggages ${String(extra)} != ${then}`;
  const permitted = write.verdict === "permit" && write.audit.violates.every((violation) => violation === finding);
  const denied = write.code === "bag_count" && write.audit.violates.length === 0 && extra === then;
  if (!permitted && !denied) return null;
  return {
    kind: "audit is wrong: it counts free bags by the policy of the benchmark's first release",
    why: `the policy text gives gold members ${FREE_BAGS.gold.business} free bags in business, the first release gave ${GOLD_BUSINESS_THEN}`,
  };
}

/** What an audit's finding is called here. */
const CODES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^destination_changed/, ["destination_changed", "trip_type_changed"]],
  [/^payment_total/, ["payment_total"]],
  [/^nonfree_baggages/, ["bag_count"]],
  [/^balance/, ["payment_balance"]],
  [/^no_eligible_reservation/, ["not_eligible", "no_change_or_cancellation"]],
];

/** Whether our codes hold every finding of an audit. A finding of no known form is taken to be one of our codes. */
export function namesAll(findings: readonly string[], codes: readonly string[]): boolean {
  return findings.every((finding) => {
    const names = CODES.find(([form]) => form.test(finding))?.[1] ?? [finding];
    return names.some((name) => codes.includes(name));
  });
}

function reservationOf(facts: Json): JsonObject | null {
  const reservation = (facts as JsonObject | null)?.reservation;
  return typeof reservation === "object" && reservation !== null ? (reservation as JsonObject) : null;
}
