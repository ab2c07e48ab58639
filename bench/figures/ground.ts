import { join } from "node:path";
import { ground as bind, type Evaluation, evaluate, type Pair, type Rate, SCORE_1 } from "../../src/guides/index.ts";
import { type Baseline, FULL_TEXT, FUZZY } from "../ground/baselines.ts";
import { type GroundData, GUIDES_DATA, indexOf, loadGroundData } from "../ground/data.ts";
import { CONTROLS, INTENTS, type Speed, speedOn } from "../ground/speed.ts";
import { asCareful, balance, mostBalanced, type Threshold, tried } from "../ground/threshold.ts";
import { type Figure, type FigureResult, NoData } from "./figure.ts";
import { machineLines } from "./machine.ts";

export const PRECISION_MIN = 0.862;
export const RECALL_MIN = 0.686;
export const NEGATIVES_MIN = 0.922;
const SECONDS_MAX = 1;
/** Of time at double the size: 2 is linear, and a busy machine adds to it. */
const DOUBLE_MAX = 3;

export type Row = { readonly name: string; readonly result: Evaluation; readonly at: Threshold | null };

export const ground: Figure = {
  name: "ground",
  takes: "half a minute; --pairs FILE and --controls FILE take others of the same format",
  title:
    "binding intents to controls by score/1 on labelled pairs, beside fuzzy match and full text whose thresholds were chosen on the same pairs",
  goal:
    `on the core pairs a precision over ${PRECISION_MIN}, a recall over ${RECALL_MIN} and over ${NEGATIVES_MIN} of the negatives left ` +
    `unbound, and a better balance than both libraries; ${INTENTS.toLocaleString("en")} intents against ${CONTROLS.toLocaleString("en")} ` +
    "controls under a second of a processor, and in proportion to either",
  async run({ data, pairs, controls }) {
    const folder = data ?? GUIDES_DATA;
    const loaded = loadGroundData(pairs ?? join(folder, "pairs.jsonl"), controls ?? join(folder, "controls.jsonl"));
    return measured(loaded);
  },
};

function measured(data: GroundData): FigureResult {
  const core = data.pairs.filter((pair) => pair.core);
  if (core.length === 0) throw new NoData("none of the pairs is a core pair");
  const index = indexOf(data);
  const ofScore = (pair: Pair): string | null => bind(index(pair.map), pair.intent).bound;
  const ours = evaluate(core, ofScore);
  const others = [FUZZY, FULL_TEXT].flatMap((baseline) => baselineRows(data, core, baseline, ours));
  const speed = speedOn(data);
  const holds = judged(ours, others, speed);
  const rows: readonly Row[] = [
    { name: SCORE_1.version, result: ours, at: { bind: SCORE_1.bind, lead: SCORE_1.lead } },
    ...others,
  ];
  const kinds = [...new Set(data.pairs.map(({ kind }) => kind))].sort().map((kind) => {
    const pairs = data.pairs.filter((pair) => pair.kind === kind);
    return { kind, core: pairs.every((pair) => pair.core), result: evaluate(pairs, ofScore) };
  });
  return {
    holds: holds.every(([, good]) => good),
    lines: [
      ...machineLines(),
      `${core.length} core pairs of ${data.pairs.length}, in ${new Set(core.map(({ map }) => map)).size} maps; intervals are Wilson's, 95 %`,
      "",
      ...table(rows),
      "",
      ...kindTable(kinds),
      "",
      ...speedLines(speed),
      "",
      ...holds.map(([what, good]) => `${good ? "holds" : "DOES NOT HOLD"}  ${what}`),
    ],
    json: {
      rows: rows.map(rowJson),
      kinds: kinds.map(({ kind, core, result }) => ({ kind, core, ...result.counts })),
      speed,
    },
  };
}

function baselineRows(
  data: GroundData,
  core: readonly Pair[],
  { name, over }: Baseline,
  ours: Evaluation,
): readonly Row[] {
  const searches = new Map([...data.maps].map(([id, map]) => [id, over(map)]));
  const all = tried(
    core,
    core.map(({ map, intent }) => searches.get(map)?.(intent) ?? []),
  );
  const balanced = mostBalanced(all);
  const careful = asCareful(all, ours.negatives.rate ?? 0);
  return [
    ...(balanced === null ? [] : [{ name, ...balanced }]),
    ...(careful === null ? [] : [{ name: "  as careful as score/1", ...careful }]),
  ];
}

