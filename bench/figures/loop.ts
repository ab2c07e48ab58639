import { type Cost, type Costs, costOver, type Judgement, judge, SIZES } from "../loop/judge.ts";
import { measureAll } from "../loop/measure.ts";
import { INSTALL_PEERS, peersInstalled, VARIANTS, type VariantEntry, versionOf } from "../loop/variants.ts";
import { ownBytes } from "../loop/workload.ts";
import type { Figure } from "./figure.ts";
import { machineLines } from "./machine.ts";

export const loop: Figure = {
  name: "loop",
  takes: "four minutes on a quiet machine; npm ci --prefix bench/peers first",
  title: "cost of a turn and bytes on disk, with a model of zero latency, beside peers measured in the same run",
  goal:
    "in memory, guardrails and rails included, faster than pi at 10, 100 and 500 turns, and flat (500 turns at most 1.2x " +
    "of 10); durable at most 1.3x of a bare loop with two transactions a turn; storage linear (500 turns at most 5.5x of " +
    "100) and at most 3x of the run's own bytes",
  async run() {
    const machine = machineLines();
    const installed = peersInstalled();
    const variants = VARIANTS.filter((variant) => installed || variant.package === null);
    const costs = measureAll(variants, (what) => progress(what));
    progress("");
    const own = ownBytes(500);
    const judgements = judge(costs, own);
    return {
      holds: judgements.every(({ holds }) => holds === true),
      lines: [...machine, ...head(own, installed), "", ...table(variants, costs), "", ...judgements.map(judgementLine)],
      json: {
        machine: [...machine],
        peersInstalled: installed,
        ownBytes: own,
        costs: costsJson(costs),
        judgements: [...judgements],
      },
    };
  },
};

/** On a screen only, and on stderr, so that nothing of it is in what a script reads. */
function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${what}`);
}

function head(own: number, installed: boolean): readonly string[] {
  const lines = [
    `a run of 500 turns has ${bytes(own)} of its own: what the model said and the tool returned, as a message list`,
    "ours: a staff-reversible tool with authorise and a policy rule, all budgets and guardrails on; the irreversible one has",
    "a record, evidence and a cap as well; in memory the ledger's chain is worked out when it is read, which has its own line",
    "our store lays its write-ahead log down before its first write; what that alone gains a bare loop has its own line",
    "the table has the medians of the rounds, the goals the medians of the ratios within a round",
  ];
  return installed
    ? [...lines, "LangGraph's SQLite saver runs over node:sqlite, since better-sqlite3 would have to be compiled"]
    : [...lines, "", `the peers are not installed, so the goal cannot be judged; run: ${INSTALL_PEERS}`];
}

function table(variants: readonly VariantEntry[], costs: Costs): readonly string[] {
  const titles = variants.map((variant) =>
    variant.package === null ? variant.title : `${variant.title} (${versionOf(variant.package)})`,
  );
  const width = Math.max(...titles.map((title) => title.length));
  const columns = SIZES.map((size) => `${`${size} turns`.padStart(17)}`).join("");
  const kinds = SIZES.map(() => `${"cpu".padStart(9)}${"wall".padStart(8)}`).join("");
  const stores = SIZES.map((size) => `at ${size}`.padStart(11)).join("");
  return [
    `${"".padEnd(width)}${columns}   bytes on disk`,
    `${"microseconds a turn".padEnd(width)}${kinds}${stores}`,
    ...variants.map(({ id }, i) => {
      const cells = SIZES.map((size) => costOver(costs.get(id)?.get(size) ?? []));
      const times = cells.map((cell) => `${micros(cell.cpu).padStart(9)}${micros(cell.wall).padStart(8)}`).join("");
      return `${(titles[i] ?? "").padEnd(width)}${times}${cells.map((cell) => storedIn(cell).padStart(11)).join("")}`;
    }),
  ];
}

function judgementLine({ goal, ratio, limit, holds }: Judgement): string {
  const mark = holds === null ? "cannot be judged" : holds ? "holds" : "DOES NOT HOLD";
  const bound = limit === 1 ? "below 1" : `at most ${limit}`;
  return `${mark.padEnd(16)}  ${goal}: ${ratio === null ? "not measured" : ratio.toFixed(2)} (${bound})`;
}

function micros(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

const storedIn = (cost: Cost): string => (cost.storedBytes === 0 ? "-" : bytes(cost.storedBytes));

const bytes = (count: number): string =>
  count < 1e6 ? `${(count / 1e3).toFixed(0)} kB` : `${(count / 1e6).toFixed(2)} MB`;

function costsJson(costs: Costs): { readonly [id: string]: { readonly [size: string]: readonly Cost[] } } {
  return Object.fromEntries([...costs].map(([id, sizes]) => [id, Object.fromEntries(sizes)]));
}
