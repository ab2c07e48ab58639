/**
 * How well the score does on apps that it was not made with: once on each fifth of the apps with numbers that were chosen on the
 * other four, and once on each app by lists without what only its own pairs have any use for.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { namesOf } from "../../src/guides/ground/names-of.ts";
import { tokenise, visible } from "../../src/guides/ground/tokenise.ts";
import * as lists from "../../src/guides/ground/words.ts";
import { type Counts, type Evaluation, evaluate, evaluationOf, type Pair } from "../../src/guides/index.ts";
import type { GroundData } from "./data.ts";

type Bind = (pair: Pair) => string | null;
type Lists = Readonly<Record<string, readonly (string | readonly string[])[]>>;
type Numbers = Record<string, number>;

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));
/** Screens of which nobody knows the app are of as many apps; they are put together, so that each part says something. */
const PARTS = 5;

/** By the name of the map, up to its first hyphen: `autodroid/calendar-02216b` is a screen of the calendar. */
export function appOf(map: string): string {
  const [app = map] = map.split("-");
  const id = /^(.*\/)(\d+)$/.exec(app);
  return id === null ? app : `${id[1]}${Number(id[2]) % PARTS}`;
}

function appsIn(core: readonly Pair[]): readonly string[] {
  return [...new Set(core.map(({ map }) => appOf(map)))].sort();
}

/** A copy of the score with other lists, and with numbers that can be set. */
async function copied<T>(others: Lists | null, use: (bind: Bind, numbers: Numbers) => T, data: GroundData): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "signalbox-folds-"));
  try {
    for (const room of ["domain", "guides/ground"]) {
      const filter = (path: string): boolean => !path.endsWith(".test.ts");
      cpSync(join(SOURCE, room), join(home, room), { recursive: true, filter });
    }
    writeFileSync(join(home, "package.json"), '{ "type": "module" }');
    if (others !== null) {
      const text = Object.entries(others).map(([name, list]) => `export const ${name} = ${JSON.stringify(list)};`);
      writeFileSync(join(home, "guides/ground/words.ts"), text.join("\n"));
    }
    const load = (file: string) => import(pathToFileURL(join(home, "guides/ground", file)).href);
    const { ground }: typeof import("../../src/guides/ground/ground.ts") = await load("ground.ts");
    const { groundIndex }: typeof import("../../src/guides/ground/ground-index.ts") = await load("ground-index.ts");
    const { SCORE_1 }: { SCORE_1: Numbers } = await load("score-1.ts");
    // What a word weighs is in the index.
    const indexes = new Map<string, { readonly weights: string; readonly index: ReturnType<typeof groundIndex> }>();
    const bind: Bind = ({ map, intent }) => {
      const controls = data.maps.get(map);
      if (controls === undefined) return null;
      const weights = WEIGHTS.map((name) => SCORE_1[name]).join();
      const made = indexes.get(map);
      const index = made?.weights === weights ? made.index : groundIndex(controls, () => "");
      indexes.set(map, { weights, index });
      return ground(index, intent).bound;
    };
    return use(bind, SCORE_1);
  } finally {
    rmSync(home, { recursive: true });
  }
}

function total(all: readonly Evaluation[]): Evaluation {
  const counts = { right: 0, wrong: 0, missed: 0, leftUnbound: 0, boundAnyway: 0 };
  for (const { counts: one } of all) for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += one[key];
  return evaluationOf(counts);
}

/** Each app's pairs by lists without the entries that have a word which core pairs of this app alone have. */
export async function withoutItsWords(data: GroundData): Promise<Evaluation> {
  const core = data.pairs.filter((pair) => pair.core);
  const uses = usesOf(data, core);
  const results: Evaluation[] = [];
  for (const app of appsIn(core)) {
    const own = core.filter(({ map }) => appOf(map) === app);
    const isKept = (entry: string): boolean => stemsIn(entry).every((stem) => !isOnly(uses.get(stem), app));
    results.push(await copied(kept(isKept), (bind) => evaluate(own, bind), data));
  }
  return total(results);
}

function isOnly(apps: ReadonlySet<string> | undefined, app: string): boolean {
  return apps?.size === 1 && apps.has(app);
}

function stemsIn(text: string): readonly string[] {
  return tokenise(visible(text)).map(({ stem }) => stem);
}

