/** The laws of the score: docs/score-1.md. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Guide } from "../../src/domain/guide.ts";
import { judge } from "../../src/guides/ground/judge.ts";
import { explain, type Grounded, gate, ground, groundGuide, groundIndex, readPairs } from "../../src/guides/index.ts";
import { indexOf, mapOf, type Row } from "../ground-map.ts";
import { seed } from "../seed.ts";

const WORDS = [
  ...[
    "save",
    "as",
    "all",
    "open",
    "the",
    "settings",
    "sign",
    "in",
    "out",
    "up",
    "delete",
    "contact",
    "Bob",
    "next",
    "to",
    "5",
    "10",
  ],
  ...[
    "minutes",
    "font",
    "size",
    "change",
    "click",
    "button",
    "icon",
    "menu",
    "beside",
    "stars",
    "and",
    "then",
    "取消",
    "点击取消",
    "café",
  ],
  ...[
    "+",
    "$",
    "[0]",
    "(1)",
    ".*",
    "♥",
    "'quoted'",
    '"Save as"',
    "from",
    "type",
    "into",
    "email",
    "field",
    "by",
    "first",
    "downlaod",
  ],
];
const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }).map((words) => words.join(" "));
const anyText = fc.oneof(
  phrase,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
const row: fc.Arbitrary<Row> = fc.record({
  text: fc.oneof(phrase, fc.constant(""), anyText),
  desc: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: phrase }),
  childText: fc.array(phrase, { maxLength: 2 }),
  resourceId: fc.constantFrom("", "app:id/saveButton", "x[1]"),
  role: fc.constantFrom("button", "textbox", "checkbox", "TextView", "generic", "Image"),
  clickable: fc.boolean(),
  disabled: fc.boolean(),
});
const rows = fc.array(row, { maxLength: 12 });
const numbered = (all: readonly Row[]): readonly Row[] =>
  all.map((one, i) => (typeof one === "string" ? one : { ...one, id: `c${i}` }));
/** Everything but the digest, which is of the map as it is. */
const said = ({ map: _, ...rest }: Grounded) => rest;

