import { canonicalJson } from "../../domain/canonical.ts";
import type { RunEvent } from "../../domain/event.ts";
import type { Json } from "../../domain/json.ts";
import { oneLine } from "../../domain/result.ts";
import { designText, type TrialDesign } from "../../domain/trial.ts";
import type { TrialResults, TrialRun } from "../../domain/trial-run.ts";
import {
  CONTROL_PAIRS_MIN,
  controlOf,
  isCold,
  judgeRun,
  keyOf,
  lastAttempts,
  ownPairsOf,
  pairsOf,
  planOf,
  type ScheduledRun,
  scheduleOf,
} from "../../trials/index.ts";
import { within } from "../deadline.ts";
import { SignalboxError, textOf } from "../error.ts";
import { serveAll, serveRun } from "./serve-arms.ts";
import { openTrialFile, type Seam, type TrialFile } from "./trial-file.ts";
import { readTrial } from "./trial-form.ts";
import type { TrialWorld } from "./trial-world.ts";

/** How far a trial is. `run`: the one that was just made; null at the beginning. */
export type TrialProgress = {
  readonly done: number;
  readonly of: number;
  readonly errors: number;
  readonly run: TrialRun | null;
};

export type TrialOptions = {
  /** Where the runs are kept. What is there already is not made again. */
  readonly file: string;
  readonly signal?: AbortSignal;
  /** Milliseconds that this call may take; what is under way then is not recorded. */
  readonly deadlineMs?: number;
  /** Makes those runs once more whose last attempt came to an error. */
  readonly retryErrors?: boolean;
  readonly onProgress?: (progress: TrialProgress) => void;
  readonly seam?: Seam;
};

export const TRIAL_ENDINGS = ["finished", "cancelled", "deadline", "too_many_errors", "no_positive_control"] as const;
/** Why a trial stopped. But for `finished`, the same call goes on from there. */
export type TrialEnding = (typeof TRIAL_ENDINGS)[number];

export type TrialEnd = {
  readonly ending: TrialEnding;
  readonly detail: string;
  /** Runs that this call made. */
  readonly made: number;
  readonly done: number;
  readonly of: number;
  readonly errors: number;
  readonly results: TrialResults;
};

/**
 * Makes the runs of a trial in the order of its schedule, or those that are still missing, and keeps each as soon as it is
 * judged. The positive control comes first, and where it does not work nothing else is run.
 *
 * Throws a SignalboxError for what the operator can mend: `bad_trial`, `varies_two`, `pairs_repeat`, `arm_not_as_declared`,
 * and those of openTrialFile. What a model or a tool does is an outcome.
 */
export async function runTrial(world: TrialWorld, document: Json, options: TrialOptions): Promise<TrialEnd> {
  const design = designOf(document);
  const pairs = pairsOf(design);
  if (pairs === null) throw new Error("a design that was read has pairs");
  const schedule = scheduleOf(design, pairs);
  await met(world, options);
  refuseRepeats(world, design, pairs);
  const profile = await serveAll(world, design, schedule);
  const conditions = { trial: world.hash(designText(design)), model: world.model, profile, setting: world.setting };
  const seam = options.seam ?? (() => {});
  const head = { at: world.clock.now(), pairs, conditions, document };
  const file = openTrialFile(options.file, head, world.hash, seam);
  try {
    return await new Going(world, design, schedule, file, options).go();
  } finally {
    file.close();
  }
}

/** One question to the server takes no longer. A server that does not answer is left to the runs, which say what is wrong. */
const MEET_MS_MAX = 60_000;

async function met({ clock, meet }: TrialWorld, { deadlineMs = MEET_MS_MAX, signal }: TrialOptions): Promise<void> {
  if (meet === undefined) return;
  await within(clock, Math.min(MEET_MS_MAX, deadlineMs), signal ?? null, meet);
}

/**
 * At temperature 0 pairs that only repeat others are no draws, so a trial that has too few of its own could support nothing.
 * Said before the first run, since it costs as much as any other.
 */
function refuseRepeats({ setting }: TrialWorld, design: TrialDesign, pairs: number): void {
  if (!isCold(setting)) return;
  const own = ownPairsOf(design, pairs);
  const needed = Math.min(pairs, planOf(design)?.needed.supported ?? pairs);
  if (own.control >= CONTROL_PAIRS_MIN && own.arms >= needed) return;
  const said = [
    `${own.control} of the ${design.controlPairs} pairs of the control`,
    `${own.arms} of the ${pairs} of the arms`,
  ];
  const detail = `at temperature 0 the same prompt is answered alike, and only ${said.join(" and ")} have prompts of their own; it takes ${CONTROL_PAIRS_MIN} and ${needed}`;
  throw new SignalboxError("pairs_repeat", detail, {
    hint: "add tasks, or give the model of the trial's config a temperature",
  });
}

/** All that the model said in a run, as one text; null where it said nothing. */
function saidIn(events: readonly RunEvent[]): string | null {
  const said = events.flatMap((event) => (event.kind === "replied" ? [[event.raw, event.calls]] : []));
  return said.length === 0 ? null : canonicalJson(said as unknown as Json);
}

function designOf(document: Json): TrialDesign {
  const design = readTrial(document);
  if (design.ok) return design.value;
  throw new SignalboxError(design.why.code, design.why.detail, { hint: "docs/trials.md has the format" });
}

