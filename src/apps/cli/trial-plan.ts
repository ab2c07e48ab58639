import type { TrialDesign } from "../../domain/trial.ts";
import type { PairsNeeded, TrialPlan } from "../../domain/trial-run.ts";
import { SignalboxError } from "../../index.ts";
import {
  armsOf,
  CONTROL_PAIRS_MIN,
  comparisonsOf,
  type OwnPairs,
  ownPairsOf,
  pairsOf,
  planOf,
  planTable,
  planTrial,
} from "../../trials/index.ts";
import { type Io, paint, type Style, widthOf } from "./io.ts";
import type { Opening } from "./opened.ts";
import { counted, grouped, jsonDocument, pad, visible, wrap } from "./text.ts";
import { readDesign, type TrialDoor } from "./trial-run.ts";

export type PlanOptions = Opening & {
  readonly high?: string;
  readonly low?: string;
  readonly discordance?: string;
  readonly arms: string;
};

/** What is planned: the rates, the pairs, and of a design how many runs that makes. */
type Planned = {
  readonly plan: TrialPlan;
  readonly design: {
    readonly name: string;
    readonly arms: readonly string[];
    readonly pairs: number;
    readonly runs: number;
    /** Pairs with prompts of their own: at temperature 0 the others only repeat them. */
    readonly ownPairs: OwnPairs;
    /** Whether its rules, profile and tools were looked for in a config. */
    readonly checked: boolean;
  } | null;
};

/** No run is made. Of a design everything is looked for that a run would need, as far as there is a config to look in. */
export async function planTrialAt(
  io: Io,
  path: string | undefined,
  options: PlanOptions,
  door: TrialDoor,
): Promise<number> {
  const planned = path === undefined ? fromRates(options) : await fromDesign(io, path, options, door);
  const table = planTable(planned.plan.high, planned.plan.comparisons);
  if (options.json === true) io.stdout.write(jsonDocument({ schema: "signalbox.trial-plan/1", ...planned, table }));
  else printPlan(io, planned, table);
  return 0;
}

async function fromDesign(io: Io, path: string, options: PlanOptions, door: TrialDoor): Promise<Planned> {
  const { high, low, discordance } = options;
  if ([high, low, discordance].some((rate) => rate !== undefined)) {
    throw new SignalboxError("usage", "a design has its rates in `expect`: give a design, or --high and --low");
  }
  const { design } = readDesign(io, path);
  const [plan, pairs] = [planOf(design), pairsOf(design)];
  if (plan === null || pairs === null) throw new Error("a design that was read has a plan");
  const arms = armsOf(design.vary).map(({ name }) => name);
  const runs = arms.length * pairs + 2 * design.controlPairs;
  const ownPairs = ownPairsOf(design, pairs);
  const checked = await isChecked(io, design, options, door);
  return { plan, design: { name: design.name, arms, pairs, runs, ownPairs, checked } };
}

/** Throws what a run would be refused by; false where there is no config that could say. */
async function isChecked(io: Io, design: TrialDesign, options: Opening, door: TrialDoor): Promise<boolean> {
  try {
    await door(io, options, design, async () => 0);
    return true;
  } catch (error) {
    const isNone = options.config === undefined && error instanceof SignalboxError && error.code === "no_config";
    if (isNone) return false;
    throw error;
  }
}

function fromRates({ high, low, discordance, arms }: PlanOptions): Planned {
  if (high === undefined || low === undefined) {
    throw new SignalboxError("usage", "trial plan takes a design, or --high and --low");
  }
  const count = /^[0-9]{1,2}$/.test(arms) ? Number(arms) : 0;
  if (count < 2 || count > 10) throw new SignalboxError("usage", "--arms takes a whole number from 2 to 10");
  const rates = {
    high: rateOf("--high", high),
    low: rateOf("--low", low),
    discordance: discordance === undefined ? null : rateOf("--discordance", discordance),
  };
  const plan = planTrial(rates, comparisonsOf(count));
  if (!plan.ok) throw new SignalboxError("usage", plan.why.detail);
  return { plan: plan.value, design: null };
}

function rateOf(option: string, text: string): number {
  const percent = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (percent <= 100) return percent / 100;
  throw new SignalboxError("usage", `${option} takes a percentage from 0 to 100`);
}

