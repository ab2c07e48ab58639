import { type Condition, TASK_PATHS_MAX } from "../../domain/rule.ts";
import type { RefusalCode, RoutedRule, Served, ServedRule, Unselected } from "../../domain/served.ts";
import type { Explained, Guides, ServeOutcome, ServeWanted, Signalbox } from "../../index.ts";
import { timeOf } from "./approvals.ts";
import { printFramed, printHead } from "./framed.ts";
import { BAR_COLUMNS, budgetBar, budgetText, servedTexts } from "./guide-texts.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import { namesIn, widest } from "./name-column.ts";
import { printFindings } from "./print-findings.ts";
import { printNote, printUnder } from "./print-row.ts";
import { runIdOf } from "./run-id.ts";
import { clipMiddle, columnsOf, counted, grouped, jsonDocument, pad, visible, wrapParts } from "./text.ts";

type Manner = { readonly json: boolean; readonly all: boolean };

/** What a model would be told. Exit code 1 where there can be no plan. */
export async function serveTask(io: Io, guides: Guides, wanted: ServeWanted, { json, all }: Manner): Promise<number> {
  const outcome = await guides.serve(wanted);
  if (json) io.stdout.write(jsonDocument(outcome));
  else printOutcome(io, outcome, wanted, all);
  return outcome.kind === "plan" ? 0 : 1;
}

function printOutcome(io: Io, outcome: ServeOutcome, wanted: ServeWanted, all: boolean): void {
  if (outcome.kind !== "plan") {
    printHead(io, "refused", [outcome.code, visible(outcome.detail)], "red");
    // Each rule once: some details name the rules that they are about.
    const isNamed = NAMED_IN_DETAIL.includes(outcome.code);
    if (!isNamed) for (const rule of outcome.rules) printUnder(io, visible(rule), "red");
    for (const { id, code, detail } of outcome.withheld) {
      if (!outcome.rules.includes(id)) printUnder(io, `${visible(id)}: ${code}: ${visible(detail)}`, "yellow");
    }
    return;
  }
  const { served, unselected } = outcome;
  printHead(io, "task", [
    visible(wanted.task),
    ...(served.app === null ? [] : [`app ${visible(served.app)}`]),
    ...served.paths.slice(0, 8).map(visible),
  ]);
  printServed(io, served);
  printUnselected(io, unselected, all);
  printText(io, served);
}

const NAMED_IN_DETAIL: readonly RefusalCode[] = ["safety_withheld", "revision_damaged", "duplicate_id"];

/** The budget, and every rule that was selected with what became of it. */
function printServed(io: Io, served: Served): void {
  const { report, withheld, plan } = served;
  const { kept, routed, dropped, bytes, budgetBytes, profile, measured } = report;
  const safety = kept.filter((rule) => rule.safety).reduce((sum, rule) => sum + rule.bytes, 0);
  const bar = budgetBar(io, safety, bytes - safety, budgetBytes);
  printHead(io, "profile", [visible(profile), `${visible(measured)}`, `plan ${plan.slice(0, DIGEST_DIGITS)}`]);
  const taken = budgetText(bytes, budgetBytes);
  const isBeside = MARGIN + BAR_COLUMNS + 1 + columnsOf(taken) <= widthOf(io);
  const parts = bar === "" ? [taken] : isBeside ? [`${bar} ${taken}`] : [bar, taken];
  for (const part of parts) io.stdout.write(`${" ".repeat(MARGIN)}${part}\n`);
  printRules(io, [
    ...kept.map((rule) => shown("kept", "green", rule, watchText(rule))),
    ...routed.map((rule) => shown("channel B", "cyan", rule, [whenText(rule), ...watchText(rule)])),
    ...dropped.map(({ reason, ...rule }) => shown("dropped", "yellow", { ...rule, safety: false }, [reason])),
    ...withheld.map(({ code, detail, ...rule }) =>
      shown("withheld", "red", { ...rule, bytes: null }, [`${code}: ${visible(detail)}`]),
    ),
  ]);
  if (report.assumed.length > 0) {
    const isAboutAll = served.paths.length > TASK_PATHS_MAX;
    const why = isAboutAll ? `more than ${grouped(TASK_PATHS_MAX)} files` : "too many files and patterns to look at";
    printUnder(io, `counted as matching, for ${why}: ${report.assumed.map(visible).join(", ")}`, "yellow");
  }
}

type Shown = {
  readonly fate: string;
  readonly style: Style;
  readonly name: string;
  readonly bytes: string;
  readonly digest: string;
  /** What else there is to say of it. */
  readonly texts: readonly string[];
};

function shown(
  fate: string,
  style: Style,
  { bytes, id, revision, safety }: Pick<ServedRule, "id" | "revision" | "safety"> & { readonly bytes: number | null },
  why: readonly string[],
): Shown {
  return {
    ...{ fate, style, name: visible(id), texts: [...(safety ? ["safety"] : []), ...why] },
    bytes: bytes === null ? "" : `${grouped(bytes)} B`,
    digest: revision.slice(0, DIGEST_DIGITS),
  };
}

/**
 * A table of rules; what there is to say of one goes on beside it. Where a terminal has no room for that, everything but the name
 * stands below the name.
 */
