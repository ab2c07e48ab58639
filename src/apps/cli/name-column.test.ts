import { expect, test } from "vitest";
import { namesIn } from "./name-column.ts";
import { clipMiddle, columnsOf } from "./text.ts";

test("names are whole where they fit, cut in the middle where they stay apart, and none where they do not", () => {
  const [a, b] = ["a", "b"].map((end) => `rule-${"x".repeat(40)}-${end}`) as [string, string];
  expect(namesIn([a, "short"], 47)).toEqual([a, "short"]);
  expect(namesIn([a, b, "short"], 24)).toEqual(["rule-xxxxxxx…xxxxxxxxx-a", "rule-xxxxxxx…xxxxxxxxx-b", "short"]);
  expect(namesIn([a, b], 23)).toBe(null);
  const inside = ["a", "b"].map((middle) => `rule-${"x".repeat(20)}${middle}${"x".repeat(20)}`);
  expect(namesIn(inside, 30)).toBe(null);
  expect(namesIn([a, a], 24)).toHaveLength(2);
});

test("a name that is cut is as wide as it may be, also with wide characters", () => {
  for (let columns = 1; columns < 20; columns += 1) {
    const cut = clipMiddle("鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵鍵", columns);
    expect(columnsOf(cut)).toBeLessThanOrEqual(columns);
    expect(cut).toContain("…");
    expect(columnsOf(clipMiddle("x".repeat(30), columns))).toBe(columns);
  }
});
