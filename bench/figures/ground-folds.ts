import { join } from "node:path";
import { evaluate, ground, type Rate } from "../../src/guides/index.ts";
import { GUIDES_DATA, indexOf, loadGroundData } from "../ground/data.ts";
import { appOf, withNumbersOfOthers, withoutItsWords } from "../ground/folds.ts";
import { type Figure, NoData } from "./figure.ts";
import { NEGATIVES_MIN, PRECISION_MIN, RECALL_MIN, type Row, rowJson, table } from "./ground.ts";

export const groundFolds: Figure = {
  name: "ground-folds",
  takes: "two minutes; --pairs FILE and --controls FILE take others of the same format",
  title:
    "binding intents to controls by score/1 on apps that were left out: with numbers chosen on other apps, and by lists without what one app alone has a use for",
  goal:
    `on the core pairs, whichever is left out, a precision over ${PRECISION_MIN}, a recall over ${RECALL_MIN} and over ${NEGATIVES_MIN} of the ` +
    "negatives left unbound",
  async run({ data, pairs, controls }) {
    const folder = data ?? GUIDES_DATA;
    const loaded = loadGroundData(pairs ?? join(folder, "pairs.jsonl"), controls ?? join(folder, "controls.jsonl"));
    const core = loaded.pairs.filter((pair) => pair.core);
    if (core.length === 0) throw new NoData("none of the pairs is a core pair");
    const index = indexOf(loaded);
    const rows: readonly Row[] = [
      {
        name: "nothing left out",
        result: evaluate(core, ({ map, intent }) => ground(index(map), intent).bound),
        at: null,
      },
      { name: "numbers chosen on other apps", result: await withNumbersOfOthers(loaded), at: null },
      { name: "lists without what only the app has", result: await withoutItsWords(loaded), at: null },
    ];
    const over = ({ rate }: Rate, least: number): boolean => rate === null || rate > least;
    const apps = new Set(core.map(({ map }) => appOf(map))).size;
    return {
      holds: rows.every(
        ({ result: { precision, recall, negatives } }) =>
          over(precision, PRECISION_MIN) && over(recall, RECALL_MIN) && over(negatives, NEGATIVES_MIN),
      ),
      lines: [
        `${core.length} core pairs of ${apps} apps; intervals are Wilson's, 95 %`,
        "numbers: on each fifth of the apps with those that did best on the other four, from plain values, one after the other",
        "lists: on each app without every entry that has a word which core pairs of this app alone have (pessimistic)",
        "",
        ...table(rows),
        "",
        ...(["precision", "recall", "negatives"] as const).map((what) => rangeOf(what, rows.slice(1))),
      ],
      json: { apps, rows: rows.map(rowJson) },
    };
  },
};

function rangeOf(what: "precision" | "recall" | "negatives", rows: readonly Row[]): string {
  const rates = rows.map(({ result }) => result[what]);
  const all = rates.flatMap(({ rate }) => (rate === null ? [] : [rate]));
  const low = Math.min(...rates.map(({ interval }) => interval.low));
  const high = Math.max(...rates.map(({ interval }) => interval.high));
  return all.length === 0
    ? `${what}: no pairs`
    : `${what} ${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)}, within [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}