describe("[ground-score]", () => {
  test("[ground-score] the order of the controls in the map changes nothing", () => {
    const shuffled = rows
      .map(numbered)
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, anyText, ([one, other], intent) => {
        expect(said(ground(indexOf(other), intent))).toEqual(said(ground(indexOf(one), intent)));
      }),
      { seed, numRuns: 1_000 },
    );
  });

  test("[ground-score] the same text is the same, composed or decomposed, with hidden characters or without", () => {
    const veiled = (text: string): string => text.replace(/(?<=\p{L})(?=\p{L})/gu, "\u200b");
    fc.assert(
      fc.property(rows, phrase, (all, intent) => {
        const [index, { intent: _, ...plain }] = [indexOf(all), ground(indexOf(all), intent)];
        for (const spelt of [
          intent.normalize("NFD"),
          intent.normalize("NFC"),
          veiled(intent),
          `  ${intent}\n`,
          `\u202e${intent}\u202c`,
        ]) {
          const { intent: __, ...other } = ground(index, spelt);
          expect(other).toEqual(plain);
        }
        const decomposed = all.map((one) =>
          typeof one === "string" ? one : { ...one, text: (one.text ?? "").normalize("NFD") },
        );
        const { bound, score } = ground(indexOf(decomposed), intent);
        expect({ bound, score }).toEqual({ bound: plain.bound, score: plain.score });
      }),
      { seed, numRuns: 500 },
    );
  });

  test("[ground-score] no text throws, whatever is in it; what is bound is in the map, and only without ambiguity", () => {
    fc.assert(
      fc.property(rows, anyText, fc.option(anyText), (all, intent, screen) => {
        const index = indexOf(all);
        const { bound, score, nearest, findings } = ground(index, intent, { screen });
        explain(index, intent);
        readPairs(intent);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(nearest.length).toBeLessThanOrEqual(3);
        const blocking = findings
          .map(({ rule }) => rule)
          .filter((rule) => ["unbound", "ambiguous", "deictic", "no_words"].includes(rule));
        // Something is bound, or there is one reason why not.
        expect(blocking.length).toBe(bound === null ? 1 : 0);
        for (const id of [bound, ...nearest.map((near) => near.id), ...findings.flatMap(({ controls }) => controls)]) {
          if (id !== null) expect(index.byId.has(id)).toBe(true);
        }
        if (bound !== null) expect(score).toBeGreaterThanOrEqual(0.52);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test("[ground-score] no character of a pattern means anything: a name of them is meant by itself, in quotation marks", () => {
    const spelt = fc.array(fc.constantFrom("a", "b1", "+", "[", "]", "(", ")", "$", ".", "*", "^", "|", "\\", " "), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(spelt, (parts) => {
        const name = parts.join("");
        fc.pre(/[^\s.,:;!?'"()[\]{}/\\|`_-]/.test(name));
        expect(ground(indexOf([name, "Something else", "abc"]), `click "${name}"`).bound).toBe("c0");
      }),
      { seed, numRuns: 500 },
    );
  });

  test("[ground-score] it is the same every time", () => {
    fc.assert(
      fc.property(rows, anyText, (all, intent) => {
        const index = indexOf(all);
        ground(index, "something in between");
        expect(ground(index, intent)).toEqual(ground(indexOf(all), intent));
      }),
      { seed, numRuns: 200 },
    );
  });

  test("[ground-score] the work is in proportion to the controls, and so is the index", () => {
    const kinds = Array.from({ length: 40 }, (_, i) => `Word${String.fromCharCode(97 + (i % 26))}${i} setting`);
    const of = (count: number) => indexOf(Array.from({ length: count }, (_, i) => `${kinds[i % kinds.length]} ${i}`));
    const work = (count: number) => {
      const index = of(count);
      const held = [...index.postings.values()].reduce((sum, list) => sum + list.length, 0);
      return { looked: ground(index, "open the Wordb1 setting").looked, held, entries: index.entries.length };
    };
    const [one, two, four] = [work(500), work(1_000), work(2_000)];
    expect([two.looked, four.looked]).toEqual([2 * one.looked, 4 * one.looked]);
    // Each word, and each two that may be one.
    for (const { held, entries } of [one, two, four]) expect(held).toBeLessThan(10 * entries);
    expect(ground(of(2_000), "rotate a picture").looked).toBe(0);
  });

  test("[ground-score] the work is in proportion to the words of an intent, whatever is repeated in it, and to the controls", () => {
    const said: Readonly<Record<string, (count: number) => string>> = {
      "a word": (count) => Array(count).fill("alpha").join(" "),
      "a clause of one word": (count) => Array(count).fill("alpha").join(", "),
      "a quotation": (count) => Array(count).fill('"alpha"').join(" "),
      "a clause": (count) =>
        Array(Math.floor(count / 4))
          .fill("click the alpha row")
          .join(", "),
      "a joined word": (count) => Array(count).fill("al-pha").join(" "),
      "what stands behind a preposition": (count) =>
        `describe it ${Array(Math.floor(count / 2))
          .fill("of alpha")
          .join(" ")}`,
      "other words": (count) => Array.from({ length: count }, (_, i) => `alpha${"x".repeat(i % 9)}`).join(" "),
      mistypings: (count) => Array.from({ length: count }, (_, i) => `alpha${"abcdefgh".charAt(i % 8)}bet`).join(" "),
    };
    const names: Readonly<Record<string, (i: number) => string>> = {
      "long names": (i) => `${Array(120).fill("alpha alphabet").join(" ")} ${i}`,
      "short names": (i) => `alpha alphabet ${i}`,
    };
    const of = (name: (i: number) => string, count: number) =>
      indexOf(Array.from({ length: count }, (_, i) => name(i)));
    for (const [what, name] of Object.entries(names)) {
      const [few, many] = [of(name, 10), of(name, 40)];
      for (const [repeated, intent] of Object.entries(said)) {
        const steps = [16, 32, 64, 128].map((count) => judge(few, intent(count)).steps);
        for (const [i, more] of steps.slice(1).entries()) {
          expect(more, `${what}, ${repeated}: ${steps}`).toBeLessThanOrEqual(2.2 * (steps[i] ?? 0));
        }
        const wide = judge(many, intent(64)).steps;
        expect(wide, `${what}, ${repeated}`).toBeLessThanOrEqual(4.2 * (steps[2] ?? 0));
      }
    }
  });

  test("[ground-score] controls that nothing tells apart are looked at once", () => {
    const bar = ["Home", "Search", "Profile"];
    const index = indexOf(Array.from({ length: 300 }, (_, i) => ({ text: bar[i % 3] ?? "", screen: `s${i}` })));
    const { looked, findings } = ground(index, "open search");
    expect(looked).toBe(1);
    expect(findings[0]?.controls.length).toBe(100);
  });
});

test("[ground-absent] whatever id a step makes up, a guide with it is not served, and the id is in the finding", () => {
  fc.assert(
    fc.property(rows, anyText, (all, control) => {
      const index = groundIndex(mapOf(numbered([...all, "Save"])), (text) => text);
      fc.pre(!index.byId.has(control));
      const milestones = [{ screen: null, intent: "click Save", control }];
      const guide: Guide = {
        version: 1,
        id: "g",
        task: "",
        preconditions: [],
        entry: [],
        milestones,
        fallback: "",
        scope: "",
      };
      const { findings } = groundGuide(index, guide);
      expect(findings.map(({ rule, controls }) => [rule, ...controls])).toEqual([["absent_id", control]]);
      expect(gate({ findings })).toEqual({ verdict: "suppressed", rules: ["absent_id"] });
    }),
    { seed, numRuns: 300 },
  );
});
