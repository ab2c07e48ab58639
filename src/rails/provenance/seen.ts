import type { Json } from "../../domain/json.ts";
import { type Sighting, SPELLINGS, type Spelling, type Trusted } from "../../domain/provenance.ts";
import { utf8Prefix } from "../../domain/utf8.ts";
import { Heard } from "./heard.ts";
import { hearLeaves } from "./leaves.ts";
import { Needles } from "./needles.ts";
import { folded, isTraceable, namesOf, plainText } from "./normalise.ts";
import { isBelow } from "./path.ts";
import {
  endsFree,
  isSaidIn,
  type RequestWords,
  readRequest,
  SOUGHT_CHARS_MAX,
  standsAt,
  type Wanted,
} from "./request-words.ts";

/**
 * How much of a thread is kept. What does not fit was never seen, which denies; what outsiders write has bounds of its own,
 * so that no flood of it drives out what is trusted.
 */
export const SEEN_LIMITS = { leaves: 100_000, chars: 4_194_304 };
type SeenLimits = typeof SEEN_LIMITS;

/** Sightings of one value that are told, for each of the three sources. One is enough for a rule; the others are for people. */
const TOLD_MAX = 4;
const PATH_BYTES_MAX = 200;

const IN_REQUEST: Sighting = Object.freeze({ source: "request", tool: null, path: "" });

/**
 * Everything that was seen in a thread so far: what the operator said and what tools returned, each with its trust. Grows
 * while the thread does; asking changes nothing. Time and memory are linear in what was seen, up to the limits.
 */
export class Seen {
  readonly #requests: RequestWords[] = [];
  readonly #trusted = new Map<string, Sighting[]>();
  readonly #untrusted = new Map<string | null, Heard>();
  #trustedRoom: { leaves: number; chars: number };
  #untrustedRoom: { leaves: number; chars: number };

  constructor(limits: SeenLimits = SEEN_LIMITS) {
    this.#trustedRoom = { ...limits };
    this.#untrustedRoom = { ...limits };
  }

  /** The operator's own words. `cut`: its end is missing, so its last word may be half of one. */
  request(text: string, cut = false): void {
    this.#requests.push(readRequest(cut ? withoutLastWord(text) : text));
  }

  /** Words that are not the operator's: a nested run's request, passages of a memory. */
  words(text: string): void {
    this.#hear(null, text, "");
  }

  /**
   * What a tool returned. A leaf that equals one of the call's own `params` is no more trusted than the proposal was: a tool
   * that repeats what it was asked vouches for nothing. `except`: fields that are not trusted all the same, with what is below.
   */
  result(tool: string, trusted: Trusted, params: Json, result: Json, except: Trusted = []): void {
    const echoes = trusted.length === 0 ? NOTHING : namesIn(params);
    hearLeaves(result, "", (text, path) => {
      if (covers(trusted, path) && !excludes(except, path)) this.#trust(tool, text, path, echoes);
      else this.#hear(tool, text, path);
    });
  }

  /** Where a value was seen. An empty list: nowhere. */
  sightings(value: string, as: Spelling): readonly Sighting[] {
    return this.look([{ text: value, as }]).seen[0] ?? [];
  }

