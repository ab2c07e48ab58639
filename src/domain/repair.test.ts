import { expect, test } from "vitest";
import { inOrder } from "./repair.ts";

test("each repair is named once, in one order", () => {
  expect(inOrder(["flat_in_text", "fence", "think", "fence"])).toEqual(["think", "fence", "flat_in_text"]);
});
