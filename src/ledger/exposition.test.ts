import { expect, test } from "vitest";
import { METRIC_DIMENSIONS, prometheusText } from "./exposition.ts";
import { beginTally, countDecision, type DecisionFact, finishTally, type Tallied } from "./tally.ts";

/** A reader of the format as its document says it, which takes nothing else: lines that end in \n, HELP and TYPE before samples. */
function parsed(
  text: string,
): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] {
  expect(text.endsWith("\n")).toBe(true);
  const [help = "", type = "", ...lines] = text.slice(0, -1).split("\n");
  const name = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\\n]|\\\\|\\n)*$/.exec(help)?.[1] ?? "no help";
  expect(type).toBe(`# TYPE ${name} counter`);
  expect(name.endsWith("_total")).toBe(true);
  return lines.map((line) => {
    const [, found = "", inside = "", value = ""] =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:[^"\\]|"(?:[^"\\\n]|\\\\|\\"|\\n)*")*)\} ([0-9]+)$/.exec(line) ?? [];
    expect(found, line).toBe(name);
    const pairs = [...inside.matchAll(/(?:^|,)([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"/g)];
    expect(pairs.map((pair) => pair[0]).join("")).toBe(inside);
    const labels = pairs.map(([, label = "", text = ""]) => [
      label,
      text.replace(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one)),
    ]);
    expect(new Set(labels.map(([label]) => label)).size).toBe(labels.length);
    return { labels: Object.fromEntries(labels), value: Number(value) };
  });
}

const fact: DecisionFact = {
  at: 1,
  tool: "refund",
  outcome: "deny",
  rail: "action",
  code: "exceeds_paid",
  rule: "refund.authorise",
  plan: null,
  told: null,
  promptVersion: "0123456789abcdef0123",
  policyVersion: "v",
  model: "qwen3:8b",
};

function tallied(facts: readonly DecisionFact[], groupsMax = 100): Tallied {
  const outcomes = ["deny", "stage", "permit"] as const;
  const tally = beginTally({ since: 0, until: 10, by: METRIC_DIMENSIONS, outcomes, bucket: null, groupsMax });
  for (const one of facts) countDecision(tally, one);
  return finishTally(tally);
}

test("[metric-export] a counter by tool, rail, code, rule, outcome, model and the beginning of the prompt version", () => {
  const permit: DecisionFact = { ...fact, outcome: "permit", rail: null, code: null };
  expect(prometheusText(tallied([fact, fact, permit]))).toBe(
    [
      "# HELP signalbox_decisions_total Proposals that were decided, by what became of them.",
      "# TYPE signalbox_decisions_total counter",
      'signalbox_decisions_total{outcome="deny",tool="refund",rail="action",code="exceeds_paid",rule="refund.authorise",model="qwen3:8b",prompt="0123456789ab"} 2',
      'signalbox_decisions_total{outcome="permit",tool="refund",rail="",code="",rule="refund.authorise",model="qwen3:8b",prompt="0123456789ab"} 1',
      "",
    ].join("\n"),
  );
});

test("[metric-export] whatever a label holds, a reader gets it back", () => {
  const names = ['a"b', "back\\slash", "two\nlines", '\\"', "\\n", 'x",code="y', "}", "ünïcode 😀", " ", "\r\t", ""];
  const read = parsed(prometheusText(tallied(names.map((model) => ({ ...fact, model })))));
  expect(read.map(({ labels }) => labels.model).sort()).toEqual([...names].sort());
  expect(read.every(({ value }) => value === 1)).toBe(true);
});

test("versions that begin alike are one series, never two of the same labels", () => {
  const facts = [fact, { ...fact, promptVersion: "0123456789abff" }];
  expect(parsed(prometheusText(tallied(facts))).map(({ value }) => value)).toEqual([2]);
});

test("what went beyond the groups is a series of its own, so that the sum is all that was decided", () => {
  const facts = Array.from({ length: 5 }, (_, i) => ({ ...fact, code: `c${i}` }));
  const read = parsed(prometheusText(tallied(facts, 3)));
  expect(read.reduce((sum, { value }) => sum + value, 0)).toBe(5);
  expect(read.find(({ labels }) => labels.code === "(other)")).toMatchObject({
    value: 2,
    labels: { outcome: "deny", tool: "(other)", model: "(other)" },
  });
});

test("an empty ledger has the counter and no series", () => {
  expect(parsed(prometheusText(tallied([])))).toEqual([]);
});