  /**
   * Where each of some values was seen, all in one pass over each text. Time is linear in what was seen and in the values
   * together, whatever they are; `steps` says how many steps the passes took.
   */
  look(values: readonly Asked[]): { readonly seen: readonly (readonly Sighting[])[]; readonly steps: number } {
    const looked = values.map((value) => lookedFor(value));
    const byNeedle = new Map<string, Looked[]>();
    for (const one of looked) {
      if (one === null || one.needle === "" || one.needle.length > SOUGHT_CHARS_MAX) continue;
      const same = byNeedle.get(one.needle);
      if (same === undefined) byNeedle.set(one.needle, [one]);
      else same.push(one);
    }
    const needles = new Needles([...byNeedle.keys()]);
    const wanting = [...byNeedle.values()];
    for (const request of this.#requests) said(request, needles, wanting, looked);
    this.#overhear(needles, wanting, looked);
    const seen = looked.map((one) => {
      if (one === null) return [];
      const trusted = new Set(one.names.sought.flatMap((name) => this.#trusted.get(name) ?? []));
      return [...(one.isSaid ? [IN_REQUEST] : []), ...[...trusted].slice(0, TOLD_MAX), ...one.overheard];
    });
    return { seen, steps: needles.steps };
  }

  #overhear(needles: Needles, wanting: readonly (readonly Looked[])[], looked: readonly (Looked | null)[]): void {
    for (const [tool, heard] of this.#untrusted) {
      const tell = (one: Looked, path: string): void => {
        if (one.overheard.length < TOLD_MAX) one.overheard.push({ source: "untrusted", tool, path: shown(path) });
      };
      heard.find(needles, (needle, path) => {
        for (const one of wanting[needle] ?? []) tell(one, path);
      });
      for (const one of looked) {
        if (one === null || one.needle.length <= SOUGHT_CHARS_MAX) continue;
        const path = heard.whole(one.needle);
        if (path !== null) tell(one, path);
      }
    }
  }

  #hear(tool: string | null, text: string, path: string): void {
    const room = this.#untrustedRoom;
    if (room.leaves <= 0 || text.length + path.length > room.chars) return;
    const heard = this.#untrusted.get(tool) ?? new Heard();
    this.#untrusted.set(tool, heard);
    const took = heard.add(text, path);
    if (took > 0) this.#untrustedRoom = { leaves: room.leaves - 1, chars: room.chars - took };
  }

  #trust(tool: string, text: string, path: string, echoes: ReadonlySet<string>): void {
    const names = isTraceable(text) ? keptNames(plainText(text)) : [];
    if (names.length === 0 || names.some((name) => echoes.has(name))) {
      this.#hear(tool, text, path);
      return;
    }
    const told: Sighting = { source: "trusted", tool, path: shown(path) };
    for (const name of names) {
      const known = this.#trusted.get(name);
      if (known !== undefined) {
        const isTold = known.some((one) => one.tool === tool && one.path === told.path);
        if (!isTold && known.length < TOLD_MAX) known.push(told);
        continue;
      }
      const room = this.#trustedRoom;
      if (room.leaves <= 0 || name.length > room.chars) continue;
      this.#trustedRoom = { leaves: room.leaves - 1, chars: room.chars - name.length };
      this.#trusted.set(name, [told]);
    }
  }
}

/** A value that is asked about, and how its spellings are compared. */
export type Asked = { readonly text: string; readonly as: Spelling };

/** What of a value was found so far. */
type Looked = Wanted & { readonly needle: string; isSaid: boolean; readonly overheard: Sighting[] };

function lookedFor({ text: value, as }: Asked): Looked | null {
  if (!isTraceable(value)) return null;
  const text = plainText(value);
  return { text, as, names: namesOf(text, as), needle: folded(text), isSaid: false, overheard: [] };
}

/** Marks what a request says. */
function said(
  request: RequestWords,
  needles: Needles,
  wanting: readonly (readonly Looked[])[],
  looked: readonly (Looked | null)[],
): void {
  for (const one of looked) if (one?.isSaid === false && isSaidIn(request, one)) one.isSaid = true;
  needles.pass(
    request.folded,
    (needle, end) => {
      const same = wanting[needle] ?? [];
      for (const one of same) if (!one.isSaid && standsAt(request, end, one)) one.isSaid = true;
      return same.every(({ isSaid, names }) => isSaid || names.kept === null);
    },
    (end) => endsFree(request.plain, end),
  );
}

/** A text without what stands behind its last white space. */
function withoutLastWord(text: string): string {
  let to = text.length;
  while (to > 0 && !/\s/.test(text[to - 1] ?? "")) to -= 1;
  return text.slice(0, to);
}

const NOTHING: ReadonlySet<string> = new Set();

/** A value's names under every spelling: which one it is compared by is the rule's to say, and not known yet. */
function keptNames(plain: string): readonly string[] {
  return SPELLINGS.flatMap((as) => namesOf(plain, as).kept ?? []);
}

function namesIn(params: Json): ReadonlySet<string> {
  const names = new Set<string>();
  hearLeaves(params, "", (text) => {
    if (isTraceable(text)) for (const name of keptNames(plainText(text))) names.add(name);
  });
  return names;
}

/** Whether a declaration covers a field: by its very path, or from above by one that ends in `.*` or `[]`. */
export function covers(trusted: Trusted, path: string): boolean {
  if (trusted === "all") return true;
  return trusted.some((one) => {
    if (one === path) return true;
    if (one.endsWith(".*")) return isBelow(path, one.slice(0, -2));
    return one.endsWith("[]") && isBelow(path, one);
  });
}

/** Whether a field is one of these or below one. */
function excludes(except: Trusted, path: string): boolean {
  return except === "all" || except.some((one) => path === one || isBelow(path, one) || covers([one], path));
}

function shown(path: string): string {
  return utf8Prefix(path, PATH_BYTES_MAX);
}