function judged(ours: Evaluation, others: readonly Row[], speed: Speed): readonly (readonly [string, boolean])[] {
  const over = ({ rate }: Rate, least: number): boolean => rate === null || rate > least;
  const balances = others.map(({ result }) => balance(result));
  return [
    [`precision over ${PRECISION_MIN}: ${percent(ours.precision)}`, over(ours.precision, PRECISION_MIN)],
    [`recall over ${RECALL_MIN}: ${percent(ours.recall)}`, over(ours.recall, RECALL_MIN)],
    [`negatives left unbound over ${NEGATIVES_MIN}: ${percent(ours.negatives)}`, over(ours.negatives, NEGATIVES_MIN)],
    [
      `balance (F1) ${balance(ours).toFixed(3)} over the libraries' ${balances.map((one) => one.toFixed(3)).join(", ")}`,
      balances.every((one) => one < balance(ours)),
    ],
    [
      `${INTENTS.toLocaleString("en")} intents under ${SECONDS_MAX} s: ${speed.seconds.toFixed(2)} s`,
      speed.seconds < SECONDS_MAX,
    ],
    [
      `in proportion: ${speed.doubleControls.toFixed(2)} times as long for double the controls, ${speed.doubleIntents.toFixed(2)} for double the intents`,
      speed.doubleControls < DOUBLE_MAX && speed.doubleIntents < DOUBLE_MAX,
    ],
  ];
}

export function table(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const head = `${"".padEnd(width)}  ${["precision", "recall", "negatives left unbound"].map((name) => name.padEnd(CELL)).join("  ")}  bound from, lead`;
  return [
    head,
    ...rows.map(({ name, result: { precision, recall, negatives }, at }) => {
      const cells = [precision, recall, negatives].map((rate) => cell(rate).padEnd(CELL)).join("  ");
      return `${name.padEnd(width)}  ${cells}  ${at === null ? "" : `${at.bind.toFixed(2)}, ${at.lead.toFixed(2)}`}`;
    }),
  ];
}
const CELL = 24;

function cell({ rate, hits, of, interval: { low, high } }: Rate): string {
  return rate === null ? "no pairs" : `${rate.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] ${hits}/${of}`;
}

type Kind = { readonly kind: string; readonly core: boolean; readonly result: Evaluation };

function kindTable(kinds: readonly Kind[]): readonly string[] {
  const width = Math.max(...kinds.map(({ kind }) => kind.length));
  return [
    `by kind of pair (* no core pairs: landmarks, controls without a name, intents that a model wrote)`,
    ...kinds.map(({ kind, core, result: { counts } }) => {
      const { right, wrong, missed, leftUnbound, boundAnyway } = counts;
      const positives = right + wrong + missed > 0 ? `${right} right, ${wrong} wrong, ${missed} not bound` : "";
      const negatives =
        leftUnbound + boundAnyway > 0 ? `${leftUnbound} left unbound, ${boundAnyway} bound all the same` : "";
      return `  ${core ? " " : "*"} ${kind.padEnd(width)}  ${[positives, negatives].filter((text) => text !== "").join("; ")}`;
    }),
  ];
}

function speedLines(speed: Speed): readonly string[] {
  const { seconds, indexSeconds, fullTextSeconds, fuzzySeconds, looked, names } = speed;
  return [
    `${INTENTS.toLocaleString("en")} intents against ${CONTROLS.toLocaleString("en")} controls: ${seconds.toFixed(2)} s of a processor, after ${indexSeconds.toFixed(2)} s for the index`,
    `  ${(fullTextSeconds / seconds).toFixed(1)} times as fast as full text, ${(fuzzySeconds / seconds).toFixed(0)} times as fast as fuzzy match`,
    `  ${looked.toFixed(0)} of ${names.toLocaleString("en")} names looked at, an intent`,
  ];
}

export function rowJson({ name, result, at }: Row) {
  return { name, ...result, counts: { ...result.counts }, at };
}

function percent({ rate }: Rate): string {
  return rate === null ? "no pairs" : rate.toFixed(3);
}