/** One call of runTrial. */
class Going {
  readonly #world: TrialWorld;
  readonly #design: TrialDesign;
  readonly #schedule: readonly ScheduledRun[];
  readonly #file: TrialFile;
  readonly #options: TrialOptions;
  readonly #until: number;
  /** The last attempt of each run that was made. */
  readonly #last: Map<string, TrialRun>;
  /** The runs that this call made. */
  readonly #made = new Set<string>();
  /** How many of the last attempts came to an error, and how many of those are of this call. */
  #errors = 0;
  #newErrors = 0;

  constructor(
    world: TrialWorld,
    design: TrialDesign,
    schedule: readonly ScheduledRun[],
    file: TrialFile,
    options: TrialOptions,
  ) {
    this.#world = world;
    this.#design = design;
    this.#schedule = schedule;
    this.#file = file;
    this.#options = options;
    this.#until = options.deadlineMs === undefined ? Number.POSITIVE_INFINITY : world.clock.now() + options.deadlineMs;
    this.#last = new Map(lastAttempts(file.results().runs).map((run) => [keyOf(run), run]));
    for (const { outcome } of this.#last.values()) if (outcome === "error") this.#errors += 1;
  }

  async go(): Promise<TrialEnd> {
    this.#tell(null);
    for (const block of ["control", "arms"] as const) {
      for (const scheduled of this.#schedule.filter((run) => run.block === block)) {
        if (!this.#isDue(scheduled)) continue;
        const stopped = this.#stopped();
        if (stopped !== null) return stopped;
        const run = await this.#make(scheduled);
        if (run === null) return this.#stopped() ?? this.#end("cancelled", "stopped");
        this.#keep(run);
        this.#tell(run);
      }
      const stopped = this.#tooManyErrors();
      if (stopped !== null) return stopped;
      if (block !== "control") continue;
      const control = controlOf(
        this.#design,
        [...this.#last.values()].filter((run) => run.block === "control"),
        isCold(this.#world.setting),
      );
      if (!control.works) return this.#end("no_positive_control", control.why);
    }
    return this.#end("finished", "");
  }

  /** What a run came to is made once; an error once more, where that is wanted and this call has not tried it. */
  #isDue(scheduled: ScheduledRun): boolean {
    const last = this.#last.get(keyOf(scheduled));
    return last === undefined || (last.outcome === "error" && this.#options.retryErrors === true);
  }

  #stopped(): TrialEnd | null {
    if (this.#options.signal?.aborted === true) return this.#end("cancelled", "stopped");
    if (this.#world.clock.now() >= this.#until) return this.#end("deadline", "the time of this call was used up");
    return this.#tooManyErrors();
  }

  #tooManyErrors(): TrialEnd | null {
    // While errors are tried again, those of earlier calls stop nothing: they are what this call is for.
    const counted = this.#options.retryErrors === true ? this.#newErrors : this.#errors;
    if (counted <= this.#design.errorsMax) return null;
    const last = [...this.#last.values()].findLast(({ outcome }) => outcome === "error");
    return this.#end("too_many_errors", `${counted} runs came to an error, the last by ${last?.why ?? ""}`);
  }

  #keep(run: TrialRun): void {
    this.#file.add(run);
    const key = keyOf(run);
    if (this.#last.get(key)?.outcome === "error") this.#errors -= 1;
    if (run.outcome === "error") {
      this.#errors += 1;
      this.#newErrors += 1;
    }
    // At the end of the map, where the newest are.
    this.#last.delete(key);
    this.#last.set(key, run);
    this.#made.add(key);
  }

  /** null where it was cut off, by the caller or by the deadline of the call: then nothing is known of it. */
  async #make(scheduled: ScheduledRun): Promise<TrialRun | null> {
    const { clock } = this.#world;
    const { block, pair, arm, task, seed } = scheduled;
    const { served, told } = await serveRun(this.#world, this.#design, scheduled);
    const at = clock.now();
    const limit = Math.min(this.#design.runMs, this.#until - at);
    const carried = await within(clock, limit, this.#options.signal ?? null, (signal) =>
      this.#world.carry({ design: this.#design, task, served, seed, signal }),
    );
    if (carried.kind === "cancelled" || this.#options.signal?.aborted === true) return null;
    if (carried.kind === "timeout" && limit < this.#design.runMs) return null;
    const attempt = (this.#last.get(keyOf(scheduled))?.attempt ?? 0) + 1;
    const named = { block, pair, arm, attempt, task: task.id, seed, at, ms: Math.max(0, clock.now() - at), told };
    if (carried.kind === "value") {
      const judged = judgeRun(this.#design.judge, carried.value.events);
      const said = saidIn(carried.value.events);
      return {
        ...named,
        ...judged,
        why: oneLine(judged.why),
        run: carried.value.run,
        said: said === null ? null : this.#world.hash(said),
      };
    }
    const why = carried.kind === "timeout" ? `it took longer than ${limit} ms` : oneLine(textOf(carried.error));
    const failed = { run: null, ending: null, outcome: "error", said: null, safety: null } as const;
    return { ...named, ...failed, why: why === "" ? "it threw" : why };
  }

  #tell(run: TrialRun | null): void {
    this.#options.onProgress?.({ done: this.#last.size, of: this.#schedule.length, errors: this.#errors, run });
  }

  #end(ending: TrialEnding, detail: string): TrialEnd {
    return {
      ending,
      detail,
      made: this.#made.size,
      done: this.#last.size,
      of: this.#schedule.length,
      errors: this.#errors,
      results: this.#file.results(),
    };
  }
}
