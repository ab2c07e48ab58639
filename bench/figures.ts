/**
 * The one entry for all of the project's figures:
 *
 *   npm run figures                                   lists their names
 *   npm run figures -- NAME [--data DIR] [--json]     prints one, its goal and the seed
 *   npm run figures -- ground --pairs FILE --controls FILE   on your own
 *
 * Exit codes: 0 the goal holds, 1 it does not, 2 bad usage or no data. SIGNALBOX_SEED sets the seed (default 1).
 */
import { parseArgs } from "node:util";
import { type Figure, type FigureOptions, NoData } from "./figures/figure.ts";
import { FIGURES } from "./figures/index.ts";
import { listed } from "./figures/listed.ts";

const SEED_DEFAULT = 1;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const parsed = readArgs(args);
  if (typeof parsed === "string") return usage(parsed);
  const { name, json } = parsed;
  if (name === null) {
    process.stdout.write(
      json ? `${JSON.stringify(FIGURES.map(({ name, title, goal }) => ({ name, title, goal })))}\n` : list(),
    );
    return 0;
  }
  const figure = FIGURES.find((candidate) => candidate.name === name);
  if (figure === undefined) return usage(`there is no figure ${JSON.stringify(name)}`);
  const seed = Number(process.env.SIGNALBOX_SEED ?? SEED_DEFAULT);
  if (!Number.isSafeInteger(seed) || seed < 0) return usage("SIGNALBOX_SEED must be a whole number");
  return await print(figure, { ...parsed, seed });
}

async function print(
  figure: Figure,
  { json, ...options }: FigureOptions & { readonly json: boolean },
): Promise<number> {
  const { name, title, goal } = figure;
  const { seed } = options;
  try {
    const result = await figure.run(options);
    const head = [title, `goal: ${goal}`, `seed: ${seed} (SIGNALBOX_SEED)`, ""];
    const foot = ["", result.holds ? "the goal holds" : "THE GOAL DOES NOT HOLD"];
    process.stdout.write(
      json
        ? `${JSON.stringify({ name, title, goal, seed, holds: result.holds, result: result.json })}\n`
        : `${[...head, ...result.lines, ...foot].join("\n")}\n`,
    );
    return result.holds ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoData)) throw error;
    process.stderr.write(`figures ${name}: ${error.message}\n`);
    return 2;
  }
}

type Args = Omit<FigureOptions, "seed"> & { readonly name: string | null; readonly json: boolean };

function readArgs(args: readonly string[]): Args | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: "string" },
        pairs: { type: "string" },
        controls: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { name: null, data: null, pairs: null, controls: null, json: false };
    if (positionals.length > 1) return "one figure at a time";
    const { data = null, pairs = null, controls = null, json } = values;
    return { name: positionals[0] ?? null, data, pairs, controls, json };
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "bad arguments") : "bad arguments";
  }
}

function usage(problem: string): number {
  process.stderr.write(`figures: ${problem}\n${list()}`);
  return 2;
}

function list(): string {
  return `npm run figures -- NAME [--data DIR] [--json]\n${listed(FIGURES, process.stdout.columns ?? null)}`;
}
