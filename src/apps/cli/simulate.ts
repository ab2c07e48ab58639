import { parseScenario, type Rules, rulesOf, SignalboxError, type Simulation, simulate } from "../../index.ts";
import type { Io } from "./io.ts";
import { loadConfig } from "./load-config.ts";
import type { Opening } from "./opened.ts";
import { printFailures, printSimulation, printSummary } from "./print-simulation.ts";
import { isCorpus, type Written, writtenAt } from "./scenario-files.ts";
import { jsonDocument } from "./text.ts";

/** Something that a scenario expected and did not get. */
export type Unexpected = {
  readonly file: string;
  readonly scenario: string | null;
  readonly verdict: Simulation["verdicts"][number];
};

/** What a corpus came to. `codes`: of denials. `perSecond`: scenarios, with what reading them took. */
export type Summary = {
  readonly schema: "signalbox.simulation/1";
  readonly ok: boolean;
  readonly policyVersion: string;
  readonly scenarios: number;
  readonly proposals: number;
  readonly outcomes: { readonly [outcome: string]: number };
  readonly codes: { readonly [code: string]: number };
  readonly expected: number;
  readonly asExpected: number;
  readonly failures: readonly Unexpected[];
  readonly bad: readonly { readonly file: string; readonly code: string; readonly message: string }[];
  readonly ms: number;
  readonly perSecond: number;
};

/** How a check ends that ran, and whose expectation does not hold. */
export const EXPECTATION_FAILED = 100;

type Options = Opening & { readonly stream?: boolean };

/**
 * Exit code 0 where every verdict is as expected or nothing was, 100 where one is not, 2 where a scenario cannot be read.
 * Nothing is performed, and neither a store nor a model is opened.
 */
export async function simulateAt(io: Io, path: string, options: Options): Promise<number> {
  const corpus = isCorpus(io, path);
  const rules = rulesOf((await loadConfig(io, options.config)).config);
  const json = options.json === true;
  if (corpus) return simulateAll(io, rules, writtenAt(io, path), json, options.stream === true);
  if (options.stream === true) {
    throw new SignalboxError("usage", "--stream is for a folder, or a file with one scenario on each line");
  }
  const [written] = writtenAt(io, path);
  const simulation = simulated(rules, written ?? { name: path, text: "" });
  if (json) io.stdout.write(jsonDocument(simulation));
  else printSimulation(io, simulation);
  return simulation.ok ? 0 : EXPECTATION_FAILED;
}

function simulateAll(io: Io, rules: Rules, all: Iterable<Written>, json: boolean, stream: boolean): number {
  const began = performance.now();
  const tally = new Tally();
  for (const written of all) {
    try {
      const simulation = simulated(rules, written);
      tally.count(written.name, simulation);
      if (stream) io.stdout.write(jsonDocument({ file: written.name, ...simulation }));
    } catch (error) {
      if (!(error instanceof SignalboxError)) throw error;
      const { code, message } = error;
      tally.bad.push({ file: written.name, code, message });
      if (stream) io.stdout.write(jsonDocument({ file: written.name, error: { code, message } }));
    }
  }
  const summary = tally.summary(rules, performance.now() - began);
  if (stream || json) io.stdout.write(jsonDocument(summary));
  else {
    printFailures(io, summary);
    printSummary(io, summary);
  }
  return summary.bad.length > 0 ? 2 : summary.ok ? 0 : EXPECTATION_FAILED;
}

/** Throws `bad_scenario`, each fault with the file and its place. */
function simulated(rules: Rules, written: Written): Simulation {
  if ("fault" in written) throw written.fault;
  const { name, text } = written;
  const scenario = parseScenario(text);
  const bad = (message: string): SignalboxError =>
    new SignalboxError("bad_scenario", message.replace(/^/gm, `${name}: `), {
      hint: "docs/scenarios.md has the format",
    });
  if (!scenario.ok) throw bad(scenario.why.detail);
  try {
    return simulate(rules, scenario.value);
  } catch (error) {
    throw error instanceof SignalboxError ? bad(error.message) : error;
  }
}

class Tally {
  readonly bad: { file: string; code: string; message: string }[] = [];
  readonly #outcomes = { allow: 0, deny: 0, stage: 0, settled: 0 };
  readonly #codes = new Map<string, number>();
  readonly #failures: Unexpected[] = [];
  #scenarios = 0;
  #proposals = 0;
  #expected = 0;

  count(file: string, { scenario, verdicts }: Simulation): void {
    this.#scenarios += 1;
    for (const verdict of verdicts) {
      this.#proposals += 1;
      this.#outcomes[verdict.outcome] += 1;
      if (verdict.code !== null) this.#codes.set(verdict.code, (this.#codes.get(verdict.code) ?? 0) + 1);
      if (verdict.asExpected !== null) this.#expected += 1;
      if (verdict.asExpected === false) this.#failures.push({ file, scenario, verdict });
    }
  }

  summary(rules: Rules, ms: number): Summary {
    const byCount = [...this.#codes].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    return {
      schema: "signalbox.simulation/1",
      ok: this.#failures.length === 0 && this.bad.length === 0,
      policyVersion: rules.policyVersion,
      scenarios: this.#scenarios,
      proposals: this.#proposals,
      outcomes: this.#outcomes,
      codes: Object.fromEntries(byCount),
      expected: this.#expected,
      asExpected: this.#expected - this.#failures.length,
      failures: this.#failures,
      bad: this.bad,
      ms: Math.round(ms),
      perSecond: Math.round((this.#scenarios * 1_000) / Math.max(1, ms)),
    };
  }
}
