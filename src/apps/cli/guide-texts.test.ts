import { expect, test } from "vitest";
import { budgetText } from "./guide-texts.ts";

test("what kilobytes would not show is said in bytes", () => {
  expect(budgetText(0, 2_048)).toBe("0 of 2,048 B");
  expect(budgetText(1_023, 2_048)).toBe("1,023 of 2,048 B");
  expect(budgetText(1_024, 2_048)).toBe("1.0 of 2.0 KB");
  expect(budgetText(1_500, 900)).toBe("1,500 of 900 B");
});
