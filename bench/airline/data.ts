/**
 * The public data that the airline figure reads at run time: the database, the tasks with their ground truth and the
 * recorded dialogues. Everything is parsed here; nothing of it is kept in this repository.
 *
 * Source: sierra-research/tau2-bench and sierra-research/tau-bench (MIT).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "../../src/index.ts";
import { NoData } from "../figures/figure.ts";

export const CABINS = ["basic_economy", "economy", "business"] as const;
export type Cabin = (typeof CABINS)[number];

const perCabin = z.record(z.enum(CABINS), z.number());

const flightDate = z.looseObject({
  status: z.string(),
  available_seats: perCabin.optional(),
  prices: perCabin.optional(),
});

const flight = z.looseObject({
  flight_number: z.string(),
  origin: z.string(),
  destination: z.string(),
  scheduled_departure_time_est: z.string(),
  scheduled_arrival_time_est: z.string(),
  dates: z.record(z.string(), flightDate),
});

const passenger = z.strictObject({ first_name: z.string(), last_name: z.string(), dob: z.string() });

const segment = z.strictObject({
  flight_number: z.string(),
  date: z.string(),
  origin: z.string(),
  destination: z.string(),
  price: z.number(),
});

const payment = z.strictObject({ payment_id: z.string(), amount: z.number() });

const reservation = z.strictObject({
  reservation_id: z.string(),
  user_id: z.string(),
  origin: z.string(),
  destination: z.string(),
  flight_type: z.enum(["one_way", "round_trip"]),
  cabin: z.enum(CABINS),
  flights: z.array(segment),
  passengers: z.array(passenger),
  payment_history: z.array(payment),
  created_at: z.string(),
  total_baggages: z.number(),
  nonfree_baggages: z.number(),
  insurance: z.enum(["yes", "no"]),
  status: z.literal("cancelled").optional(),
});

const paymentMethod = z.looseObject({
  id: z.string(),
  source: z.enum(["credit_card", "gift_card", "certificate"]),
  amount: z.number().optional(),
});

const user = z.looseObject({
  user_id: z.string(),
  name: passenger.omit({ dob: true }),
  dob: z.string(),
  membership: z.enum(["regular", "silver", "gold"]),
  payment_methods: z.record(z.string(), paymentMethod),
  saved_passengers: z.array(passenger),
  reservations: z.array(z.string()),
});

const database = z.looseObject({
  flights: z.record(z.string(), flight),
  reservations: z.record(z.string(), reservation),
  users: z.record(z.string(), user),
});

const json = z.json();
const params = z.record(z.string(), json);

const audit = z.looseObject({ violates: z.array(z.string()), needsFromConversation: z.array(z.string()) });

const event = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("user"), text: z.string() }),
  z.looseObject({ type: z.literal("assistant"), text: z.string() }),
  z.looseObject({
    type: z.literal("call"),
    tool: z.string(),
    args: params,
    /** What the benchmark's own tool answered to a write: `ok` or `error: ...`. */
    toolResult: z.string().optional(),
    audit: audit.optional(),
  }),
]);

const dialogue = z.looseObject({
  taskId: z.number(),
  trial: z.number(),
  actorUserId: z.string(),
  instruction: z.string(),
  events: z.array(event),
});

const task = z.looseObject({
  id: z.string(),
  actorUserId: z.string(),
  scenario: z.looseObject({
    task_instructions: z.string(),
    reason_for_call: z.string(),
    known_info: z.string().nullable(),
    unknown_info: z.string().nullable(),
  }),
  calls: z.array(z.looseObject({ tool: z.string(), args: params })),
  writeCalls: z.array(z.number()),
});

export type Database = z.infer<typeof database>;
export type Flight = z.infer<typeof flight>;
export type FlightDate = z.infer<typeof flightDate>;
export type Reservation = z.infer<typeof reservation>;
export type Segment = z.infer<typeof segment>;
export type User = z.infer<typeof user>;
export type PaymentMethod = z.infer<typeof paymentMethod>;
export type Dialogue = z.infer<typeof dialogue>;
export type DialogueEvent = z.infer<typeof event>;
export type RecordedCall = Extract<DialogueEvent, { type: "call" }>;
export type Task = z.infer<typeof task>;

export type AirlineData = {
  readonly database: Database;
  readonly dialogues: readonly Dialogue[];
  readonly tasks: readonly Task[];
  /** Where it all comes from, in one line for every screen. */
  readonly source: string;
};

/** Reads and parses the three files below `directory`. Throws `NoData` where one is absent or has another shape. */
export function loadAirline(directory: string): AirlineData {
  const database_ = parseFile(directory, "airline-db.json", database);
  const recorded = parseFile(
    directory,
    "proposals-gpt4o-airline.json",
    z.looseObject({ runs: z.array(dialogue), model: z.string(), source: z.looseObject({ repository: z.string() }) }),
  );
  const domain = parseFile(
    directory,
    "airline.json",
    z.looseObject({ tasks: z.array(task), source: z.looseObject({ repository: z.string(), license: z.string() }) }),
  );
  const source = `${domain.source.repository} and ${recorded.source.repository} (${domain.source.license}); model: ${recorded.model}`;
  return { database: database_, dialogues: recorded.runs, tasks: domain.tasks, source };
}

function parseFile<S extends z.ZodType>(directory: string, name: string, schema: S): z.infer<S> {
  const path = join(directory, name);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new NoData(`cannot read ${path}: give the directory of the public data with --data DIR`);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new NoData(`${path} is not JSON`);
  }
  const result = schema.safeParse(raw);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new NoData(`${path} has another shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  return result.data;
}
