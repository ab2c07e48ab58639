import type { Json } from "../domain/json.ts";

/** What was read of a FactRecord that is not there, as paths such as `deliveredOn` or `events[].kind`. */
export type Reads = {
  /** Fields that were asked for and are not there. */
  readonly absent: Set<string>;
  /** Objects whose keys were listed: a copy of one is read unseen. The record itself is "". */
  readonly listed: Set<string>;
};

export function noReads(): Reads {
  return { absent: new Set(), listed: new Set() };
}

/**
 * The facts as policy code sees them, with a note of what it looks for in vain. They cannot be changed, as in a run. `reads`
 * is asked at each reading who reads.
 *
 * An item of a list that is not there is no fact that was not kept: a list is kept with its length.
 */
export function noting(facts: Json, reads: () => Reads): Json {
  const views = new WeakMap<object, object>();
  const view = (value: unknown, path: string): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = views.get(value);
    if (known !== undefined) return known;
    const made = new Proxy(value, Array.isArray(value) ? list(path) : object(path));
    views.set(value, made);
    return made;
  };
  const list = (path: string): ProxyHandler<object> => ({
    ...UNCHANGED,
    get: (target, key) => view(Reflect.get(target, key), `${path}[]`),
  });
  const object = (path: string): ProxyHandler<object> => {
    const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
    const look = (target: object, key: string | symbol): void => {
      if (typeof key === "string" && !(key in target) && !ASKED_BY_THE_LANGUAGE.has(key)) reads().absent.add(at(key));
    };
    return {
      ...UNCHANGED,
      get(target, key) {
        look(target, key);
        return typeof key === "string" && Object.hasOwn(target, key)
          ? view(Reflect.get(target, key), at(key))
          : Reflect.get(target, key);
      },
      has(target, key) {
        look(target, key);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor(target, key) {
        look(target, key);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys(target) {
        reads().listed.add(path);
        return Reflect.ownKeys(target);
      },
    };
  };
  return view(thawed(facts), "") as Json;
}

/** `JSON.stringify` asks for the one, whoever looks for a promise for the other. */
const ASKED_BY_THE_LANGUAGE: ReadonlySet<string> = new Set(["toJSON", "then"]);

/** What is refused throws in the strict code that modules are, as it does of a frozen object. To set is to define. */
const UNCHANGED: ProxyHandler<object> = {
  defineProperty: () => false,
  deleteProperty: () => false,
  setPrototypeOf: () => false,
};

/** A view of what is frozen could give nothing but the very values of it. */
function thawed(value: Json): Json {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(thawed);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, thawed(inner)]));
}
