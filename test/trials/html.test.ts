import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TrialReport } from "../../src/domain/trial-run.ts";
import * as trials from "../../src/trials/index.ts";
import { controlled, resultsOf, trialDesign } from "../checks/trial-results.ts";

function reportOf(over: Partial<TrialReport> = {}): TrialReport {
  const hits: { readonly [arm: string]: number } = { 0: 38, 10: 37, 25: 30, 50: 16, 100: 2 };
  const results = resultsOf(trials, trialDesign(), 40, (run) =>
    controlled(run, ({ arm, pair }) => {
      const outcome = pair < (hits[arm.split("-")[0] ?? ""] ?? 0) ? "obeyed" : pair === 39 ? "abstained" : "broken";
      return { outcome, safety: pair % 5 === 0 ? null : 100 - pair };
    }),
  );
  const report = trials.reportTrial(results);
  if (report.kind === "refusal") throw new Error(report.detail);
  return { ...report, ...over };
}

const PAGE = trials.trialHtml(reportOf());

/** Every element of a page that was written by a machine: its name and its attributes, and the text outside of elements. */
function elementsIn(
  page: string,
): readonly { readonly name: string; readonly attributes: readonly (readonly [string, string])[] }[] {
  return [...page.matchAll(/<(\/?[a-zA-Z!][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, name = "", rest = ""]) => ({
      name,
      attributes: [...rest.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(
        ([, key = "", value = ""]) => [key, value] as const,
      ),
    }),
  );
}

const ELEMENTS =
  "html head meta title style body main header p h1 h2 section figure figcaption svg desc line text circle g div table thead tbody tr th td dl dt dd ul li footer".split(
    " ",
  );
const ATTRIBUTES =
  "html lang charset http-equiv content name class viewBox role aria-labelledby id x y x1 y1 x2 y2 cx cy r text-anchor scope".split(
    " ",
  );

describe("the page", () => {
  test("[trial-page] asks nothing of anybody: no script, no request, no style but its own", () => {
    for (const { name, attributes } of elementsIn(PAGE)) {
      expect([...ELEMENTS, "!doctype"], name).toContain(
        name.replace("/", "").toLowerCase() === "svg" ? "svg" : name.replace("/", ""),
      );
      for (const [key] of attributes) expect(ATTRIBUTES, `${key} of ${name}`).toContain(key);
    }
    expect(PAGE).not.toMatch(/https?:|\/\/|url\(|@import|javascript:|data:| on[a-z]+=| style=| src=| href=/i);
  });

  test("its policy lets its own style through, and nothing else", () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(PAGE)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(PAGE)?.[1];
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
  });

  test("every element is closed in its order", () => {
    const open: string[] = [];
    for (const [tag, name = ""] of PAGE.matchAll(/<(\/?[a-zA-Z][a-zA-Z0-9]*)[^>]*>/g)) {
      if (["meta"].includes(name) || tag.endsWith("/>")) continue;
      if (name.startsWith("/")) expect(open.pop()).toBe(name.slice(1));
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  test("says the figures, the verdict and what has to be known beside them", () => {
    const text = PAGE.replace(/<style>[\s\S]*?<\/style>/, "")
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ");
    for (const said of [
      "Trial of one rule, volume varied",
      "Supported: 0-neighbours over 50-neighbours and 100-neighbours; 10-neighbours over",
      "not supported: the intervals overlap",
      "It works. In 10 pairs the rule alone was followed in 10 of 10 runs (72 to 100 %)",
      "an ordering is supported with 80 % power from 38 complete pairs",
      "1 of 40 runs had no opportunity (0 to 13 %) and count in no rate",
      "the lowest and the mean of the runs",
    ]) {
      expect(text, said).toContain(said);
    }
    // Each arm has its interval in both drawings, and in words beside it.
    expect(PAGE.match(/class="span"/g)).toHaveLength(14);
    expect(PAGE).toContain("5 %, 1 to 17 %");
  });

  test("on a narrow page a drawing that fits it stands for the wide one, with every mark in it", () => {
    const [, narrow = ""] = PAGE.match(/<svg[\s\S]*?<\/svg>/g) ?? [];
    expect(narrow).toMatch(/^<svg class="above" viewBox="0 0 360 /);
    expect(narrow.match(/class="span"/g)).toHaveLength(7);
    expect(narrow.match(/class="rate"/g)).toHaveLength(7);
    for (const [, x] of narrow.matchAll(/ c?x[12]?="([\d.]+)"/g)) expect(Number(x)).toBeLessThanOrEqual(360);
    // Nothing holds a drawing wider than its page, and one of the two is shown.
    expect(PAGE).not.toMatch(/svg[^{}]*\{[^}]*min-width/);
    expect(PAGE).toContain("svg.above { display: none; }");
    expect(PAGE).toMatch(/max-width: 40rem\) \{ svg\.beside \{ display: none; \} svg\.above \{ display: block; \} \}/);
    // And each id is there once.
    const ids = [...PAGE.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</title></style></svg><script>alert(1)</script>",
  "<!-- --> <![CDATA[ ]]> &lt;b&gt; &#x3c;b&#x3e;",
  "`$" + "{alert(1)}` {{x}} <%= x %>",
  "javascript:alert(1)",
  "a\u202egnp.exe\u0000\u0007\u200b\ud800",
];

describe("every text in it is a text", () => {
  test.each(HOSTILE)("[trial-page] %j", (text) => {
    const clean = reportOf();
    const [arm] = clean.arms;
    const [comparison] = clean.comparisons;
    if (arm === undefined || comparison === undefined) throw new Error("the report has arms");
    const hostile = trials.trialHtml({
      ...clean,
      name: text,
      profile: text,
      rule: { id: text, revision: text },
      conditions: { trial: text, model: text, profile: text, setting: { [text]: text } },
      arms: [{ ...arm, arm: text }, ...clean.arms.slice(1)],
      comparisons: [{ ...comparison, first: text, second: text, higher: text }, ...clean.comparisons.slice(1)],
      notes: [text, ...clean.notes],
      control: { ...clean.control, alone: { ...clean.control.alone, arm: text } },
    });
    // The same elements with the same attributes as with harmless texts: none more, none less.
    const harmless = trials.trialHtml({
      ...clean,
      comparisons: [{ ...comparison, higher: comparison.first }, ...clean.comparisons.slice(1)],
      notes: ["a", ...clean.notes],
    });
    const shape = (page: string) =>
      elementsIn(page.replaceAll(/aria-labelledby="[^"]*"/g, "")).map(
        ({ name, attributes }) => `${name} ${attributes.map(([key]) => key)}`,
      );
    expect(shape(hostile)).toEqual(shape(harmless));
    for (const mark of [
      "<script",
      "<img",
      "onerror=",
      "onmouseover=",
      "</svg><",
      "\u202e",
      "\u0000",
      "\u0007",
      "\u200b",
    ]) {
      expect(hostile.includes(mark), mark).toBe(false);
    }
    expect(hostile.isWellFormed()).toBe(true);
  });
});

test("an arm without a rate has its interval and no dot", () => {
  const clean = reportOf();
  const [arm] = clean.arms;
  if (arm === undefined) throw new Error("the report has arms");
  const page = trials.trialHtml({
    ...clean,
    arms: [
      {
        ...arm,
        rate: null,
        interval: { low: 0, high: 1 },
        safety: { scored: 0, abstained: 3, lowest: null, mean: null },
      },
    ],
  });
  expect(page.match(/class="rate"/g)).toHaveLength(4);
  expect(page).toContain("none, 0 to 100 %");
  expect(page).toContain("no action");
});
