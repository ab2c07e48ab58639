import assert from "node:assert/strict";
import type { GuideEvent } from "../../src/domain/guide-event.ts";
import type { Condition } from "../../src/domain/rule.ts";
import type { RoutedRule, Served, ServedRule } from "../../src/domain/served.ts";
import { action, drive, endingOf, type Loop, loopTool, type Perform, rulesOf } from "./drive.ts";

/**
 * What channel B and the watchdog promise (design 5.3), as checks over the loop's door: the laws run them against the real
 * loop, the twins against copies with a planted fault.
 */
const tools = rulesOf(loopTool("look"), loopTool("tap"), loopTool("enter_code"), loopTool("read"));
const LOCKED: GuideEvent = { name: "screen", facts: { screen: "lock" } };
const HOME: GuideEvent = { name: "screen", facts: { screen: "home" } };
const TEXT = "If the device shows its lock screen, stop. Ünïcode 鍵.";
const RULE = { id: "lock-screen", revision: "a".repeat(64), bytes: 60, safety: true, breach: null, escalate: null };

export function condition(
  facts: { readonly [name: string]: string | number },
  more: Partial<Condition> = {},
): Condition {
  const listed = Object.entries(facts).map(([name, value]) => ({ name, anyOf: [value] }));
  return { event: null, tool: null, facts: listed, ...more };
}

export function routed(more: Partial<RoutedRule> = {}): RoutedRule {
  return { ...RULE, when: condition({ screen: "lock" }), text: TEXT, ...more };
}

export function kept(more: Partial<ServedRule> = {}): ServedRule {
  return { ...RULE, id: "no-codes", ...more };
}

export function served(
  rules: { kept?: readonly ServedRule[]; routed?: readonly RoutedRule[] },
  more: Partial<Served> = {},
): Served {
  const report = {
    given: 1,
    unselected: 0,
    selected: 1,
    kept: [],
    dropped: [],
    assumed: [],
    bytes: 0,
    budgetBytes: 2_048,
  };
  return {
    plan: "f".repeat(64),
    profileDigest: "e".repeat(64),
    chain: null,
    app: null,
    paths: [],
    slot: "system_end",
    text: "",
    report: { ...report, routed: [], profile: "default", measured: "unmeasured", ...rules },
    withheld: [],
    ...more,
  };
}

/** A step of `look` sees what is given, one after the other; the other tools see nothing. */
function seeing(...seen: readonly (readonly GuideEvent[])[]): Perform {
  let looks = 0;
  return ({ tool }) => ({
    outcome: "done",
    result: { n: looks },
    events: tool === "look" ? (seen[looks++] ?? []) : [],
  });
}

const looks = [0, 1, 2, 3].map((n) => action("look", { n }));

/** Injected once, when the event first comes, and before the model is asked again; then it stays. */
export function taughtOnce(loop: Loop): void {
  const guides = served({ routed: [routed()] });
  const system = loop.systemText(tools);
  const texts: string[] = [];
  const { run, events } = drive(loop, tools, looks, {
    began: { guides },
    perform: seeing([HOME], [LOCKED], [LOCKED], []),
    before: (at) => {
      if (at.command?.kind !== "ask_model") return;
      const built = loop.buildPrompt(at, system, { kind: "turn" });
      assert.ok(built.ok);
      texts.push(built.prompt.user);
    },
  });
  const injected = events.filter(({ kind }) => kind === "injected");
  assert.deepEqual(
    injected.map((event) => ({ ...event, at: 0 })),
    [{ kind: "injected", at: 0, step: 2, rules: ["lock-screen"] }],
  );
  assert.deepEqual(run.taught, ["lock-screen"]);
  assert.deepEqual(
    texts.map((text) => text.split(TEXT).length - 1),
    [0, 0, 1, 1, 1],
    "not before its event, and from then on once in every prompt",
  );
}