/** By stem: the apps in whose core pairs it is in an intent or in a name of what is right. */
function usesOf({ maps }: GroundData, core: readonly Pair[]): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  for (const { map, intent, expected, accept } of core) {
    const right = (maps.get(map)?.controls ?? []).filter(({ id }) => id === expected || accept.includes(id));
    const names = right.flatMap(namesOf).flatMap(({ tokens }) => tokens.map(({ stem }) => stem));
    for (const stem of [...stemsIn(intent), ...names]) uses.set(stem, (uses.get(stem) ?? new Set()).add(appOf(map)));
  }
  return uses;
}

function kept(isKept: (entry: string) => boolean): Lists {
  const all: Lists = lists;
  return Object.fromEntries(
    Object.entries(all).map(([name, list]) => [
      name,
      list.flatMap((entry): (string | readonly string[])[] => {
        if (typeof entry === "string") return isKept(entry) ? [entry] : [];
        const group = entry.filter(isKept);
        return group.length > 1 ? [group] : [];
      }),
    ]),
  );
}

const WEIGHTS = ["action", "verb", "noun", "stop", "symbol"];
/** What is chosen, and where the choice begins: plain values, not those that were published. */
const PLAIN: Readonly<Numbers> = {
  ...{ action: 0.5, verb: 0.5, noun: 0.5, stop: 0.1, unsaid: 0.5, unsaidQuote: 0.5 },
  ...{ inflected: 0.9, typo: 0.9, synonym: 0.9, betaDescribing: 1, coveredMin: 0.5, namingShareMin: 0.5 },
  ...{ lightShareMin: 0.5, quoteShareMin: 0.5, value: 0.9, part: 0.9, childText: 0.9, resourceId: 0.9 },
  ...{ notClickable: 0.9, notClickableText: 0.9, text: 0.9, otherRole: 0.9, opposite: 0.5 },
  ...{ missedAction: 0.9, missedEffect: 0.9, unsaidEffect: 0.9 },
  ...{ otherNumber: 0.5, missedOrdinal: 0.5, bind: 0.5, lead: 0.05 },
};
const STEPS = [0.15, 0.35, 0.55, 0.75, 0.95];
const FINE: Readonly<Record<string, readonly number[]>> = {
  bind: [0.4, 0.45, 0.5, 0.55, 0.6, 0.65],
  lead: [0, 0.02, 0.05, 0.1, 0.15],
};
const ROUNDS = 2;
/** So many times as bad as one that is not bound is one that is bound wrongly. */
const WRONG = 3;

/** Each part of the apps with numbers that were chosen on the other parts: one number after the other, from plain values. */
export async function withNumbersOfOthers(data: GroundData): Promise<Evaluation> {
  const core = data.pairs.filter((pair) => pair.core);
  const apps = appsIn(core);
  const partOf = ({ map }: Pair): number => apps.indexOf(appOf(map)) % PARTS;
  const parts = [...new Set(core.map(partOf))];
  return copied(
    null,
    (bind, numbers) => {
      const known = new Map<string, ByPart>();
      const judged = (chosen: Readonly<Numbers>): ByPart => {
        const key = JSON.stringify(chosen);
        Object.assign(numbers, chosen);
        const pairsOf = (part: number): readonly Pair[] => core.filter((pair) => partOf(pair) === part);
        const byPart = known.get(key) ?? new Map(parts.map((part) => [part, evaluate(pairsOf(part), bind)]));
        known.set(key, byPart);
        return byPart;
      };
      return total(parts.flatMap((part) => judged(chosenWithout(part, judged)).get(part) ?? []));
    },
    data,
  );
}

type ByPart = ReadonlyMap<number, Evaluation>;

function chosenWithout(part: number, judged: (numbers: Readonly<Numbers>) => ByPart): Readonly<Numbers> {
  const worth = (numbers: Readonly<Numbers>): number => {
    const { right, wrong, boundAnyway } = total(
      [...judged(numbers)].flatMap(([other, one]) => (other === part ? [] : [one])),
    ).counts;
    return right - WRONG * (wrong + boundAnyway);
  };
  let chosen = PLAIN;
  let most = worth(chosen);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(PLAIN)) {
      for (const value of FINE[name] ?? STEPS) {
        const other = { ...chosen, [name]: value };
        const is = worth(other);
        if (is > most) [chosen, most] = [other, is];
      }
    }
  }
  return chosen;
}
