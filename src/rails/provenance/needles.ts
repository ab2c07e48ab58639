/**
 * Texts that are looked for in other texts, all of them in one pass (Aho and Corasick, 1975). What is looked for is the
 * model's to choose and what it is looked for in an outsider's, so the time must not be the product of the two: a pass takes
 * at most two steps for each character, whatever the texts are. Short work is left to the engine's own search.
 */
export class Needles {
  readonly #needles: readonly string[];
  readonly #chars: number;
  #machine: Machine | null = null;
  /** Steps that passes took so far, those of building included. Of the engine's own search: the most that it can take. */
  steps = 0;

  /** `needles`: none of them empty, each once. */
  constructor(needles: readonly string[]) {
    this.#needles = needles;
    this.#chars = needles.reduce((sum, needle) => sum + needle.length, 0);
  }

  /**
   * Calls `hit` with the index of a needle and where in the text it ends, until it answers true: then that needle is not
   * looked for any more in this text. An end of which `endsAt` is false is passed over.
   */
  pass(text: string, hit: (needle: number, end: number) => boolean, endsAt?: (end: number) => boolean): void {
    if (this.#chars * text.length <= NATIVE_STEPS_MAX) this.#native(text, hit, endsAt);
    else {
      if (this.#machine === null) {
        this.#machine = machineOf(this.#needles, this.#chars);
        this.steps += this.#machine.steps;
      }
      this.steps += passed(this.#machine, text, hit, endsAt);
    }
  }

  #native(text: string, hit: (needle: number, end: number) => boolean, endsAt?: (end: number) => boolean): void {
    this.#needles.forEach((needle, i) => {
      this.steps += needle.length * text.length;
      for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
        const end = at + needle.length;
        if ((endsAt === undefined || endsAt(end)) && hit(i, end)) return;
      }
    });
  }
}

/** Up to this product the engine's own search is quick whatever the texts are. */
const NATIVE_STEPS_MAX = 4_000_000;

/**
 * The needles as a tree of their characters. A node is a front of a needle; `back` is the longest end of it that is a front
 * too. Needles are numbered from 1 in here, and 0 is none.
 */
type Machine = {
  readonly edges: Edges;
  readonly back: Int32Array;
  /** The longest needle that ends at a node. */
  readonly ends: Int32Array;
  /** The longest needle that is a proper end of a needle. */
  readonly shorter: Int32Array;
  readonly steps: number;
};

function machineOf(needles: readonly string[], chars: number): Machine {
  const edges = new Edges(chars + 1);
  const parent = new Int32Array(chars + 1);
  const units = new Uint16Array(chars + 1);
  const ends = new Int32Array(chars + 1);
  const shorter = new Int32Array(needles.length + 1);
  const levels: number[][] = [];
  let nodes = 1;
  needles.forEach((needle, i) => {
    let node = 0;
    for (let depth = 0; depth < needle.length; depth++) {
      const unit = needle.charCodeAt(depth);
      let next = edges.get(node, unit);
      if (next === 0) {
        next = nodes;
        nodes += 1;
        edges.add(node, unit, next);
        parent[next] = node;
        units[next] = unit;
        let level = levels[depth];
        if (level === undefined) {
          level = [];
          levels[depth] = level;
        }
        level.push(next);
      }
      node = next;
    }
    ends[node] = i + 1;
  });
  const back = new Int32Array(chars + 1);
  let steps = chars;
  for (const node of levels.flat()) {
    const unit = units[node] ?? 0;
    let from = parent[node] ?? 0;
    let to = 0;
    while (from !== 0 && to === 0) {
      from = back[from] ?? 0;
      to = edges.get(from, unit);
      steps += 1;
    }
    back[node] = to;
    const own = ends[node] ?? 0;
    if (own === 0) ends[node] = ends[to] ?? 0;
    else shorter[own] = ends[to] ?? 0;
  }
  return { edges, back, ends, shorter, steps };
}

/** One pass over a text. Returns its steps. */
function passed(
  { edges, back, ends, shorter }: Machine,
  text: string,
  hit: (needle: number, end: number) => boolean,
  endsAt?: (end: number) => boolean,
): number {
  // What is found leaves the chains of shorter needles, so that no place is asked about it again.
  const left = shorter.map((_, i) => i);
  const alive = (needle: number): number => {
    let one = needle;
    while (left[one] !== one) {
      const next = left[one] ?? 0;
      left[one] = left[next] ?? 0;
      one = next;
    }
    return one;
  };
  let steps = text.length;
  let node = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    let next = edges.get(node, unit);
    while (next === 0 && node !== 0) {
      node = back[node] ?? 0;
      next = edges.get(node, unit);
      steps += 1;
    }
    node = next;
    if (ends[node] === 0 || (endsAt !== undefined && !endsAt(i + 1))) continue;
    for (let one = alive(ends[node] ?? 0); one !== 0; one = alive(shorter[one] ?? 0)) {
      steps += 1;
      if (hit(one - 1, i + 1)) left[one] = shorter[one] ?? 0;
    }
  }
  return steps;
}

/** What follows a node by a character, in one flat table: a map of maps takes ten times as long. */
class Edges {
  readonly #first = new Int32Array(0x10000);
  readonly #mask: number;
  readonly #nodes: Int32Array;
  readonly #units: Uint16Array;
  readonly #next: Int32Array;

  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(count * 2 + 2));
    this.#mask = size - 1;
    this.#nodes = new Int32Array(size);
    this.#units = new Uint16Array(size);
    this.#next = new Int32Array(size);
  }

  /** The node behind `node` by this character; 0 for none. */
  get(node: number, unit: number): number {
    if (node === 0) return this.#first[unit] ?? 0;
    return this.#next[this.#slot(node, unit)] ?? 0;
  }

  add(node: number, unit: number, next: number): void {
    if (node === 0) {
      this.#first[unit] = next;
      return;
    }
    const slot = this.#slot(node, unit);
    this.#nodes[slot] = node;
    this.#units[slot] = unit;
    this.#next[slot] = next;
  }

  #slot(node: number, unit: number): number {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7;
    slot &= this.#mask;
    while (this.#next[slot] !== 0 && (this.#nodes[slot] !== node || this.#units[slot] !== unit)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }
}
