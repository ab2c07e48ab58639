import type { Json } from "../../../src/index.ts";
import type { JudgedWrite } from "./drive.ts";
import { VERDICTS } from "./drive.ts";
import { type AirlineFigure, AUDITS, auditOf } from "./figure.ts";

const UNWANTED =
  "; unwanted, not against the policy: what the customer would rather have (a price limit, another reservation, nothing " +
  "but nonstop) stands only in the scenario";

/** The figure for people. */
export function figureLines(figure: AirlineFigure): string[] {
  return [
    `data: ${figure.source}`,
    `${figure.dialogues} dialogues, ${figure.runs} runs, ${figure.judgedWrites} of ${figure.recordedWrites} write proposals decided, ` +
      `${figure.replayed} of ${figure.runs} runs replay the same`,
    `${figure.unanswered} closing messages of customers were left without a reply and make no run`,
    `endings: ${counts(figure.endings)}`,
    "",
    ...auditTable(figure),
    "",
    `codes: ${counts(figure.codes)}`,
    `other calls: ${counts(figure.otherCalls)}`,
    `effects in the world: ${counts(figure.effects)}`,
    `against the policy and accepted by the benchmark's own tool: ${figure.acceptedByBenchmark.against}; ` +
      `not permitted here: ${figure.acceptedByBenchmark.refusedByUs}`,
    `hint, not enforced: the customer's last message reads as a yes before ${share(figure.saidYes.clean)} writes that the ` +
      `audit does not object to and before ${share(figure.saidYes.violating)} that violate`,
    `of the ${rowSum(figure)} that violate, our rules name every violation that the audit names in ${figure.sameFindings}`,
    ...figure.otherFindings.map(
      (write) =>
        `  ${where(write)}: audit ${write.audit.violates.join(", ")}; ours ${write.fired.join(", ")} (${write.code ?? ""})`,
    ),
    "",
    `disagreements with the audit: ${figure.disagreements.length}`,
    ...figure.disagreements.flatMap(({ write, explained }) => [
      `  ${where(write)}: ${ours(write)}; audit: ${write.audit.violates.join(", ") || "clean"}`,
      `    ${explained === null ? "NOT EXPLAINED" : `${explained.kind}: ${explained.why}`}`,
    ]),
    "",
    `left to the conversation by the audit, decided from the customer's words: ${figure.fromConversation.length}`,
    ...figure.fromConversation.map(
      (write) => `  ${where(write)}: ${ours(write)}; needs: ${write.audit.needs.join("; ")}`,
    ),
    "",
    ...goldLines(figure),
    "",
    ...matchLines(figure),
    ...(figure.failures.length === 0 ? [] : ["", "failures:", ...figure.failures.map((failure) => `  ${failure}`)]),
  ];
}

/** What the audit says of the recorded proposals, against what became of them. */
export function auditTable(figure: AirlineFigure): string[] {
  const width = Math.max(...AUDITS.map((audit) => audit.length), "audit".length);
  const heads = VERDICTS.map((verdict) => (verdict === "stopped" ? "stopped by guardrail" : verdict));
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(width)}  ${cells.map((cell, i) => cell.padStart(heads[i]?.length ?? 0)).join("  ")}`;
  return [
    row("audit", heads),
    ...AUDITS.map((audit) =>
      row(
        audit,
        VERDICTS.map((verdict) => String(figure.table[audit][verdict])),
      ),
    ),
  ];
}

function rowSum(figure: AirlineFigure): number {
  return VERDICTS.reduce((sum, verdict) => sum + figure.table.violates[verdict], 0);
}

function goldLines(figure: AirlineFigure): string[] {
  const authorised = figure.gold.filter((write) => write.authorised);
  const tasks = new Set(figure.gold.map((write) => write.task));
  return [
    `ground truth: ${authorised.length} of ${figure.gold.length} writes of ${tasks.size} tasks authorised`,
    ...figure.gold
      .filter((write) => !write.authorised || write.outcome !== "done")
      .map(
        (write) =>
          `  task ${write.task} call ${write.call} ${write.tool}: ${write.code ?? write.outcome} (${write.rule ?? ""})`,
      ),
  ];
}

function matchLines(figure: AirlineFigure): string[] {
  const kept = figure.unwanted.filter(({ write }) => write.verdict !== "permit");
  return [
    `tasks without a write: ${kept.length} of ${figure.unwanted.length} recorded write proposals in their dialogues not permitted`,
    ...figure.matches.map((match) => {
      const to = match.recorded === null ? "no recorded task" : `recorded task ${match.recorded}`;
      const writes = figure.unwanted.filter((entry) => entry.task === match.task);
      return `  task ${match.task} -> ${to} (alike ${match.similarity.toFixed(2)}; ${match.why}): ${writes.length} write proposal(s)`;
    }),
    ...figure.unwanted
      .filter(({ write }) => write.verdict === "permit")
      .map(
        ({ task, write }) =>
          `  permitted in task ${task}: ${where(write)}; audit: ${auditOf(write)}${auditOf(write) === "clean" ? UNWANTED : ""}`,
      ),
  ];
}

function where(write: JudgedWrite): string {
  return `dialogue ${write.dialogue} event ${write.event} (recorded task ${write.taskId}.${write.trial}) ${write.tool}`;
}

function ours(write: JudgedWrite): string {
  return [write.verdict, write.code, write.rule === null ? null : `by "${write.rule}"`].filter(Boolean).join(" ");
}

export function counts(table: Readonly<Record<string, number>>): string {
  const entries = Object.entries(table);
  return entries.length === 0 ? "none" : entries.map(([name, n]) => `${name} ${n}`).join(", ");
}

function share([n, of]: readonly [number, number]): string {
  return `${n} of ${of}`;
}

/** The figure for machines: the same facts, without the records. */
export function figureJson(figure: AirlineFigure): Json {
  const { disagreements, fromConversation, unwanted, otherFindings, ...rest } = figure;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      disagreements: disagreements.map(({ write, explained }) => ({ ...writeJson(write), explained })),
      otherFindings: otherFindings.map(writeJson),
      fromConversation: fromConversation.map(writeJson),
      unwanted: unwanted.map(({ task, write }) => ({ task, ...writeJson(write) })),
    }),
  ) as Json;
}

function writeJson({ facts: _facts, requests: _requests, ...write }: JudgedWrite): object {
  return write;
}
