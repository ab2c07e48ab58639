/** The project that `signalbox init` writes: two tools, every rail, and a script so that it runs without a model. */
export function configTemplate(): string {
  return `import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { defineConfig, deny, permit, withServices, z } from "signalbox";
import { scriptedModel } from "signalbox/testing";

// Replace this with your own system. Only record, probe and execute can reach it. It is kept in a file, so that a seat
// that was booked stays booked in the next run.
type Seat = { id: string; heldFor: string; priceMinor: number; bookedBy: string | null };
const file = new URL("./seats.json", import.meta.url);
const free: Seat[] = [
  { id: "12A", heldFor: "customer:ada", priceMinor: 4_500, bookedBy: null },
  { id: "12B", heldFor: "customer:bob", priceMinor: 4_500, bookedBy: null },
];
const seats = {
  all: (): Seat[] => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : free),
  get: (id: string): Seat | null => seats.all().find((seat) => seat.id === id) ?? null,
  book: (id: string, bookedBy: string | null): void =>
    writeFileSync(file, JSON.stringify(seats.all().map((seat) => (seat.id === id ? { ...seat, bookedBy } : seat)))),
};
type Services = { seats: typeof seats };

const { defineTool } = withServices<Services>();
const seatId = z.string().regex(/^[0-9]{1,2}[A-F]$/);

export const findSeat = defineTool({
  name: "find_seat",
  description: "Look a seat up: its price and for whom it is held.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({ seatId }),
  execute: ({ params }, { seats }) => seats.get(params.seatId),
  summarise: (seat) => (seat === null ? "no such seat" : \`seat \${seat.id} costs \${seat.priceMinor}, held for \${seat.heldFor}\`),
});

export const bookSeat = defineTool({
  name: "book_seat",
  description: "Book a seat for the customer. Cite the seat's id as evidence.",
  placement: "irreversible", // so evidence, authorise and caps are required, by the type and at start
  effect: "once", // so the same booking proposed again returns the first receipt
  params: z.strictObject({ seatId }),
  denials: ["already_booked"],
  record: ({ seatId }, { seats }) => seats.get(seatId), // loaded by the system, never by the model
  evidence: { min: 1, from: (seat) => [{ id: seat.id, owner: seat.heldFor }] },
  authorise(_proposal, seat) {
    if (seat.bookedBy !== null) return deny("already_booked", \`seat \${seat.id} is taken\`);
    return permit();
  },
  caps: [{ name: "bookings_per_day", limit: 100_000, window: { calendar: "day", zone: "UTC" }, amount: (_params, seat) => seat.priceMinor }],
  execute: ({ params, record: seat }, { seats, customer }) => {
    seats.book(params.seatId, customer);
    return { seat: seat.id, paidMinor: seat.priceMinor };
  },
  summarise: (booking) => \`booked seat \${booking.seat} for \${booking.paidMinor}\`,
});

// Without SIGNALBOX_MODEL_URL the model is this script. It tries somebody else's seat first.
const script = scriptedModel({
  replies: [
    { kind: "action", tool: "find_seat", params: { seatId: "12A" }, evidence: [] },
    { kind: "action", tool: "book_seat", params: { seatId: "12B" }, evidence: ["12B"] },
    { kind: "action", tool: "book_seat", params: { seatId: "12A" }, evidence: ["12A"] },
    (request) => ({
      kind: "conversation",
      text: request.messages.at(-1)?.content.includes("already_booked") ? "Seat 12A is booked already." : "Seat 12A is yours.",
    }),
  ],
});

export default defineConfig({
  model: process.env.SIGNALBOX_MODEL_URL
    ? { baseUrl: process.env.SIGNALBOX_MODEL_URL, name: process.env.SIGNALBOX_MODEL ?? "qwen3:8b" }
    : script,
  tools: [findSeat, bookSeat],
  principals: { "agent:desk": { tools: ["find_seat", "book_seat"] } },
  services: { seats } satisfies Services,
  store: "./signalbox.db",
});
`;
}

export function testTemplate(config: string): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "signalbox/testing";
import { bookSeat } from "./${config}";

const seat = { id: "12A", heldFor: "customer:ada", priceMinor: 4_500, bookedBy: null };
const proposal = { params: { seatId: "12A" }, evidence: ["12A"], customer: "customer:ada" };

test("a free seat that is held for the customer may be booked", () => {
  assert.equal(judge(bookSeat, { ...proposal, record: seat }).outcome, "permit");
});

test("a seat is not booked twice", () => {
  assert.equal(judge(bookSeat, { ...proposal, record: { ...seat, bookedBy: "customer:bob" } }).code, "already_booked");
});

test("nobody gets a seat that is held for somebody else", () => {
  assert.equal(judge(bookSeat, { ...proposal, record: { ...seat, heldFor: "customer:bob" } }).code, "evidence_foreign");
});

test("the day's cap holds to the unit", () => {
  assert.equal(judge(bookSeat, { ...proposal, record: seat, used: { bookings_per_day: 95_500 } }).outcome, "permit");
  assert.equal(judge(bookSeat, { ...proposal, record: seat, used: { bookings_per_day: 95_501 } }).code, "cap_exceeded");
});
`;
}
