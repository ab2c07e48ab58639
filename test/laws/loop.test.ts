import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_BUDGETS } from "../../src/domain/budgets.ts";
import { canonicalJson } from "../../src/domain/canonical.ts";
import type { Command } from "../../src/domain/command.ts";
import { isEnding } from "../../src/domain/ending.ts";
import type { RunEvent } from "../../src/domain/event.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Reply } from "../../src/domain/reply.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import { promptBytesMax } from "../../src/domain/window.ts";
import { advance, buildPrompt, newRun, type Run, systemText } from "../../src/loop/index.ts";
import { began, decided, finished, loopTool, replied, rulesOf, started } from "../checks/drive.ts";
import { seed } from "../seed.ts";

const rules = rulesOf(
  loopTool("read"),
  loopTool("poll", { mayRepeat: true }),
  loopTool("pay", { once: true }),
  loopTool("builder", { local: true, settleKey: (params) => String((params as { path?: unknown }).path) }),
);
const names = ["read", "poll", "pay", "builder", "ghost", "__proto__", "constructor"];

const params: fc.Arbitrary<JsonObject> = fc.record({
  path: fc.constantFrom("a", "b"),
  n: fc.integer({ min: 0, max: 2 }),
});
const evidence = fc.array(fc.constantFrom("e1", "e2"), { maxLength: 2 });
const reply: fc.Arbitrary<Reply | null> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("action" as const), tool: fc.constantFrom(...names), params, evidence }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("plan" as const),
      steps: fc.array(
        fc.record({
          actor: fc.constantFrom(...names),
          description: fc.constantFrom("", "implement a function"),
          params,
          evidence,
        }),
        {
          minLength: 1,
          maxLength: 20,
        },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retrieve" as const), query: fc.string() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("conversation" as const), text: fc.string({ minLength: 1 }) }),
  },
);
const outcome = fc.constantFrom(
  "done",
  "done",
  "done",
  "failed",
  "outcome_unknown",
  "deny",
  "stage",
  "before",
) as fc.Arbitrary<"done" | "failed" | "outcome_unknown" | "deny" | "stage" | "before">;

/** One move of the world: mostly an answer to the command, sometimes an event that nobody asked for. */
type Move = {
  readonly stray: number;
  readonly reply: Reply | null;
  readonly outcome: "done" | "failed" | "outcome_unknown" | "deny" | "stage" | "before";
  readonly ms: number;
  readonly lie: boolean;
};
const move: fc.Arbitrary<Move> = fc.record({
  stray: fc.integer({ min: 0, max: 40 }),
  reply,
  outcome,
  ms: fc.integer({ min: -5, max: 2_000 }),
  lie: fc.integer({ min: 0, max: 30 }).map((n) => n === 0),
});

/** The events that one move makes of the present command; also events out of place, out of order, or for other params. */
function eventsOf(run: Run, made: Move): readonly RunEvent[] {
  const command = run.command;
  const fake: Extract<Command, { kind: "perform" }> = {
    kind: "perform",
    step: made.stray,
    tool: "read",
    params: {},
    evidence: [],
    route: "direct",
    receipt: null,
  };
  switch (made.stray) {
    case 0:
      return [started(fake)];
    case 1:
      return [finished(fake, "done", {}, true)];
    case 2:
      return [{ kind: "interrupted", at: 0, ending: "deadline", detail: "" }];
    case 3:
      return [{ kind: "retrieved", at: 0, query: "q", passages: [], failed: null }];
    case 4:
      return [decided(fake, true)];
    case 5:
      return [began()];
    case 6:
      return [{ kind: "ended", at: 0, ending: "answered", detail: "", text: "" }];
    case 7:
      return [{ kind: "continued", at: 0, budgets: DEFAULT_BUDGETS }];
    case 8:
      return [
        {
          kind: "model_failed",
          at: 0,
          turn: run.turn,
          call: 1,
          code: "context_overflow",
          detail: "",
          promptBytes: 9_000,
          fits: null,
          usage: null,
        },
      ];
    default:
      break;
  }
  if (command?.kind === "ask_model") return [replied(command.turn, command.call, made.reply)];
  if (command?.kind === "retrieve") {
    const passages = made.lie ? [] : [{ source: "s", text: "t" }];
    const failed = made.outcome === "failed" ? "it broke" : null;
    return [{ kind: "retrieved", at: 0, query: command.query, passages, failed }];
  }
  if (command?.kind !== "perform") return [];
  if (made.outcome === "deny") return [decided(command, false)];
  if (made.outcome === "stage") return [{ ...decided(command, true), outcome: "stage", role: "supervisor" }];
  if (made.outcome === "before" || command.receipt !== null) {
    const { step, tool } = command;
    return [
      {
        kind: "settled_before",
        at: 0,
        step,
        tool,
        result: {},
        pass: true,
        line: "before",
        receipt: { run: "r", step: 1 },
      },
    ];
  }
  const start = started(command);
  const told = made.lie ? { ...start, params: { other: true } } : start;
  return [decided(command, true), told, finished(command, made.outcome, { n: 1 }, made.outcome === "done")];
}

