import { openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { Json } from "../../domain/json.ts";
import { JSON_LIMITS } from "../../domain/json-limits.ts";
import { parseJson } from "../../domain/scan.ts";
import type { DecideOutcome, OutsideProposal, Settling, Signalbox } from "../../index.ts";
import { SignalboxError } from "../../index.ts";
import { timeOf } from "./approvals.ts";
import { printHead } from "./framed.ts";
import { commandOf, type Io } from "./io.ts";
import { printNote } from "./print-row.ts";
import { grouped, jsonDocument, visible } from "./text.ts";

const BYTES_MAX = 1_048_576;

/** Exit codes of `decide` (design 10): what may be done now, what may not, and what waits for a person. */
const EXIT_CODES: { readonly [outcome in DecideOutcome["outcome"]]: number } = { allow: 0, deny: 3, stage: 4 };

/** Decides one proposal that is handed in as JSON: for loops that can start a process and nothing else. */
export async function decide(io: Io, box: Signalbox, file: string, json: boolean): Promise<number> {
  const proposal = parsed(readAll(io, file), file);
  const asked = proposal as unknown as OutsideProposal;
  const decided = await box.decide(asked);
  if (json) io.stdout.write(jsonDocument(decided));
  else print(io, asked, decided);
  return EXIT_CODES[decided.outcome];
}

function print(io: Io, { run, step }: OutsideProposal, decided: DecideOutcome): void {
  switch (decided.outcome) {
    case "allow": {
      const held = decided.reservations.map(
        ({ cap, amount, limit }) => `${visible(cap)}: holds ${grouped(amount)}, limit ${grouped(limit)}`,
      );
      printHead(io, "allow", [visible(decided.message), ...held], "green");
      printNote(io, `idempotency key ${visible(decided.idempotencyKey)}`, "dim");
      printNote(
        io,
        `when it is over: ${commandOf(io)} settle ${visible(run)} ${step} --outcome done|failed|outcome_unknown`,
        "dim",
      );
      return;
    }
    case "deny":
      printHead(
        io,
        "deny",
        [`${visible(decided.code)}: ${visible(decided.message)}`, `rule ${visible(decided.rule)}`],
        "red",
      );
      return;
    case "stage":
      printHead(
        io,
        "stage",
        [`needs ${visible(decided.role)}`, `rule ${visible(decided.rule)}`, `until ${timeOf(decided.expiresAt)}`],
        "yellow",
      );
      printNote(io, `${commandOf(io)} approvals show ${visible(decided.approval)}`, "dim");
      return;
  }
}

export async function settle(
  io: Io,
  box: Signalbox,
  run: string,
  step: string,
  options: { readonly outcome: string; readonly result?: string; readonly error?: string },
  json: boolean,
): Promise<number> {
  const { outcome, result, error } = options;
  if (!/^[0-9]+$/.test(step)) throw new SignalboxError("usage", `"${step}" is no step: a whole number from 1`);
  await box.settle({
    run,
    step: Number(step),
    outcome: outcome as Settling["outcome"],
    ...(result === undefined ? {} : { result: parsed(result, "--result") }),
    ...(error === undefined ? {} : { error }),
  });
  if (json) io.stdout.write(jsonDocument({ run, step: Number(step), outcome }));
  else
    printHead(io, "settled", [`step ${step} of run ${visible(run)}`, outcome], outcome === "done" ? "green" : "yellow");
  return 0;
}

/** JSON as it may come from anybody: read strictly, and refused with where and why. */
export function parsed(text: string, from: string): Json {
  const read = parseJson(text, { ...JSON_LIMITS, bytesMax: BYTES_MAX });
  if (read.ok) return read.value;
  throw new SignalboxError("bad_json", `${from}: ${read.why.code}: ${read.why.detail}`);
}

/** A file, or stdin for `-`: so much of it as a document may have, and never more. */
function readAll(io: Io, file: string): string {
  const buffer = Buffer.alloc(BYTES_MAX + 1);
  let length = 0;
  try {
    const fd = file === "-" ? 0 : openSync(resolve(io.cwd, file), "r");
    for (;;) {
      const read = readSync(fd, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0 || length === buffer.length) break;
    }
  } catch (error) {
    throw new SignalboxError("unreadable", `${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (length > BYTES_MAX) throw new SignalboxError("too_large", `${file} has more than ${BYTES_MAX} bytes`);
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(buffer.subarray(0, length));
}
