import { resolve } from "node:path";
import { readSource } from "../../adapters/source-file/index.ts";
import { sha256 } from "../../adapters/world-node/index.ts";
import {
  type Evaluation,
  evaluate,
  type GroundIndex,
  ground,
  groundIndex,
  type Outcome,
  outcomeOf,
  type Pair,
  type Rate,
  readControlMaps,
  readPairs,
  SCORE_1,
} from "../../guides/index.ts";
import { type Parsed, SignalboxError } from "../../index.ts";
import { printHead } from "./framed.ts";
import type { Grounding } from "./guides-ground.ts";
import type { Io } from "./io.ts";
import { printUnder } from "./print-row.ts";
import { jsonDocument, pad, visible } from "./text.ts";

/** A pair with what it came to. `score`: of what is bound, else of the nearest. */
type Measured = Pair & { readonly bound: string | null; readonly score: number; readonly outcome: Outcome };

/** Precision, recall and what is left unbound, on anybody's screens, and which pairs came out wrong. */
export async function measure(io: Io, { pairs, controls, explain = false, json = false }: Grounding): Promise<number> {
  if (pairs === undefined || controls === undefined)
    throw new SignalboxError("usage", "--pairs and --controls go together");
  const maps = taken(controls, readControlMaps(await textOf(io, controls)));
  const wanted = taken(pairs, readPairs(await textOf(io, pairs)));
  const indexes = new Map(maps.map((map) => [map.source.where, groundIndex(map, sha256)]));
  const measured = wanted.map((pair) => measuredIn(indexFor(indexes, pair, { pairs, controls }), pair));
  const bound = new Map<Pair, string | null>(measured.map((one) => [one, one.bound]));
  const [core, others] = [true, false].map((wants) =>
    evaluate(
      measured.filter((pair) => pair.core === wants),
      (pair) => bound.get(pair) ?? null,
    ),
  );
  const wrong = measured.filter(({ outcome }) => outcome !== "right" && outcome !== "leftUnbound");
  if (json) {
    const listed = wrong.map(({ line, id, map, intent, expected, accept, bound: to, score, outcome }) => ({
      ...{ line, id, map, intent, expected, accept, bound: to, score, outcome },
    }));
    io.stdout.write(jsonDocument({ version: SCORE_1.version, maps: maps.length, core, others, wrong: listed }));
    return 0;
  }
  if (core !== undefined) printEvaluation(io, "core pairs", core);
  if (others !== undefined) printEvaluation(io, "other pairs", others);
  if (explain) for (const one of wrong) printWrong(io, one);
  else if (wrong.length > 0) printUnder(io, `${wrong.length} came out wrong: --explain lists them`, "dim");
  return 0;
}

async function textOf(io: Io, file: string): Promise<string> {
  const text = await readSource(resolve(io.cwd, file), 512 * 1_048_576);
  if (text.ok) return text.value;
  throw new SignalboxError(text.why.code, text.why.detail, { exitCode: 1 });
}

function taken<T>(file: string, read: Parsed<T>): T {
  if (read.ok) return read.value;
  throw new SignalboxError(read.why.code, `${file}: ${read.why.detail}`, { exitCode: 1 });
}

/** @throws SignalboxError where there is no such map, or where the pair expects what is not in it: it could only come out wrong. */
function indexFor(
  indexes: ReadonlyMap<string, GroundIndex>,
  { line, map, expected, accept }: Pair,
  { pairs, controls }: { readonly pairs: string; readonly controls: string },
): GroundIndex {
  const index = indexes.get(map);
  if (index === undefined) throw new SignalboxError("unknown_map", `${controls} has no map ${map}`, { exitCode: 1 });
  const absent = [...(expected === null ? [] : [expected]), ...accept].find((id) => !index.byId.has(id));
  if (absent === undefined) return index;
  throw new SignalboxError("absent_id", `${pairs}: line ${line}: there is no control "${absent}" in the map ${map}`, {
    exitCode: 1,
    hint: "expected is the id of a control of the map, or null",
  });
}

function measuredIn(index: GroundIndex, pair: Pair): Measured {
  const { bound, score } = ground(index, pair.intent);
  return { ...pair, bound, score, outcome: outcomeOf(pair, bound) };
}

/** What is wrong about a pair, in a word. */
const WRONG: { readonly [outcome in Outcome]: string } = {
  right: "right",
  wrong: "wrong",
  missed: "missed",
  leftUnbound: "left unbound",
  boundAnyway: "bound anyway",
};

function printWrong(io: Io, { line, id, map, intent, expected, bound, score, outcome }: Measured): void {
  const where = `line ${line}${id === "" ? "" : ` ${visible(id)}`}, map ${visible(map)}`;
  const [right, to] = [expected, bound].map((one) => (one === null ? "none" : visible(one)));
  const text = `${pad(WRONG[outcome], 12)} ${where}: ${visible(intent)}  →  ${to} ${score.toFixed(2)}, expected ${right}`;
  printUnder(io, text, "yellow");
}

function printEvaluation(io: Io, what: string, { counts, precision, recall, negatives }: Evaluation): void {
  const [positive, negative] = [counts.right + counts.wrong + counts.missed, counts.leftUnbound + counts.boundAnyway];
  if (positive + negative === 0) return;
  const line = (what: string, { hits, of, rate, interval }: Rate): void => {
    const [low, high] = [interval.low, interval.high].map((x) => x.toFixed(3));
    printUnder(
      io,
      `${pad(what, 22)} ${rate === null ? "-" : rate.toFixed(3)}  [${low}, ${high}]  ${hits} of ${of}`,
      "dim",
    );
  };
  printHead(io, what, [SCORE_1.version, `${positive} with a control`, `${negative} without`]);
  line("precision", precision);
  line("recall", recall);
  line("negatives left unbound", negatives);
}