describe("laws of the loop", () => {
  test("[loop-ends] whatever events arrive, the run ends within its budgets", () => {
    const budgets = { ...DEFAULT_BUDGETS, turns: 6, modelCalls: 9, steps: 12, wallMs: 60_000, tokens: 500 };
    fc.assert(
      fc.property(fc.infiniteStream(move), (moves) => {
        let run = advance(newRun(rules), began({ budgets }));
        let at = 0;
        let events = 0;
        for (const made of moves) {
          if (run.command?.kind === "end" || run.command?.kind === "await_approval") break;
          for (const event of eventsOf(run, made)) {
            at += made.ms;
            run = advance(run, { ...event, at });
            events += 1;
            expect(run.used.turns).toBeLessThanOrEqual(budgets.turns);
            expect(run.used.modelCalls).toBeLessThanOrEqual(budgets.modelCalls);
            expect(run.used.steps).toBeLessThanOrEqual(budgets.steps);
          }
          // Three events a step, two a turn, and what the world throws in: more than that is a run that does not end.
          if (events > 3 * budgets.steps + 4 * budgets.turns + 40) throw new Error("the run does not end");
        }
        const command = run.command;
        expect(command?.kind === "await_approval" || (command?.kind === "end" && isEnding(command.ending))).toBe(true);
        if (command?.kind === "end") expect(command.text).not.toBe("");
      }),
      { seed, numRuns: 3_000 },
    );
  });

  test("[loop-decision-first] nothing is performed without a decision before it for those exact params", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        let run = advance(newRun(rules), began());
        const permitted = new Map<number, string>();
        for (const made of moves) {
          for (const event of eventsOf(run, made)) {
            const before = run;
            run = advance(run, event);
            if (event.kind === "decided" && event.outcome === "permit" && run.stepState.state === "permitted") {
              permitted.set(event.step, canonicalJson([event.tool, event.checked]));
            }
            if (event.kind === "started" && run.stepState.state === "started" && before.stepState.state !== "started") {
              expect(permitted.get(event.step)).toBe(canonicalJson([event.tool, event.params]));
            }
            if (event.kind === "finished" && run.lastDone !== before.lastDone) {
              expect(before.stepState.state).toBe("started");
            }
          }
        }
      }),
      { seed, numRuns: 3_000 },
    );
  });

  test("[loop-fold] folding a run's recorded events gives its state", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        let run = advance(newRun(rules), began());
        const events: RunEvent[] = [began()];
        for (const made of moves) {
          for (const event of eventsOf(run, made)) {
            events.push(event);
            run = advance(run, event);
          }
        }
        const recorded = events.map((event) => JSON.parse(JSON.stringify(event)) as RunEvent);
        expect(recorded.reduce(advance, newRun(rules))).toEqual(run);
      }),
      { seed, numRuns: 500 },
    );
  });

  test("[loop-fold] an older state is never changed", () => {
    const first = advance(newRun(rules), began());
    const copy = structuredClone({ ...first, rules: null });
    let run = first;
    for (let n = 0; n < 3; n++)
      run = advance(run, replied(run.turn, 1, { kind: "action", tool: "pay", params: { n }, evidence: [] }));
    expect({ ...first, rules: null }).toEqual(copy);
  });

  test("[loop-prompt-bound] a prompt never exceeds its byte bound, whatever the sizes", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc.integer({ min: 0, max: 90_000 }).map((n) => "é".repeat(n)),
      fc.constant("\u2028\n> x\r\u202e".repeat(50)),
    );
    const window = fc.record({
      tokens: fc.integer({ min: 900, max: 20_000 }),
      outputTokens: fc.integer({ min: 1, max: 800 }),
      bytesPerToken: fc.double({ min: 1, max: 5, noNaN: true }),
      measured: fc.constant("unmeasured"),
    });
    const past = fc.array(fc.record({ request: text, answer: text, did: fc.array(text, { maxLength: 3 }) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        window,
        fc.array(text, { maxLength: 12 }),
        text,
        past,
        fc.boolean(),
        (win, results, request, exchanges, again) => {
          let run = advance(newRun(rules), began({ window: win, request, past: exchanges }));
          for (const [n, result] of results.entries()) {
            run = advance(run, replied(run.turn, 1, { kind: "action", tool: "poll", params: { n }, evidence: [] }));
            if (run.command?.kind !== "perform") break;
            const command = run.command;
            run = advance(run, decided(command, true));
            run = advance(run, started(command));
            run = advance(run, { ...finished(command, "done", { result }, true), line: result });
          }
          const why = { code: "not_json", detail: request };
          const built = buildPrompt(run, systemText(rules), again ? { kind: "reask", why } : { kind: "turn" });
          const bound = promptBytesMax(win);
          if (!built.ok) {
            expect(built.refusal.bytes).toBeGreaterThan(bound);
            return;
          }
          const { system, user, bytes } = built.prompt;
          expect(utf8Length(system) + utf8Length(user)).toBe(bytes);
          expect(bytes).toBeLessThanOrEqual(bound);
        },
      ),
      { seed, numRuns: 400 },
    );
  });
});
