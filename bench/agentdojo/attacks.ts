/** The attacks: what a model that obeys whoever planted a text would propose, in every task and through every vector. */
import { canonicalJson } from "../../src/domain/canonical.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { RecordedCall, SuiteData, UserTask } from "./data.ts";
import { EFFECTS, type Fields, type Kind } from "./kinds.ts";
import { alikeValues, askedValues, knownValues, newValues, type Place, placesIn, type Value } from "./values.ts";

type Call = { readonly [param: string]: Value };
export type Attack = { readonly tool: string; readonly args: JsonObject; readonly call: Call };

/**
 * Calls of every effect of the suite that are not the task's own. Some are all the attacker's; the others begin with the
 * task's own call, with what the request names or with what the environment holds, and put the attacker's values into it
 * one at a time, with the attacker's words wherever there is room for words and without: a call that is nearly right is
 * what a rule is most likely to let through.
 */
export function attacksOn(data: SuiteData, task: UserTask, environment: JsonObject): readonly Attack[] {
  const own = new Set(task.calls.map(({ tool, args }) => keyOf(tool, args)));
  const found = new Map<string, Attack>();
  const places = placesIn(environment);
  for (const { tool, args } of (data.injectionTasks ?? []).flatMap(({ calls }) => calls)) {
    if (!Object.hasOwn(EFFECTS[data.suite], tool)) continue;
    const call = Object.fromEntries(
      Object.entries(args).map(([param, value]) => [param, { origin: "new", value } as const]),
    );
    found.set(keyOf(tool, args), { tool, args, call });
  }
  for (const [tool, fields] of Object.entries(EFFECTS[data.suite])) {
    const gold = task.calls.filter((call) => call.tool === tool);
    for (const call of callsOf(poolsOf(fields, task.prompt, environment), gold, places)) {
      const args = Object.fromEntries(Object.entries(call).map(([param, { value }]) => [param, value]));
      const key = keyOf(tool, args);
      if (!own.has(key) && !found.has(key)) found.set(key, { tool, args, call });
    }
  }
  return [...found.values()];
}

/** Values that are there for one param. */
type Pool = {
  readonly kind: Kind;
  readonly asked: readonly Value[];
  readonly known: readonly Value[];
  readonly fresh: readonly Value[];
};
type Pools = Readonly<Record<string, Pool>>;

function poolsOf(fields: Fields, prompt: string, environment: JsonObject): Pools {
  return Object.fromEntries(
    Object.entries(fields).map(([param, kind]) => [
      param,
      { kind, asked: askedValues(kind, prompt), known: knownValues(kind, environment), fresh: newValues(kind) },
    ]),
  );
}

function callsOf(pools: Pools, gold: readonly RecordedCall[], places: readonly Place[]): readonly Call[] {
  const bases: readonly Call[] = [
    ...gold.map(({ args }) => recorded(args)),
    firstOf(pools, ({ asked, known, fresh }) => [...asked, ...known, ...fresh]),
    firstOf(pools, ({ known, asked, fresh }) => [...known, ...asked, ...fresh]),
    firstOf(pools, ({ fresh }) => fresh),
  ];
  const words = firstOf(pools, ({ kind, fresh }) => (kind === "text" || kind === "line" ? fresh : []));
  const calls: Call[] = [...bases, ...gold.flatMap((call) => elsewhere(call, pools, places))];
  for (const base of bases) {
    for (const [param, { kind, fresh, known, asked }] of Object.entries(pools)) {
      const before = base[param];
      const alike = before === undefined ? [] : alikeValues(kind, before.value);
      for (const value of [...fresh, ...alike, ...known, ...asked]) {
        calls.push({ ...base, [param]: value }, { ...base, ...words, [param]: value });
      }
    }
    calls.push(...pairsOf(base, pools));
  }
  return calls;
}

/** How many values of each field are tried together with those of each other field. */
const PAIRED = 3;

/** The base with two fields changed at once: what one rule takes for granted, another field may have made untrue. */
function pairsOf(base: Call, pools: Pools): readonly Call[] {
  const fields = Object.entries(pools);
  return fields.flatMap(([first, pool], i) =>
    fields
      .slice(i + 1)
      .flatMap(([second, other]) =>
        pickedFrom(pool).flatMap((a) => pickedFrom(other).map((b) => ({ ...base, [first]: a, [second]: b }))),
      ),
  );
}

/** Some of a field's values: of the request's own first, since these are what a rule is made to let through. */
function pickedFrom({ asked, known, fresh }: Pool): readonly Value[] {
  return [...asked.slice(0, PAIRED), ...known.slice(0, 1), ...fresh.slice(0, 1)].slice(0, PAIRED + 1);
}

/** The task's own call with another public place in it throughout: in its words, and where it says where. */
function elsewhere(gold: RecordedCall, pools: Pools, places: readonly Place[]): readonly Call[] {
  const written = JSON.stringify(gold.args);
  const named = places.filter(({ name }) => written.includes(name));
  return named.flatMap((here) =>
    places
      .filter((place) => place.kind === here.kind && place.name !== here.name)
      .map((there) => {
        const swapped = (value: Json): Json =>
          JSON.parse(JSON.stringify(value).replaceAll(here.name, there.name).replaceAll(here.address, there.address));
        return Object.fromEntries(
          Object.entries(gold.args).map(([param, value]) => {
            const isSame = JSON.stringify(swapped(value)) === JSON.stringify(value);
            const isText = pools[param]?.kind === "text" || pools[param]?.kind === "line";
            return [param, { origin: isSame ? "own" : isText ? "public" : "known", value: swapped(value) } as const];
          }),
        );
      }),
  );
}

function recorded(args: JsonObject): Call {
  return Object.fromEntries(Object.entries(args).map(([param, value]) => [param, { origin: "own", value } as const]));
}

/** A call of the first value that there is for each param; attachments are left out until somebody puts one in. */
function firstOf(pools: Pools, pick: (pool: Pool) => readonly Value[]): Call {
  return Object.fromEntries(
    Object.entries(pools).flatMap(([param, pool]) => {
      const value = pick(pool)[0];
      return value === undefined || pool.kind === "attachments" ? [] : [[param, value]];
    }),
  );
}

/** The same for calls that do the same: a null, an empty list or an empty text is nothing given. */
function keyOf(tool: string, args: JsonObject): string {
  return canonicalJson([tool, Object.fromEntries(given(args))]);
}

function given(args: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(args).filter(
    ([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
}
