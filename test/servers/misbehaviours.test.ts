import { describe, expect, test } from "vitest";
import {
  MISBEHAVIOURS,
  type MisbehavingServerOptions,
  type Misbehaviour,
  type MisbehaviourName,
  type Recorded,
  type ServerReply,
  type TrialEnd,
} from "../../src/testing/index.ts";
import {
  API_KEY,
  noted,
  ofKind,
  runAgainst,
  said,
  TEXT,
  type TrialClock,
  type TrialRun,
  trialClock,
  WIRES,
  type Wire,
} from "./trial.ts";

/** Every entry of the table, as the table says it: once in an honest run, and without end. */
const ENTRIES: readonly Named[] = MISBEHAVIOURS;

for (const wire of WIRES) {
  describe.concurrent(`mode ${wire.mode}, ${wire.stream ? "streamed" : "plain"}`, () => {
    for (const entry of ENTRIES) {
      const { name, scope, expected } = entry;
      if (!scope.modes.includes(wire.mode) || !scope.streaming.includes(wire.stream)) continue;

      test(`${name}, once`, async () => {
        const clock = trialClock();
        const trial = await runAgainst(onceScript(entry, wire, clock), wire, { clock });
        checkEnd(trial, expected.once);
        checkRecorded(trial, recordedIn(entry, wire));
        checkNothingLeaks(trial);
        if (!trial.effects.includes(TEXT.bent)) checkNotEchoed(trial);
        if (expected.once.failed !== null && trial.outcome.ending === "answered") checkSmaller(trial);
        if (name === "too_many_requests") expect(clock.pauses).toEqual([1_000]);
      });

      test(`${name}, without end`, async () => {
        const clock = trialClock();
        const trial = await runAgainst(alwaysScript(entry, wire, clock), wire, { clock });
        checkEnd(trial, expected.always);
        checkNothingLeaks(trial);
        const truncated = ofKind(trial.events, "replied").map((event) => event.truncated);
        expect(truncated.includes(name !== "prompt_truncated")).toBe(false);
        if (trial.effects.length === 0) {
          const replies = ofKind(trial.events, "replied").filter(({ reply }) => reply !== null);
          expect(replies).toEqual([]);
        }
      });
    }
  });
}

type Named = Misbehaviour & { readonly name: MisbehaviourName };

function onceScript(entry: Named, wire: Wire, clock: TrialClock): MisbehavingServerOptions {
  const { name, reach } = entry;
  const before = noted(TEXT.before, wire);
  const bent = noted(TEXT.bent, wire);
  const rest = [noted(TEXT.after, wire), said("done", wire)];
  if (reach === "server") return { replies: [before, bent, ...rest], always: name };
  return { replies: [before, () => expiring(entry, { misbehaviour: name, reply: bent }, clock), ...rest] };
}

function alwaysScript(entry: Named, wire: Wire, clock: TrialClock): MisbehavingServerOptions {
  function* forEver(): Generator<ServerReply> {
    for (;;) yield () => expiring(entry, noted(TEXT.bent, wire), clock);
  }
  return { replies: forEver(), always: entry.name };
}

/** The line; where only the deadline ends the call, that passes a while after the line was asked for. */
function expiring<Line>({ expected }: Misbehaviour, line: Line, clock: TrialClock): Line {
  if (expected.once.failed === "timeout") setTimeout(() => clock.expire(), 50);
  return line;
}

function recordedIn({ expected }: Misbehaviour, { mode }: Wire): Recorded {
  return (mode === "tools" ? expected.recordedInTools : undefined) ?? expected.recorded;
}

function checkEnd({ outcome, events, effects, server }: TrialRun, expected: TrialEnd): void {
  expect({
    ending: outcome.ending,
    effects,
    requests: server.requests.length,
    failed: ofKind(events, "model_failed").at(-1)?.code ?? null,
  }).toEqual({ ...expected, effects: expected.effects.map((proposal) => TEXT[proposal]) });
}

function checkRecorded({ events, outcome }: TrialRun, recorded: Recorded): void {
  const bent = ofKind(events, "replied")[1];
  const { schema, tools, repairs = [], ...facts } = recorded;
  if (schema !== undefined) expect(ofKind(events, "probed")[0]?.schema).toBe(schema);
  if (tools !== undefined) expect(ofKind(events, "probed")[0]?.tools).toBe(tools);
  if (bent === undefined) {
    expect(outcome.ending).toBe("model_unreachable");
    return;
  }
  expect(bent.repair?.names ?? []).toEqual(repairs);
  expect({
    ...(facts.why === undefined ? {} : { why: bent.why?.code }),
    ...(facts.attempts === undefined ? {} : { attempts: bent.attempts }),
    ...(facts.notRun === undefined ? {} : { notRun: bent.notRun.length }),
    ...(facts.finish === undefined ? {} : { finish: bent.finish }),
  }).toEqual(facts);
}

/** The key stands in no event and no outcome, and goes nowhere but into the header. */
function checkNothingLeaks({ outcome, events, server, shown }: TrialRun): void {
  expect(JSON.stringify([outcome, events, shown]).includes(API_KEY)).toBe(false);
  for (const { text, headers } of server.requests) {
    expect(text.includes(API_KEY)).toBe(false);
    expect(headers.authorization).toBe(`Bearer ${API_KEY}`);
  }
}

/** What could not be read goes into no later request, in whole or in part. */
function checkNotEchoed({ server }: TrialRun): void {
  for (const { text } of server.requests) expect(text.includes(TEXT.bent.slice(0, 4))).toBe(false);
}

function checkSmaller({ server }: TrialRun): void {
  const [, failed, again] = server.requests.map(({ text }) => text.length);
  expect(again).toBeLessThan(failed ?? 0);
}
