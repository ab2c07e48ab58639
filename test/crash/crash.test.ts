/**
 * Claims R4 and R5: `kill -9` at every write and every effect of a run, and nothing is done twice, asked twice or lost.
 * The points are counted by the seams of the store and of the tools, so that a new write is a new point by itself.
 */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../seed.ts";
import {
  carryFromSource,
  carryUninterrupted,
  closeHarness,
  forEach,
  type Harness,
  judgeAt,
  killAt,
  killAtEach,
  openHarness,
  type Reference,
  resumeIn,
} from "./harness.ts";
import { REAL_HOUSE } from "./real-house.ts";
import { runId } from "./scenario.ts";

/** Fewer points than this: a seam has gone, and with it crash points that nobody tries any more. */
const POINTS_MIN = 297;
const DOUBLE_CRASHES = 12;

const src = fileURLToPath(new URL("../../src", import.meta.url));
let harness: Harness;
let reference: Reference;

beforeAll(async () => {
  harness = await openHarness(src, REAL_HOUSE);
  reference = await carryUninterrupted(harness);
});
afterAll(() => closeHarness(harness));

/** What happened in the run `main`, from its rows. */
function happened(): readonly { readonly kind: string; readonly [key: string]: unknown }[] {
  return reference.tables.rows
    .map((text) => JSON.parse(text))
    .filter(({ run }) => run === runId("main"))
    .map(({ kind, body }) => ({ kind, ...JSON.parse(body) }));
}

describe("kill -9", () => {
  test("the run that is killed is worth killing", () => {
    const events = happened();
    const codes = events.flatMap(({ denial }) => (denial as { code: string } | null | undefined)?.code ?? []);
    expect(codes).toEqual(["cap_exceeded", "evidence_foreign", "no", "unroutable"]);
    const steps = events.filter(({ kind }) => kind === "decided" || kind === "settled_before");
    expect(steps.length).toBeGreaterThanOrEqual(12);
    const tools = (kind: string) => events.filter((event) => event.kind === kind).map(({ tool }) => tool);
    const started = reference.tables.effects.map((text) => JSON.parse(text)).filter(({ run }) => run === runId("main"));
    const happening = new Set(started.map(({ tool }) => tool));
    expect(happening).toEqual(new Set(["lookup", "tag", "refund", "send", "builder", "ship"]));
    // A short-circuit, a receipt of the run before, and a receipt of this run.
    expect(tools("settled_before")).toEqual(["builder", "refund", "refund"]);
    expect(events.filter(({ kind, call }) => kind === "replied" && call === 2)).toHaveLength(1);
    expect(events.filter(({ kind, outcome }) => kind === "finished" && outcome === "failed")).toHaveLength(1);
  });

  test("what is killed, the house in one file, writes what the house itself writes", async () => {
    assert.deepEqual(reference, await carryFromSource(harness));
  });

  test("[run-resume] [run-effect-once] [run-outcome-unknown] at every point, and a new process takes the run up", {
    timeout: 600_000,
  }, async () => {
    const { points } = reference;
    console.log(
      `${points.length} crash points in a run of ${happened().filter(({ kind }) => kind === "decided").length} decisions`,
    );
    expect(points.length).toBeGreaterThanOrEqual(POINTS_MIN);
    await killAtEach(
      harness,
      reference,
      points.map((_, i) => i + 1),
    );
  });

  test("[run-resume] [run-effect-once] a second time, while it is being resumed", { timeout: 600_000 }, async () => {
    // Points at which an effect is open have a recovery to be killed in.
    const effects = reference.points.flatMap(({ label }, i) => (/^\w+: (?:before|after)$/.test(label) ? [i + 1] : []));
    const first = fc.oneof(fc.constantFrom(...effects), fc.integer({ min: 1, max: reference.points.length - 1 }));
    const samples = fc.sample(fc.tuple(first, fc.double({ min: 0, max: 1, noNaN: true })), {
      seed,
      numRuns: DOUBLE_CRASHES,
    });
    await forEach([...samples.entries()], async ([i, [at, share]]) => {
      const directory = join(harness.base, `double-${i}`);
      const copy = join(harness.base, `copy-${i}`);
      const dead = await killAt(harness, directory, at);
      cpSync(directory, copy, { recursive: true });
      const [resumed] = await resumeIn(harness, [copy]);
      const points = resumed?.points.length ?? 0;
      // Squared: the earliest points of a resume are the ones that recover.
      const again = await killAt(harness, directory, 1 + Math.floor(share * share * (points - 1)));
      const [carried] = await resumeIn(harness, [directory]);
      assert.ok(carried !== undefined);
      await judgeAt(harness, reference, [dead, again], directory, carried);
    });
  });
});
