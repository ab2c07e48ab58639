/** Finds the inputs that take long. */
import type { Model, ModelReply } from "../../src/index.ts";
import type { Hostile } from "./model.ts";
import type { Door } from "./tools.ts";

/** What one reply may take of one processor. */
const CPU_MS_MAX = 100;
const TRIALS = 3;

type Suspect = { readonly reply: ModelReply; readonly mode: "flat" | "tools" };

/**
 * Between a reply and whatever is next there must not pass more time than it may take; nobody's processor time is longer
 * than the time that passed. What seems to have taken it is done again by itself, and then its processor time counts.
 */
export class Stopwatch {
  readonly model: Model;
  readonly #suspects: Suspect[] = [];
  #newest: Suspect | null = null;
  #since = 0;

  constructor(hostile: Hostile) {
    const mode = hostile.mode ?? "flat";
    this.model = {
      ...hostile,
      complete: async (request) => {
        this.stop();
        const reply = await hostile.complete(request);
        this.#newest = { reply, mode };
        this.#since = performance.now();
        return reply;
      },
    };
  }

  stop(): void {
    if (this.#newest !== null && performance.now() - this.#since > CPU_MS_MAX) this.#suspects.push(this.#newest);
    this.#newest = null;
  }

  async slowOnes(door: Door): Promise<readonly string[]> {
    const slow: string[] = [];
    for (const suspect of this.#suspects) {
      const times: number[] = [];
      for (let i = 0; i < TRIALS; i++) times.push(await cpuOf(door, suspect));
      const least = Math.min(...times);
      if (least <= CPU_MS_MAX) continue;
      const { reply } = suspect;
      const what = reply.ok ? JSON.stringify([reply.text, reply.calls]) : reply.code;
      slow.push(`${Math.round(least)} ms of a processor for ${what.length} characters: ${what.slice(0, 300)}`);
    }
    return slow;
  }
}

async function cpuOf(door: Door, { reply, mode }: Suspect): Promise<number> {
  const end: ModelReply = { ok: false, code: "unreachable", detail: "" };
  const replies = [reply, end].values();
  const complete = async (): Promise<ModelReply> => replies.next().value ?? end;
  const model: Model = { name: "again", kind: "scripted", where: "here", mode, complete };
  const box = door.createSignalbox({ model, tools: [], principals: { desk: { tools: [] } }, store: "memory" });
  const { user, system } = process.threadCpuUsage();
  await box.run("Again.", { as: "desk" });
  const used = process.threadCpuUsage({ user, system });
  await box.close();
  return (used.user + used.system) / 1_000;
}
