import { expect, test } from "vitest";
import { indexOf } from "../../../test/ground-map.ts";
import { explain } from "./explain.ts";
import { ground } from "./ground.ts";

const INDEX = indexOf(["Font size", { text: "Language" }, { text: "Font weight", clickable: false }]);

test("tokens with their weights, what was compared, and how each score came about", () => {
  const explanation = explain(INDEX, "change the font size to medium");
  expect(explanation).toMatchObject({ version: "score/1", map: INDEX.digest, bound: "c0", looked: 2 });
  expect(explanation.tokens.map(({ text, as }) => `${text} ${as}`)).toEqual([
    "change verb",
    "the stop",
    "font content",
    "size content",
    "to stop",
    "medium content",
  ]);
  expect(explanation.tokens.find(({ text }) => text === "size")?.weight).toBe(1.3863);
  expect(explanation.clauses).toEqual([{ words: "change the font size to medium", kind: "main", naming: false }]);
  expect(explanation.candidates[0]).toMatchObject({
    ...{ ids: ["c0"], name: "Font size", field: "text", nameShare: 1, factors: [] },
    matched: [
      { word: "font", of: "font", strength: 1 },
      { word: "size", of: "size", strength: 1 },
    ],
  });
  expect(explanation.candidates[1]).toMatchObject({
    ids: ["c2"],
    factors: [
      { name: "half_said", by: 0.5 },
      { name: "not_clickable", by: 0.78 },
    ],
  });
});

test.each(["change the font size to medium", "font", "rotate", "", "click the font weight"])(
  "%j: the same as ground says",
  (intent) => {
    const { bound, score, nearest } = ground(INDEX, intent);
    const { bound: explained, candidates } = explain(INDEX, intent);
    expect(explained).toBe(bound);
    expect(candidates[0]?.score ?? 0).toBe(score);
    expect(candidates.flatMap(({ ids }) => ids).slice(0, 3)).toEqual(nearest.map(({ id }) => id));
  },
);
