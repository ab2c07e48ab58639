import { NOW } from "../../../examples/tau/airline/database.ts";
import { World } from "../../../examples/tau/airline/world.ts";
import type { Desk } from "../desk.ts";
import { driveGold, type GoldCall } from "../gold.ts";
import type { AirlineData } from "./data.ts";
import { airlineDesk } from "./desk.ts";
import { type DrivenDialogue, driveDialogue, type JudgedWrite, VERDICTS, type Verdict } from "./drive.ts";
import { type Explained, explain, isDisagreement, namesAll } from "./explain.ts";
import { type Match, matchTasks } from "./matching.ts";

export const AUDITS = ["clean", "needs the conversation", "violates"] as const;
export type Audit = (typeof AUDITS)[number];

export type Disagreement = { readonly write: JudgedWrite; readonly explained: Explained | null };

/** A recorded write in a dialogue whose task has no write at all. */
export type UnwantedWrite = { readonly task: string; readonly write: JudgedWrite };

export type AirlineFigure = {
  readonly source: string;
  readonly dialogues: number;
  readonly runs: number;
  readonly replayed: number;
  readonly unanswered: number;
  readonly endings: Readonly<Record<string, number>>;
  /** Write proposals in the recordings, and those of them that were decided or stopped. */
  readonly recordedWrites: number;
  readonly judgedWrites: number;
  readonly table: Readonly<Record<Audit, Readonly<Record<Verdict, number>>>>;
  readonly codes: Readonly<Record<string, number>>;
  readonly otherCalls: Readonly<Record<string, number>>;
  readonly effects: Readonly<Record<string, number>>;
  readonly acceptedByBenchmark: { readonly against: number; readonly refusedByUs: number };
  /** Of the proposals that violate: those for which our rules name every violation that the audit names. */
  readonly sameFindings: number;
  readonly otherFindings: readonly JudgedWrite[];
  readonly disagreements: readonly Disagreement[];
  /** Proposals on which the audit waits for the conversation, as we decided them from the customer's words. */
  readonly fromConversation: readonly JudgedWrite[];
  readonly saidYes: { readonly clean: readonly [number, number]; readonly violating: readonly [number, number] };
  readonly gold: readonly GoldCall[];
  readonly goldReplayed: boolean;
  readonly matches: readonly Match[];
  readonly unwanted: readonly UnwantedWrite[];
  readonly failures: readonly string[];
};

/** Drives all recordings and all ground-truth writes and counts. */
export async function airlineFigure(data: AirlineData, desk: Desk = airlineDesk): Promise<AirlineFigure> {
  const driven: DrivenDialogue[] = [];
  for (const [number, dialogue] of data.dialogues.entries()) {
    driven.push(await driveDialogue(desk, data.database, dialogue, number));
  }
  const gold = [];
  for (const task of data.tasks) {
    if (task.writeCalls.length > 0) gold.push(await driveGold(desk, { world: new World(data.database, NOW) }, task));
  }
  const writes = driven.flatMap((dialogue) => dialogue.writes);
  const runs = driven.flatMap((dialogue) => dialogue.runs);
  const matches = matchTasks(data.tasks, data.dialogues);
  const violating = writes.filter((write) => auditOf(write) === "violates");
  const otherFindings = violating.filter((write) => !namesAll(write.audit.violates, findings(write)));
  const against = writes.filter((write) => write.audit.violates.length > 0 && write.recordedAnswer === "ok");
  const result = {
    source: data.source,
    dialogues: driven.length,
    runs: runs.length,
    replayed: runs.filter((run) => run.replays).length,
    unanswered: driven.reduce((sum, dialogue) => sum + dialogue.unanswered, 0),
    endings: count(runs.map((run) => run.ending)),
    recordedWrites: recordedWrites(data),
    judgedWrites: writes.length,
    table: tableOf(writes),
    codes: count(writes.flatMap((write) => (write.code === null ? [] : [write.code]))),
    otherCalls: sum(driven.map((dialogue) => dialogue.others)),
    effects: count(writes.map((write) => write.effect)),
    acceptedByBenchmark: {
      against: against.length,
      refusedByUs: against.filter((write) => write.verdict !== "permit").length,
    },
    sameFindings: violating.length - otherFindings.length,
    otherFindings,
    disagreements: writes.filter(isDisagreement).map((write) => ({ write, explained: explain(write, data) })),
    fromConversation: writes.filter((write) => auditOf(write) === "needs the conversation"),
    saidYes: {
      clean: yesOf(writes.filter((write) => auditOf(write) !== "violates")),
      violating: yesOf(writes.filter((write) => auditOf(write) === "violates")),
    },
    gold: gold.flatMap((entry) => entry.calls),
    goldReplayed: gold.every((entry) => entry.replays),
    matches: matches.filter((match) => isWriteless(data, match.task)),
    unwanted: unwantedWrites(data, matches, writes),
  };
  return { ...result, failures: failuresOf(result) };
}

