import type { OpenOutcome, Resolution, Signalbox } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { approvalIdOf, timeOf } from "./approvals.ts";
import { printHead } from "./framed.ts";
import { commandOf, type Io, type Style } from "./io.ts";
import { printNote, printUnder } from "./print-row.ts";
import { callText } from "./run-texts.ts";
import { grouped, jsonDocument, visible } from "./text.ts";

const STYLES: { readonly [state in OpenOutcome["state"]]: Style } = {
  outcome_unknown: "red",
  open: "yellow",
  running: "dim",
};

export async function listOutcomes(io: Io, box: Signalbox, json: boolean): Promise<number> {
  const outcomes = await box.outcomes.list();
  if (json) {
    io.stdout.write(jsonDocument(outcomes));
    return 0;
  }
  if (outcomes.length === 0) io.stdout.write("every effect that was begun has its outcome\n");
  for (const outcome of outcomes) printOutcome(io, outcome);
  return 0;
}

function printOutcome(io: Io, outcome: OpenOutcome): void {
  const { id, run, state, since, why, tool, params, principal, customer, idempotencyKey, reservations } = outcome;
  printHead(
    io,
    state === "outcome_unknown" ? "unknown" : state,
    [visible(id), `since ${timeOf(since)}`, visible(why)],
    STYLES[state],
  );
  printUnder(io, `${callText({ tool, params, evidence: [] })}`, "bold");
  const held = reservations.map(({ cap, amount }) => `holds ${grouped(amount)} of ${visible(cap)}`);
  const whose = customer === null ? [] : [`for ${visible(customer)}`];
  const facts = [`by ${visible(principal)}`, ...whose, `idempotency key ${visible(idempotencyKey)}`, ...held];
  printUnder(io, `${facts.join(" · ")}`, "dim");
  const command = commandOf(io);
  const next =
    state === "outcome_unknown" || outcome.outside
      ? `${command} outcomes resolve ${visible(id)} --as WHO --outcome done|failed --why "…"`
      : state === "open"
        ? `${command} resume ${visible(run)}`
        : "";
  if (next !== "") printUnder(io, `${next}`, "dim");
}

export async function resolveOutcome(
  io: Io,
  box: Signalbox,
  given: string,
  options: {
    readonly as: string;
    readonly outcome: string;
    readonly why: string;
    readonly result?: unknown;
    readonly gone?: boolean;
  },
  json: boolean,
): Promise<number> {
  const { as, outcome, why, result, gone = false } = options;
  if (outcome !== "done" && outcome !== "failed") {
    throw new SignalboxError("usage", "--outcome takes done or failed");
  }
  const id = await approvalIdOf(box, given);
  const resolution: Resolution = { as, outcome, why, gone, ...(result === undefined ? {} : { result }) };
  await box.outcomes.resolve(id, resolution);
  const run = id.slice(0, id.lastIndexOf("-"));
  if (json) io.stdout.write(jsonDocument({ id, outcome, by: as, why }));
  else {
    printHead(io, "resolved", [visible(id), outcome, `by ${visible(as)}`], outcome === "done" ? "green" : "yellow");
    printNote(io, `the run can go on: ${commandOf(io)} resume ${visible(run)}`, "dim");
  }
  return 0;
}
