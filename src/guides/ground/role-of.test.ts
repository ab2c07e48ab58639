import { expect, test } from "vitest";
import { roleOf } from "./role-of.ts";

test.each([
  ["button", "button"],
  ["android.widget.ImageButton", "button"],
  ["TEXT_BUTTON", "button"],
  ["android.widget.EditText", "field"],
  ["TEXT_INPUT", "field"],
  ["searchbox", "field"],
  ["AutoCompleteTextView", "field"],
  ["CHECK_BOX", "check"],
  ["SwitchCompat", "check"],
  ["RadioButton", "check"],
  ["a", "link"],
  ["IMAGE_VIEW", "image"],
  ["TextView", "text"],
  ["h3", "text"],
  ["p", "text"],
  ["generic", "other"],
  ["LinearLayout", "other"],
  ["", "other"],
])("%j is %s", (role, kind) => {
  expect(roleOf(role)).toBe(kind);
});