/** A rule that nothing has called for is not in the prompt, and its bytes are kept free all the same. */
export function roomIsReserved(loop: Loop): void {
  const long = "长".repeat(3_000);
  const plain = drive(loop, tools, looks, { began: { guides: served({}) } }).run;
  const waiting = drive(loop, tools, looks, { began: { guides: served({ routed: [routed({ text: long })] }) } }).run;
  const taught = drive(loop, tools, looks, {
    began: { guides: served({ routed: [routed({ text: long })] }) },
    perform: seeing([LOCKED]),
  }).run;
  const system = loop.systemText(tools);
  /** The fewest bytes that a prompt can be built in. */
  const least = (run: typeof plain): number => {
    let [low, high] = [0, 60_000];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (loop.buildPrompt(run, system, { kind: "turn" }, middle).ok) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const head = "RULES THAT APPLY NOW\n".length + 2;
  assert.equal(least(waiting) - least(plain), 9_000 + head, "all of channel B is reserved before anything happens");
  assert.equal(least(taught), least(waiting), "so what is injected takes no room that was not there");
  const built = loop.buildPrompt(waiting, system, { kind: "turn" });
  assert.ok(built.ok && !built.prompt.user.includes(long));
}

/** The watchdog acts on a breach only after the rule was taught: by a proposal that is never performed where it ends the run. */
export function teachingFirst(loop: Loop): void {
  const breach = condition({}, { tool: "enter_code" });
  const guides = served({ routed: [routed({ breach, escalate: "end" })] });
  const codes = [0, 1].map((n) => action("enter_code", { n }));
  const before = drive(loop, tools, [...codes, action("look")], { began: { guides }, perform: seeing([LOCKED]) });
  assert.deepEqual(before.run.breaches, [], "what was not taught cannot be broken");
  assert.equal(before.performed.length, 3);
  const [first, second] = codes;
  assert.ok(first !== undefined && second !== undefined);
  const after = drive(loop, tools, [first, action("look"), second], { began: { guides }, perform: seeing([LOCKED]) });
  assert.equal(endingOf(after.run), "watchdog");
  assert.deepEqual(after.performed, ['enter_code {"n":0}', "look {}"], "the breaking step is not performed");
  assert.deepEqual(after.run.breaches, [{ rule: "lock-screen", step: 3, by: "enter_code", escalate: "end" }]);
}

/** One event both teaches a rule and would break it: teaching comes first, and the next such event breaks it. */
export function eventsBreak(loop: Loop): void {
  const breach = condition({ screen: "lock" });
  const warned = drive(loop, tools, looks, {
    began: { guides: served({ routed: [routed({ breach, escalate: "warn" })] }) },
    perform: seeing([LOCKED], [LOCKED], [HOME], [LOCKED]),
  });
  assert.deepEqual(
    warned.run.breaches.map(({ step, by, escalate }) => [step, by, escalate]),
    [
      [2, "screen", "warn"],
      [4, "screen", "warn"],
    ],
  );
  assert.equal(endingOf(warned.run), null, "a warning ends nothing");
  const built = loop.buildPrompt(warned.run, loop.systemText(tools), { kind: "turn" });
  assert.ok(built.ok);
  // No prompt has a rule's name: what it says is how the model knows which one it broke.
  const line = `rule lock-screen was broken by screen. The rule says: ${TEXT}`;
  assert.equal(built.prompt.user.split(line).length - 1, 2, "the model is told");
  assert.match(built.prompt.user, /NEWEST RESULT, of look/, "and its newest result is still whole");
  const { history, newest } = { history: linesOf(warned.run), newest: built.prompt.user.indexOf("NEWEST RESULT") };
  assert.deepEqual(
    history,
    ["look", "look", line, "look"],
    "each stands behind the result whose events broke the rule",
  );
  assert.ok(built.prompt.user.lastIndexOf(line) > newest, "and so it does where that is the newest");
  const ended = drive(loop, tools, looks, {
    began: { guides: served({ routed: [routed({ breach, escalate: "end" })] }) },
    perform: seeing([LOCKED], [LOCKED]),
  });
  assert.equal(endingOf(ended.run), "watchdog");
  assert.equal(ended.performed.length, 2);
}

/** A rule in the text is taught from the start; params are compared by value, and other tools and params are no breach. */
export function textIsTaught(loop: Loop): void {
  const breach = condition({ button: "erase" }, { tool: "tap" });
  const guides = served({ kept: [kept({ breach, escalate: "end" })] }, { text: "Never tap erase." });
  const { run, performed } = drive(
    loop,
    tools,
    [action("tap", { button: "ok" }), action("read", { button: "erase" }), action("tap", { button: "erase" })],
    { began: { guides } },
  );
  assert.equal(endingOf(run), "watchdog");
  assert.deepEqual(performed, ['tap {"button":"ok"}', 'read {"button":"erase"}']);
}

/** A plan that was made before a rule applied does not go on past it: what is left of it was proposed by one who had not been told. */
export function teachingStopsPlans(loop: Loop): void {
  const breach = condition({}, { tool: "enter_code" });
  const guides = served({ routed: [routed({ breach, escalate: "end" })] });
  const step = (actor: string, n: number) => ({ actor, description: "", params: { n }, evidence: [] });
  const local = rulesOf(...["look", "enter_code"].map((name) => loopTool(name, { local: true })));
  const plan = { kind: "plan" as const, steps: [step("look", 0), step("enter_code", 1), step("enter_code", 2)] };
  const { run, events, performed } = drive(loop, local, [plan], { began: { guides }, perform: seeing([LOCKED]) });
  assert.deepEqual(performed, ['look {"n":0}'], "the rest of the plan is not performed");
  assert.deepEqual(run.breaches, [], "and it is no breach, since no prompt had the rule yet");
  assert.equal(run.command?.kind, "ask_model");
  assert.equal(events.filter(({ kind }) => kind === "injected").length, 1);
  const built = loop.buildPrompt(run, loop.systemText(local), { kind: "turn" });
  assert.ok(built.ok);
  assert.match(built.prompt.user, /the plan stopped, since a rule applies now: 2 steps not performed/);
  assert.ok(built.prompt.user.includes(TEXT));
}

/** Told of a breach by a proposal: behind the step before it, and within the bytes of a line. */
export function breachIsTold(loop: Loop): void {
  const line = breachLineOf(loop, "never", { text: "Never tap. Ünïcode." });
  assert.equal(line, "rule never was broken by tap. The rule says: Never tap. Ünïcode.");
  const long = breachLineOf(loop, "never".repeat(60), { text: "Never tap." });
  assert.ok(new TextEncoder().encode(long).length <= 240, "it is a line like every other");
}

/** What is repeated of a rule is all of it as it stands, or nothing: a part may say something else than the whole. */
export function breachRepeatsWhole(loop: Loop): void {
  // With the words before it the first takes 240 bytes, as many as a line has.
  const fits = `Never tap. ${"x".repeat(184)}`;
  const told = (text: string) => breachLineOf(loop, "never", { text });
  assert.equal(told(fits), `rule never was broken by tap. The rule says: ${fits}`);
  const pointed = "rule never was broken by tap. It stands under RULES, number 2 of 2";
  for (const text of [
    `${fits}x`,
    `Tap. ${"x".repeat(300)} But never here.`,
    "Tap.\nBut never here.",
    "Tap.\tNever here.",
  ]) {
    assert.equal(told(text), pointed);
  }
  const channel = { text: `Tap. ${"x".repeat(300)} But never here.`, waits: true };
  assert.equal(
    breachLineOf(loop, "never", channel),
    "rule never was broken by tap. It stands under RULES THAT APPLY NOW",
  );
}

/** The line that a model is told of a rule that its `tap` broke. */
function breachLineOf(loop: Loop, id: string, { text, waits = false }: { text: string; waits?: boolean }): string {
  const rule = { id, breach: condition({}, { tool: "tap" }), escalate: "warn" as const };
  const bytes = new TextEncoder().encode(text).length;
  const first = kept({ id: "first", bytes: 9 });
  const guides = waits
    ? served({ kept: [first], routed: [routed({ ...rule, text })] }, { text: "Be brief." })
    : served({ kept: [first, kept({ ...rule, bytes })] }, { text: `Be brief.\n\n${text}` });
  const steps = [action("look"), action("tap"), action("read")];
  const { run } = drive(loop, tools, steps, { began: { guides }, perform: seeing([LOCKED]) });
  const lines = linesOf(run);
  assert.deepEqual([lines[0], lines[2]], ["look", "tap"], "the step before it, what it broke, and then its own result");
  return lines[1] ?? "";
}

/** However many rules one event breaks, the newest result stays whole, and the prompt within its bound. */
export function breachesAreBounded(loop: Loop): void {
  const breach = condition({ screen: "lock" });
  const ids = Array.from({ length: 200 }, (_, i) => `${"long-".repeat(10)}${i}`);
  const guides = served({ kept: ids.map((id) => kept({ id, breach, escalate: "warn" })) });
  const result = "x".repeat(2_000);
  const { run } = drive(loop, tools, [action("look")], {
    began: { guides },
    perform: () => ({ outcome: "done", result, events: [LOCKED] }),
  });
  assert.equal(run.breaches.length, 200);
  const built = loop.buildPrompt(run, loop.systemText(tools), { kind: "turn" }, 6_000);
  assert.ok(built.ok && built.prompt.bytes <= 6_000);
  assert.ok(built.prompt.user.includes(result), "the newest result is not cut for them");
  assert.match(built.prompt.user, /rule [long-]+199 was broken by screen/);
  assert.match(built.prompt.cut.join(), /^\d+ line\(s\) since the newest result$/);
}

/** The lines of the history, those of results by their tool. */
function linesOf({ history }: { readonly history: { readonly text: string } | null }): readonly string[] {
  const lines = (history?.text ?? "").split("\n").map((line) => line.replace(/^> /, ""));
  return lines.map((line) => /^(look|tap|read)\b/.exec(line)?.[1] ?? line);
}

export const TEACHING_CHECKS = {
  breachIsTold,
  breachRepeatsWhole,
  breachesAreBounded,
  taughtOnce,
  teachingStopsPlans,
  roomIsReserved,
  teachingFirst,
  eventsBreak,
  textIsTaught,
};
