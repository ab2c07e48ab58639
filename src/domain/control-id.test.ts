import { expect, test } from "vitest";
import { controlId, onScreen } from "./control-id.ts";

test.each([
  ["button", "Sign in", "button:sign-in"],
  ["link", "  What’s new? ", "link:what-s-new"],
  ["button", "取消", "button:取消"],
  ["button", "إلغاء", "button:إلغاء"],
  ["button", "+", "button"],
  ["button", "", "button"],
  ["button", "Pay\u202enow", "button:pay-now"],
  ["button", "\u{1f5d1}\ufe0f", "button"],
  ["button", "\u{1f5d1}\ufe0f Delete \u3164", "button:delete"],
  ["button", "1\ufe0f\u20e3 a\u034fb", "button:1\u20e3-ab"],
  [
    "text",
    "one two three four five six seven eight nine ten eleven twelve thirteen",
    "text:one-two-three-four-five-six-seven-eight-nine-ten-eleven",
  ],
])("%s %j is %s", (role, name, id) => {
  expect(controlId(role, name)).toBe(id);
});

test("an endless name gives a short id, and half a character gives none", () => {
  const id = controlId("text", "ä".repeat(1_000_000));
  expect(Buffer.byteLength(id)).toBeLessThanOrEqual(262);
  expect(id.isWellFormed()).toBe(true);
  expect(onScreen("cart", "button:pay")).toBe("cart/button:pay");
});