function printRules(io: Io, rules: readonly Shown[]): void {
  const bytes = widest(rules.map((rule) => rule.bytes));
  const before = MARGIN + FATE_COLUMNS + bytes + DIGEST_DIGITS + 4 * GAP.length;
  const wanted = Math.min(TEXT_COLUMNS_MIN, widest(rules.map(({ texts }) => texts.join(" · "))));
  const names = namesIn(
    rules.map(({ name }) => name),
    widthOf(io) - before - wanted,
  );
  const nameColumns = widest(names ?? []);
  const margin = names === null ? MARGIN + FATE_COLUMNS + GAP.length : before + nameColumns;
  const room = widthOf(io) - margin;
  rules.forEach(({ fate, style, name, texts, ...rule }, i) => {
    const head = `${" ".repeat(MARGIN)}${paint(io, style, pad(fate, FATE_COLUMNS))}${GAP}`;
    const facts = [rule.bytes, rule.digest].filter((fact) => fact !== "");
    const said = names === null ? [...facts, ...texts] : texts;
    const lines = Number.isFinite(room) ? wrapParts(said, room) : [said.join(" · ")];
    const cells = [pad(names?.[i] ?? "", nameColumns), rule.bytes.padStart(bytes), rule.digest, ...lines.slice(0, 1)];
    const first = names === null ? clipMiddle(name, room) : cells.join(GAP).trimEnd();
    io.stdout.write(`${head}${first}\n`);
    for (const line of names === null ? lines : lines.slice(1)) io.stdout.write(`${" ".repeat(margin)}${line}\n`);
  });
}

const GAP = "  ";
const MARGIN = 4;
const FATE_COLUMNS = 9;
/** Columns of what there is to say of a rule, where it needs as many. */
const TEXT_COLUMNS_MIN = 24;

function whenText({ when }: RoutedRule): string {
  return `when ${conditionText(when)}`;
}

function watchText({ breach, escalate }: ServedRule): readonly string[] {
  return breach === null || escalate === null ? [] : [`${escalate} at ${conditionText(breach)}`];
}

function conditionText({ event, tool, facts }: Condition): string {
  const named = [...(event === null ? [] : [`event ${event}`]), ...(tool === null ? [] : [`tool ${tool}`])];
  // In quotes where it is a text: "1234" and 1234 are two values, and only one of them is met.
  const listed = facts.map(({ name, anyOf }) => `${name} = ${anyOf.map((one) => JSON.stringify(one)).join(" or ")}`);
  return visible([...named, ...listed].join(", ")) || "any event";
}

function printUnselected(io: Io, unselected: readonly Unselected[], all: boolean): void {
  if (unselected.length === 0) return;
  if (all) {
    for (const { id, because } of unselected)
      printUnder(io, `${pad("not for it", 9)} ${visible(id)}: ${because}`, "dim");
    return;
  }
  const counts = (["task", "app", "paths", "profile"] as const)
    .map((because) => ({ because, n: unselected.filter((rule) => rule.because === because).length }))
    .filter(({ n }) => n > 0)
    .map(({ because, n }) => `${n} by ${because}`);
  printUnder(io, `not selected: ${counted(unselected.length, "rule")} (${counts.join(", ")}; --all lists them)`, "dim");
}

/** What is told at the start, and then each rule of channel B, which is told when its event comes. */
function printText(io: Io, { text, slot, report }: Served): void {
  if (text === "") printHead(io, "text", ["nothing is told at the start"]);
  else {
    printHead(io, "text", [`at ${slot}`, `${grouped(report.bytes)} bytes`, "exactly this"]);
    printFramed(io, text);
  }
  for (const rule of report.routed) {
    printHead(io, "channel B", [visible(rule.id), whenText(rule), `${grouped(rule.bytes)} bytes`, "exactly this"]);
    printFramed(io, rule.text);
  }
}

/** Events that are listed; what a `when` waits for is usually among the first. */
const EVENTS_MAX = 40;

/** What tools saw, so that a `when` can be held against it. */
function printEvents(io: Io, events: Explained["events"]): void {
  for (const { step, name, facts } of events.slice(0, EVENTS_MAX)) {
    printNote(io, `event ${visible(name)} in step ${step}: ${visible(JSON.stringify(facts))}`, "dim");
  }
  const more = events.length - EVENTS_MAX;
  if (more > 0) printNote(io, `and ${counted(more, "event")} more: --json has them`, "dim");
}

/** What a recorded run was told and what it was not, from its rows. */
export async function explainRun(
  io: Io,
  box: Signalbox,
  run: string,
  { json, text }: { readonly json: boolean; readonly text: boolean },
): Promise<number> {
  const explained = await box.guides.explain(await runIdOf(box, run));
  if (json) {
    io.stdout.write(jsonDocument(explained));
    return 0;
  }
  const { served, refused, injected, waiting, events, findings, breaches, request, model, at, ending } = explained;
  printHead(io, "run", [explained.run, timeOf(at), visible(model), ...(ending === null ? [] : [ending])]);
  printHead(io, "request", [visible(request)]);
  if (served === null) {
    printHead(
      io,
      refused === null ? "told nothing" : "refused",
      [visible(refused ?? "no guides were configured")],
      refused === null ? "dim" : "red",
    );
    return 0;
  }
  printHead(io, "told", servedTexts(served));
  printServed(io, served);
  if (served.report.routed.length + breaches.length > 0 || text) printEvents(io, events);
  for (const { rule, step, turn } of injected)
    printNote(io, `${visible(rule)} was injected by step ${step}, before turn ${turn}`, "cyan");
  if (waiting.length > 0)
    printNote(io, `never told, since their event never came: ${waiting.map(visible).join(", ")}`, "dim");
  printFindings(io, findings);
  for (const { rule, by, step, escalate } of breaches) {
    printNote(io, `${visible(rule)} was broken by ${visible(by)} in step ${step} (${escalate})`, "red");
  }
  if (refused !== null) printHead(io, "refused", [visible(refused)], "red");
  if (text) printText(io, served);
  return 0;
}
