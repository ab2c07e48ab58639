import { type Database, NOW } from "../../../examples/tau/airline/database.ts";
import {
  bookParams,
  cancelParams,
  certificateParams,
  updateBaggagesParams,
  updateFlightsParams,
  updatePassengersParams,
} from "../../../examples/tau/airline/params.ts";
import { readsAsYes } from "../../../examples/tau/airline/words.ts";
import { World } from "../../../examples/tau/airline/world.ts";
import { EffectFailed, type Ending, type Json } from "../../../src/index.ts";
import { type Desk, openBox } from "../desk.ts";
import { type Handled, Recording } from "../recording.ts";
import type { Dialogue, RecordedCall } from "./data.ts";
import { exchangesOf } from "./exchanges.ts";
import { firedCodes } from "./fired.ts";

/** What our rails made of a proposal. `stopped`: a guardrail ended the run or gave the first receipt before any decision. */
export type Verdict = "permit" | "stage" | "deny" | "stopped";
export const VERDICTS: readonly Verdict[] = ["permit", "stage", "deny", "stopped"];

/** One recorded write proposal, as audited, as the benchmark answered and as we decided. */
export type JudgedWrite = {
  readonly dialogue: number;
  readonly event: number;
  readonly taskId: number;
  readonly trial: number;
  readonly tool: string;
  readonly params: RecordedCall["args"];
  readonly audit: { readonly violates: readonly string[]; readonly needs: readonly string[] };
  readonly recordedAnswer: string;
  readonly verdict: Verdict;
  readonly code: string | null;
  readonly rule: string | null;
  /** Every code that a denying rule gives for it, the deciding one or not. */
  readonly fired: readonly string[];
  readonly facts: Json;
  /** The customer's messages up to the proposal. */
  readonly requests: readonly string[];
  readonly outcome: string | null;
  /** Whose effect is in the world afterwards. `unlike`: the benchmark did it and our system could not. */
  readonly effect: "ours" | "recorded" | "none" | "unlike";
  /** Whether the customer's last message reads as a yes: measured, not enforced. */
  readonly saidYes: boolean;
};

export type DrivenRun = { readonly run: string; readonly ending: Ending; readonly replays: boolean };

export type DrivenDialogue = {
  readonly dialogue: number;
  readonly runs: readonly DrivenRun[];
  readonly writes: readonly JudgedWrite[];
  /** Calls of other tools, by what became of them. */
  readonly others: Readonly<Record<string, number>>;
  /** Messages of the customer that the recorded model left without any reply. */
  readonly unanswered: number;
};

/** Drives one recorded dialogue through the real loop: each message of the customer a run, each recorded reply a reply. */
export async function driveDialogue(
  desk: Desk,
  db: Database,
  dialogue: Dialogue,
  number: number,
): Promise<DrivenDialogue> {
  const world = new World(db, NOW);
  const writes: JudgedWrite[] = [];
  const others: Record<string, number> = {};
  const requests: string[] = [];
  const recording = new Recording<RecordedCall>("gpt-4o, recorded", (handled) => {
    if (desk.writes.includes(handled.call.tool)) {
      writes.push(judgedWrite(handled, world, { dialogue, number, requests: [...requests] }));
      return;
    }
    const fate = handled.decided === null ? "stopped" : (handled.decided.denial?.code ?? handled.decided.outcome);
    others[fate] = (others[fate] ?? 0) + 1;
  });
  const { box, thread } = openBox(desk, { services: { world }, model: recording, userId: dialogue.actorUserId });
  const runs: DrivenRun[] = [];
  let unanswered = 0;
  for (const exchange of exchangesOf(dialogue)) {
    if (exchange.replies.length === 0) {
      unanswered++;
      continue;
    }
    requests.push(exchange.request);
    recording.load(exchange.replies);
    do {
      const before = recording.left();
      const outcome = await thread.run(exchange.request, { onEvent: (event) => recording.note(event) });
      recording.settle();
      if (recording.left() === before) throw new Error(`dialogue ${number}: a run took nothing: ${outcome.ending}`);
      const replay = await box.replay(outcome.run);
      runs.push({ run: outcome.run, ending: outcome.ending, replays: replay.same });
      // A guardrail or a staged proposal ended the run; what else was recorded is said in another one.
    } while (recording.left() > 0);
  }
  await box.close();
  return { dialogue: number, runs, writes, others, unanswered };
}

type Where = { readonly dialogue: Dialogue; readonly number: number; readonly requests: readonly string[] };

function judgedWrite(handled: Handled<RecordedCall>, world: World, where: Where): JudgedWrite {
  const { call, decided, finished } = handled;
  const verdict: Verdict = decided === null ? "stopped" : decided.outcome;
  const outcome = finished?.outcome ?? null;
  return {
    dialogue: where.number,
    event: handled.index,
    taskId: where.dialogue.taskId,
    trial: where.dialogue.trial,
    tool: call.tool,
    params: call.args,
    audit: { violates: call.audit?.violates ?? [], needs: call.audit?.needsFromConversation ?? [] },
    recordedAnswer: call.toolResult ?? "",
    verdict,
    code: decided?.denial?.code ?? (handled.settledBefore ? "already_done" : null),
    rule: decided?.rule ?? null,
    fired: firedCodes({
      tool: call.tool,
      params: call.args,
      facts: decided?.facts ?? null,
      userId: where.dialogue.actorUserId,
      requests: where.requests,
    }),
    facts: decided?.facts ?? null,
    requests: where.requests,
    outcome,
    effect: applyRecorded(handled, outcome, world),
    saidYes: readsAsYes(where.requests.at(-1) ?? ""),
  };
}

/**
 * Where the benchmark did a write that we did not, its effect is put into the world outside of the loop, so that the next
 * proposal is judged in the state in which it was made and audited.
 */
function applyRecorded(handled: Handled<RecordedCall>, outcome: string | null, world: World): JudgedWrite["effect"] {
  if (outcome === "done") return "ours";
  if (handled.call.toolResult !== "ok") return "none";
  try {
    perform(world, handled.call);
    return "recorded";
  } catch (error) {
    if (error instanceof EffectFailed) return "unlike";
    throw error;
  }
}

/** Does what a recorded call says, without any rail. */
function perform(world: World, { tool, args }: RecordedCall): void {
  switch (tool) {
    case "book_reservation":
      world.book(bookParams.parse(args));
      return;
    case "update_reservation_flights":
      world.updateFlights(updateFlightsParams.parse(args));
      return;
    case "update_reservation_baggages":
      world.updateBaggages(updateBaggagesParams.parse(args));
      return;
    case "update_reservation_passengers":
      world.updatePassengers(updatePassengersParams.parse(args));
      return;
    case "cancel_reservation":
      world.cancel(cancelParams.parse(args));
      return;
    case "send_certificate":
      world.sendCertificate(certificateParams.parse(args));
      return;
    default:
      throw new Error(`no write tool: ${tool}`);
  }
}