const HEADS = ["high", "low", "intervals separate", "exact test", "ordering supported"];
const SHORT_HEADS = ["high", "low", "separate", "test", "supported"];

function printPlan(io: Io, { plan, design }: Planned, table: readonly TrialPlan[]): void {
  if (design !== null) {
    io.stdout.write(`${paint(io, "bold", visible(design.name))}\n`);
    say(io, "arms", design.arms.map(visible).join(", "));
    say(io, "runs", `${counted(design.runs, "run")}: ${counted(design.pairs, "pair")}, and the positive control`);
    if (!design.checked) {
      say(io, "open", "no config here: rules, profile and tools were not looked for", "yellow");
    }
    for (const [label, text] of shortOf(plan, design)) say(io, label, text, "yellow");
  }
  const shared = plan.comparisons === 1 ? "" : ` for each of ${counted(plan.comparisons, "comparison")}`;
  const level = `level ${Math.round(plan.alpha * 1e6) / 1e6}${shared}`;
  say(io, "pairs", `with ${plan.power * 100} % power, ${level}`);
  io.stdout.write("\n");
  const isPlan = (row: TrialPlan): boolean => row.low === plan.low && row.discordance === plan.discordance;
  const rows = table.some(isPlan) ? table : [plan, ...table];
  const cells = rows.map((row) => cellsOf(row));
  const widthsOf = (heads: readonly string[]): readonly number[] =>
    heads.map((head, i) => Math.max(head.length, ...cells.map((row) => (row[i] ?? "").length)));
  const isNarrow = widthsOf(HEADS).reduce((sum, columns) => sum + columns + 2, 0) > widthOf(io);
  const heads = isNarrow ? SHORT_HEADS : HEADS;
  const widths = widthsOf(heads);
  const line = (row: readonly string[]): string => row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  ");
  io.stdout.write(`  ${paint(io, "dim", line(heads))}\n`);
  rows.forEach((row, i) => {
    const text = line(cells[i] ?? []);
    io.stdout.write(
      `${isPlan(row) ? paint(io, "green", pad(">", 2)) : "  "}${isPlan(row) ? paint(io, "bold", text) : text}\n`,
    );
  });
}

const LABEL_COLUMNS = 10;

function say(io: Io, label: string, text: string, style?: Style): void {
  const room = widthOf(io) - LABEL_COLUMNS;
  const lines = Number.isFinite(room) ? wrap(text, room) : [text];
  lines.forEach((line, i) => {
    const whole = `${pad(i === 0 ? `  ${label}` : "", LABEL_COLUMNS)}${line}`;
    io.stdout.write(`${style === undefined ? whole : paint(io, style, whole)}\n`);
  });
}

/** What keeps a trial from supporting an ordering, as far as it is known before a run. */
function shortOf(
  { needed: { supported } }: TrialPlan,
  { pairs, ownPairs }: NonNullable<Planned["design"]>,
): readonly (readonly [string, string])[] {
  const short: [string, string][] = [];
  if (supported === null || pairs < supported) {
    const many = supported === null ? "more complete pairs than are looked for" : counted(supported, "complete pair");
    short.push(["short", `an ordering takes ${many}: ${counted(pairs, "pair")} can support none`]);
  }
  const own = Math.min(pairs, supported ?? pairs);
  if (ownPairs.arms < own || ownPairs.control < CONTROL_PAIRS_MIN) {
    const said = `${grouped(ownPairs.arms)} pairs of the arms and ${grouped(ownPairs.control)} of the control`;
    const takes = `it takes ${grouped(own)} and ${CONTROL_PAIRS_MIN}, so add tasks or give the model a temperature`;
    short.push([
      "repeats",
      `only ${said} have prompts of their own, and at temperature 0 the others repeat them: ${takes}`,
    ]);
  }
  return short;
}

function cellsOf({ high, low, needed }: TrialPlan): readonly string[] {
  const pairs = (of: keyof PairsNeeded): string => countText(needed[of]);
  return [
    `${Math.round(high * 100)} %`,
    `${Math.round(low * 100)} %`,
    pairs("separate"),
    pairs("mcnemar"),
    pairs("supported"),
  ];
}

function countText(pairs: number | null): string {
  return pairs === null ? "too many" : grouped(pairs);
}
