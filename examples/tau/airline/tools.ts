/** The airline's fourteen tools (tau2-bench, domain airline). Each placement and each cap is given with its reason. */
import { type PolicyRule, type Tool, withServices } from "signalbox";
import { calculateTool } from "../calculate.ts";
import { codesOf, rulesOf } from "../rule.ts";
import { transferTool } from "../transfer.ts";
import {
  bookFacts,
  type CertificateFacts,
  certificateFacts,
  flightChangeFacts,
  paidChangeFacts,
  reservationFacts,
} from "./facts.ts";
import { CANCELLED_DOLLARS, PASSENGERS_MAX } from "./fares.ts";
import {
  bookParams,
  cancelParams,
  certificateParams,
  noParams,
  reservationParams,
  searchParams,
  statusParams,
  updateBaggagesParams,
  updateFlightsParams,
  updatePassengersParams,
  userParams,
} from "./params.ts";
import { ownReads } from "./policy-reads.ts";
import { cancelRules, certificateRules } from "./policy-refunds.ts";
import { bookRules, updateBaggagesRules, updateFlightsRules, updatePassengersRules } from "./policy-trips.ts";
import { listAirports, projectUser, searchDirect, searchOneStop } from "./reads.ts";
import type { World } from "./world.ts";

export type AirlineServices = { readonly world: World };
const { defineTool } = withServices<AirlineServices>();

/** Where a calendar day of the caps begins and ends. */
export const ZONE = "America/New_York";
const day = { calendar: "day", zone: ZONE } as const;

type About = { readonly customer: string | null };
const byCustomer = (_params: unknown, _record: unknown, context: About): string => context.customer ?? "nobody";

// The three updates set what they are given, so doing one again charges nothing more; booking, cancelling and sending
// happen once. Writes cite what they rest on: the record knows which of the cited ids exist and whose they are.
const cited = { min: 1, from: (record: { readonly evidence: CertificateFacts["evidence"] }) => record.evidence };