/** What keeps the goal from holding, a line each. */
function failuresOf(figure: Omit<AirlineFigure, "failures">): string[] {
  const failures: string[] = [];
  const goldDenied = figure.gold.filter((write) => !write.authorised);
  if (goldDenied.length > 0) failures.push(`${goldDenied.length} ground-truth write(s) were not authorised`);
  const letThrough = figure.disagreements.filter(
    ({ write, explained }) => write.verdict === "permit" && explained === null,
  );
  for (const { write } of letThrough) {
    failures.push(
      `dialogue ${write.dialogue} event ${write.event}: permitted although the audit says ${write.audit.violates.join(", ")}`,
    );
  }
  if (figure.judgedWrites !== figure.recordedWrites) {
    failures.push(`${figure.judgedWrites} of ${figure.recordedWrites} write proposals were decided`);
  }
  if (figure.replayed !== figure.runs) failures.push(`${figure.runs - figure.replayed} run(s) did not replay`);
  if (!figure.goldReplayed) failures.push("a run of the ground truth did not replay");
  return failures;
}

export function auditOf(write: JudgedWrite): Audit {
  if (write.audit.violates.length > 0) return "violates";
  return write.audit.needs.length > 0 ? "needs the conversation" : "clean";
}

/** What our rails find, with what the evidence rail says in the audit's words: an id that is in no profile. */
function findings(write: JudgedWrite): string[] {
  return [...write.fired, ...(write.code === null ? [] : [write.code])];
}

function recordedWrites(data: AirlineData): number {
  return data.dialogues.flatMap((dialogue) => dialogue.events).filter((event) => event.type === "call" && event.audit)
    .length;
}

function tableOf(writes: readonly JudgedWrite[]): AirlineFigure["table"] {
  const row = (audit: Audit) =>
    Object.fromEntries(
      VERDICTS.map((verdict) => [
        verdict,
        writes.filter((write) => auditOf(write) === audit && write.verdict === verdict).length,
      ]),
    ) as Record<Verdict, number>;
  return { clean: row("clean"), "needs the conversation": row("needs the conversation"), violates: row("violates") };
}

function isWriteless(data: AirlineData, id: string): boolean {
  return data.tasks.some((task) => task.id === id && task.writeCalls.length === 0);
}

function unwantedWrites(
  data: AirlineData,
  matches: readonly Match[],
  writes: readonly JudgedWrite[],
): readonly UnwantedWrite[] {
  return matches
    .filter((match) => match.recorded !== null && isWriteless(data, match.task))
    .flatMap((match) =>
      writes.filter((write) => write.taskId === match.recorded).map((write) => ({ task: match.task, write })),
    );
}

function yesOf(writes: readonly JudgedWrite[]): readonly [number, number] {
  return [writes.filter((write) => write.saidYes).length, writes.length];
}

function count(names: readonly string[]): Record<string, number> {
  return sum(names.map((name) => ({ [name]: 1 })));
}

function sum(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total = new Map<string, number>();
  for (const entry of counts) {
    for (const [name, n] of Object.entries(entry)) total.set(name, (total.get(name) ?? 0) + n);
  }
  return Object.fromEntries([...total].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
