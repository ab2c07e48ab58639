import type { Began, RunEvent } from "../domain/event.ts";
import type { Tool } from "../domain/tool.ts";
import type { Seen } from "../rails/index.ts";
import { openWitness, type Witness, witness } from "./witness.ts";

/** Threads whose words are kept at a time: more would be held in memory for a whole ledger. */
const THREADS_MAX = 2_000;

/** The kinds of row that say what was seen. */
export const KINDS_SEEN: readonly RunEvent["kind"][] = ["started", "finished", "settled_before", "retrieved"];

/**
 * What was seen in each thread of a ledger, traced again by the trust that other tools declare, while its rows are scanned
 * run by run.
 */
export class ThreadsSeen {
  readonly #tools: ReadonlyMap<string, Tool>;
  /** The oldest first. */
  readonly #threads = new Map<string, Witness>();
  readonly #forgotten = new Set<string>();
  #current: Witness | null = null;

  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#tools = tools;
  }

  begin(began: Began): void {
    const { thread } = began;
    const known = this.#threads.get(thread) ?? null;
    this.#current = known ?? openWitness(this.#tools);
    // What a nested run could see depends on how far the runs around it had come, and a scan does not tell.
    if (this.#current === null || began.parent !== null || this.#forgotten.has(thread)) {
      this.#current = null;
      return;
    }
    this.#current.open.clear();
    if (known === null) witness(this.#current, began);
    else known.seen.request(began.request);
    this.#threads.delete(thread);
    this.#threads.set(thread, this.#current);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size <= THREADS_MAX || oldest === undefined) return;
    this.#threads.delete(oldest);
    this.#forgotten.add(oldest);
  }

  hear(event: RunEvent): void {
    if (this.#current !== null) witness(this.#current, event);
  }

  /** What the thread of the newest run has seen so far; null where nobody can tell. */
  seen(): Seen | null {
    return this.#current?.seen ?? null;
  }
}