const writes: readonly Tool[] = [
  defineTool({
    name: "book_reservation",
    description: "Book a reservation. Cite the user's id.",
    // Irreversible: it takes money, uses up certificates whose rest is lost, and takes seats from others.
    placement: "irreversible",
    effect: "once",
    params: bookParams,
    denials: codesOf(bookRules),
    record: (params, { world }, about) => bookFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    // The airline's system gives out three reservations to a conversation; more in a day is no customer's errand.
    caps: [{ name: "bookings_a_day", key: byCustomer, limit: 3, window: day }],
    execute: ({ params }, { world }) => world.book(params),
    summarise: (booked) => `booked ${booked.reservation_id}, ${booked.cabin}, ${booked.passengers.length} passenger(s)`,
  }),
  defineTool({
    name: "update_reservation_flights",
    description:
      "Change the flights or the cabin of a reservation. Name all flights of the new reservation, and cite its id.",
    // Irreversible: it charges or refunds a fare difference, and the old seats and prices may be gone a minute later.
    placement: "irreversible",
    effect: "idempotent",
    params: updateFlightsParams,
    denials: codesOf(updateFlightsRules),
    record: (params, { world }, about) => flightChangeFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    // Each change is within the rules by itself; what is moved to and fro all day plays with seats that others want.
    caps: [{ name: "flight_changes_a_day", key: byCustomer, limit: 20, window: day }],
    execute: ({ params }, { world }) => world.updateFlights(params),
    summarise: (changed) =>
      `changed ${changed.reservation_id} to ${changed.flights.length} flight(s) in ${changed.cabin}`,
  }),
  defineTool({
    name: "update_reservation_baggages",
    description: "Set the number of checked bags of a reservation. Cite its id.",
    // Irreversible: it takes money, and bags can be added but never removed.
    placement: "irreversible",
    effect: "idempotent",
    params: updateBaggagesParams,
    denials: codesOf(updateBaggagesRules),
    record: (params, { world }, about) => paidChangeFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    // Each call charges a card; nobody needs as many in a day as a loop that has run wild makes.
    caps: [{ name: "bag_changes_a_day", key: byCustomer, limit: 20, window: day }],
    execute: ({ params }, { world }) => world.updateBaggages(params),
    summarise: (changed) => `${changed.reservation_id} has ${changed.total_baggages} bag(s)`,
  }),
  defineTool({
    name: "update_reservation_passengers",
    description: "Change who travels on a reservation; not how many. Cite its id.",
    // Staff-reversible: no money moves, and the names before stand in the ledger, so staff can put them back.
    placement: "staff-reversible",
    effect: "idempotent",
    params: updatePassengersParams,
    denials: codesOf(updatePassengersRules),
    record: (params, { world }, about) => reservationFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    execute: ({ params }, { world }) => world.updatePassengers(params),
    summarise: (changed) => `changed the passengers of ${changed.reservation_id}`,
  }),
  defineTool({
    name: "cancel_reservation",
    description: "Cancel the whole reservation. Cite its id.",
    // Irreversible: it pays money back and gives the seats away.
    placement: "irreversible",
    effect: "once",
    params: cancelParams,
    denials: codesOf(cancelRules),
    record: (params, { world }, about) => reservationFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    // More reservations than a customer has at a time; beyond that somebody empties an account.
    caps: [{ name: "cancellations_a_day", key: byCustomer, limit: 10, window: day }],
    execute: ({ params }, { world }) => world.cancel(params),
    summarise: (cancelled) => `cancelled ${cancelled.reservation_id}`,
  }),
  defineTool({
    name: "send_certificate",
    description: "Send a travel certificate to a user as a gesture. Cite the ids of the reservations that it is for.",
    // Irreversible: it gives money away.
    placement: "irreversible",
    // The same customer may be owed the same amount for two reservations; how often is a rule of its own.
    mayRepeat: true,
    effect: "once",
    params: certificateParams,
    denials: codesOf(certificateRules),
    record: (params, { world }, about) => certificateFacts(world, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [
      {
        name: "gesture_dollars_a_day",
        key: byCustomer,
        amount: (params) => params.amount,
        // The most that the text knows for one reservation: five passengers of a cancelled flight.
        limit: CANCELLED_DOLLARS * PASSENGERS_MAX,
        window: day,
      },
    ],
    execute: ({ params }, { world }) => world.sendCertificate(params),
    summarise: (sent) => `sent ${sent.payment_id} of ${sent.amount} dollars`,
  }),
];

const reads: readonly Tool[] = [
  defineTool({
    name: "get_reservation_details",
    description: "The details of one reservation.",
    // Internal: it changes nothing. What it shows is the customer's own, which a rule checks all the same.
    placement: "internal",
    effect: "read",
    params: reservationParams,
    denials: ["not_the_customers"],
    record: (params, { world }) => ({ owner: world.reservation(params.reservation_id)?.user_id ?? null }),
    authorise: "by_policy",
    execute: ({ params }, { world }) => world.reservation(params.reservation_id) ?? { error: "reservation not found" },
    summarise: (found) => ("error" in found ? found.error : `read ${found.reservation_id}: ${found.cabin}`),
  }),
  defineTool({
    name: "get_user_details",
    description: "The profile of a user: membership, payment methods, reservations.",
    placement: "internal",
    effect: "read",
    params: userParams,
    denials: ["not_the_customers"],
    record: (params, { world }) => ({ owner: world.user(params.user_id)?.user_id ?? null }),
    authorise: "by_policy",
    execute: ({ params }, { world }) => projectUser(world.user(params.user_id)),
    summarise: (found) => ("error" in found ? found.error : `read the profile of ${found.user_id}`),
  }),
  defineTool({
    name: "search_direct_flight",
    description: "Direct flights between two airports on a day.",
    placement: "internal",
    effect: "read",
    params: searchParams,
    execute: ({ params }, { world }) => searchDirect(world, params),
    summarise: (found) => `${found.length} direct flight(s)`,
  }),
  defineTool({
    name: "search_onestop_flight",
    description: "Flights with one stop between two airports on a day.",
    placement: "internal",
    effect: "read",
    params: searchParams,
    execute: ({ params }, { world }) => searchOneStop(world, params),
    summarise: (found) => `${found.length} one-stop connection(s)`,
  }),
  defineTool({
    name: "get_flight_status",
    description: "The status of a flight on a day.",
    placement: "internal",
    effect: "read",
    params: statusParams,
    execute: ({ params }, { world }) => ({
      ...params,
      status: world.onDate(params.flight_number, params.date)?.status ?? "not found",
    }),
    summarise: (found) => `${found.flight_number} on ${found.date}: ${found.status}`,
  }),
  defineTool({
    name: "list_all_airports",
    description: "All airports that are served.",
    placement: "internal",
    effect: "read",
    params: noParams,
    execute: (_proposal, { world }) => listAirports(world),
    summarise: (found) => `${found.length} airports`,
  }),
];

/** The names of the tools that change the airline's records. */
export const WRITE_TOOLS: readonly string[] = writes.map((tool) => tool.name);

export const airlineTools: readonly Tool[] = [...writes, ...reads, calculateTool, transferTool];

export const airlinePolicy: readonly PolicyRule[] = [
  ...rulesOf("book_reservation", bookRules),
  ...rulesOf("update_reservation_flights", updateFlightsRules),
  ...rulesOf("update_reservation_baggages", updateBaggagesRules),
  ...rulesOf("update_reservation_passengers", updatePassengersRules),
  ...rulesOf("cancel_reservation", cancelRules),
  ...rulesOf("send_certificate", certificateRules),
  ...rulesOf("get_reservation_details", ownReads("read reservation")),
  ...rulesOf("get_user_details", ownReads("read profile")),
];
