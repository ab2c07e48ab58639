/** The driver, on an invented dialogue. Collected by test/tau.test.ts. */
import { describe, expect, test } from "vitest";
import { NOW } from "../../../examples/tau/airline/database.ts";
import { database, SOON } from "../../../examples/tau/airline/invented.ts";
import { World } from "../../../examples/tau/airline/world.ts";
import { driveGold } from "../gold.ts";
import type { Task } from "../tasks.ts";
import type { Dialogue, DialogueEvent } from "./data.ts";
import { airlineDesk } from "./desk.ts";
import { driveDialogue } from "./drive.ts";
import { exchangesOf } from "./exchanges.ts";
import { matchTasks } from "./matching.ts";

const says = (text: string): DialogueEvent => ({ type: "user", text });
const answers = (text: string): DialogueEvent => ({ type: "assistant", text });
const write = (tool: string, args: DialogueArgs, toolResult = "ok"): DialogueEvent => ({
  type: "call",
  tool,
  args,
  toolResult,
  audit: { violates: [], needsFromConversation: [] },
});
type DialogueArgs = Extract<DialogueEvent, { type: "call" }>["args"];
const cancel = write("cancel_reservation", { reservation_id: "RES001" });
const bags = (n: number, toolResult = "ok") =>
  write(
    "update_reservation_baggages",
    { reservation_id: "RES001", total_baggages: n, nonfree_baggages: 0, payment_id: "credit_card_1" },
    toolResult,
  );

function dialogue(events: DialogueEvent[], instruction = "", taskId = 7): Dialogue {
  return { taskId, trial: 0, actorUserId: "nora_field_1", instruction, events };
}

describe("driving a dialogue", () => {
  test("a text that was sent with a call is the call, and each message begins an exchange", () => {
    const exchanges = exchangesOf(dialogue([says("one"), answers("with"), cancel, answers("done"), says("two")]));
    expect(exchanges.map((exchange) => [exchange.request, exchange.replies.map((reply) => reply.kind)])).toEqual([
      ["one", ["call", "text"]],
      ["two", []],
    ]);
  });

  test("what the benchmark did and we did not is in the world for the next proposal", async () => {
    const driven = await driveDialogue(
      airlineDesk,
      database(),
      dialogue([says("cancel"), cancel, cancel, answers("done")]),
      3,
    );
    expect(driven.writes.map(({ verdict, code, effect }) => [verdict, code, effect])).toEqual([
      ["deny", "not_cancellable", "recorded"],
      ["deny", "reservation_cancelled", "recorded"],
    ]);
    expect(driven.runs).toMatchObject([{ ending: "answered", replays: true }]);
  });

  test("what is permitted is done by us, once", async () => {
    const driven = await driveDialogue(
      airlineDesk,
      database(),
      dialogue([says("bags"), bags(1), bags(2), answers("done")]),
      0,
    );
    expect(driven.writes.map(({ verdict, outcome, effect }) => [verdict, outcome, effect])).toEqual([
      ["permit", "done", "ours"],
      ["permit", "done", "ours"],
    ]);
  });

  test("after a guardrail or a staged proposal the recording goes on in another run", async () => {
    const many = bags(9, "error: no");
    const repeated = [says("bags"), many, many, many, bags(1), answers("done"), says("bye")];
    const driven = await driveDialogue(airlineDesk, database(), dialogue(repeated), 0);
    expect(driven.writes.map((entry) => entry.verdict)).toEqual(["deny", "deny", "stopped", "permit"]);
    expect(driven.runs.map((run) => run.ending)).toEqual(["repetition", "answered"]);
    expect(driven.unanswered).toBe(1);
    const insured = database({ reservation: { insurance: "yes" } });
    const doubtful = [says("There was a death in the family."), cancel, bags(1), answers("done")];
    const staged = await driveDialogue(airlineDesk, insured, dialogue(doubtful), 0);
    expect(staged.writes.map(({ verdict, effect }) => [verdict, effect])).toEqual([
      ["stage", "recorded"],
      ["deny", "recorded"],
    ]);
    expect(staged.runs.map((run) => [run.ending, run.replays])).toEqual([
      ["awaiting_approval", true],
      ["answered", true],
    ]);
  });
});

const task = (id: string, reason: string, calls: Task["calls"] = []): Task => ({
  id,
  actorUserId: "nora_field_1",
  scenario: { reason_for_call: reason, task_instructions: "", known_info: null, unknown_info: null },
  calls,
  writeCalls: calls.map((_, i) => i),
});

describe("ground truth and matching", () => {
  test("ground-truth writes are proposed in order on a fresh world, in the scenario's words", async () => {
    const flights = [{ flight_number: "SBX105", date: SOON }];
    const change = { reservation_id: "RES001", cabin: "economy", flights, payment_id: "credit_card_1" };
    const calls = [
      { tool: "update_reservation_flights", args: change },
      { tool: "cancel_reservation", args: { reservation_id: "RES001" } },
    ];
    const insured = database({ reservation: { insurance: "yes" } });
    const ill = await driveGold(
      airlineDesk,
      { world: new World(insured, NOW) },
      task("1", "You are ill and want to cancel.", calls),
    );
    expect(ill.calls.map((entry) => [entry.authorised, entry.outcome])).toEqual([
      [true, "done"],
      [true, "done"],
    ]);
    const bored = await driveGold(
      airlineDesk,
      { world: new World(insured, NOW) },
      task("1", "You want to cancel.", calls),
    );
    expect(bored.calls.map((entry) => entry.code)).toEqual([null, "reason_not_covered"]);
    expect(bored.replays).toBe(true);
  });

  test("a recorded task is matched where one text is clearly like it", () => {
    const text = "you want to move your trip RES001 from monday to tuesday";
    const recorded = [dialogue([], text, 1), dialogue([], "something else entirely about luggage", 2)];
    expect(matchTasks([task("a", text)], recorded)).toMatchObject([{ task: "a", recorded: 1, similarity: 1 }]);
    expect(matchTasks([task("a", "nothing in common here")], recorded)).toMatchObject([{ recorded: null }]);
    const twins = [dialogue([], text, 1), dialogue([], `${text} please`, 2)];
    expect(matchTasks([task("a", text)], twins)).toMatchObject([{ recorded: null }]);
    const other = [dialogue([], text.replace("RES001", "RES002"), 1)];
    expect(matchTasks([task("a", text)], other)).toMatchObject([{ recorded: null }]);
    const both = matchTasks([task("a", text), task("b", `${text} and more of it`)], recorded);
    expect(both).toMatchObject([{ recorded: 1 }, { recorded: null }]);
  });
});
