import type { Json, JsonObject } from "../../domain/json.ts";
import { type Sighting, SPELLINGS, type Spelling, type Trusted } from "../../domain/provenance.ts";
import { utf8Prefix } from "../../domain/utf8.ts";
import { Heard } from "./heard.ts";
import { hearLeaves } from "./leaves.ts";
import { folded, isTraceable, namesOf, plainText } from "./normalise.ts";
import { isBelow } from "./path.ts";
import { type RequestWords, readRequest, SOUGHT_CHARS_MAX, standsIn } from "./request-words.ts";

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
    this.#requests.push(readRequest(cut ? text.replace(/\S*$/, "") : text));
  }

  /** Words that are not the operator's: a nested run's request, passages of a memory. */
  words(text: string): void {
    this.#hear(null, text, "");
  }

  /**
   * What a tool returned. A leaf that equals one of the call's own `params` is no more trusted than the proposal was: a tool
   * that repeats what it was asked vouches for nothing.
   */
  result(tool: string, trusted: Trusted, params: JsonObject, result: Json): void {
    const echoes = trusted.length === 0 ? NOTHING : namesIn(params);
    hearLeaves(result, "", (text, path) => {
      if (covers(trusted, path)) this.#trust(tool, text, path, echoes);
      else this.#hear(tool, text, path);
    });
  }

  /** Where a value was seen. An empty list: nowhere. */
  sightings(value: string, as: Spelling): readonly Sighting[] {
    if (!isTraceable(value)) return [];
    const text = plainText(value);
    const told: Sighting[] = [];
    if (this.#requests.some((request) => standsIn(request, text, as))) told.push(IN_REQUEST);
    const trusted = new Set(namesOf(text, as).sought.flatMap((name) => this.#trusted.get(name) ?? []));
    told.push(...[...trusted].slice(0, TOLD_MAX), ...this.#overheard(folded(text)));
    return told;
  }

  #overheard(needle: string): readonly Sighting[] {
    if (needle === "") return [];
    const told: Sighting[] = [];
    for (const [tool, heard] of this.#untrusted) {
      if (told.length >= TOLD_MAX) break;
      const path = needle.length <= SOUGHT_CHARS_MAX || heard.has(needle) ? heard.find(needle) : null;
      if (path !== null) told.push({ source: "untrusted", tool, path: shown(path) });
    }
    return told;
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

const NOTHING: ReadonlySet<string> = new Set();

/** A value's names under every spelling: which one it is compared by is the rule's to say, and not known yet. */
function keptNames(plain: string): readonly string[] {
  return SPELLINGS.flatMap((as) => namesOf(plain, as).kept ?? []);
}

function namesIn(params: JsonObject): ReadonlySet<string> {
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

function shown(path: string): string {
  return utf8Prefix(path, PATH_BYTES_MAX);
}
