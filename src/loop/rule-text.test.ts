import { describe, expect, test } from "vitest";
import { kept, routed, served } from "../../test/checks/teaching.ts";
import { ruleText } from "./rule-text.ts";

describe("the text of a rule, from the receipt", () => {
  const rules = [kept({ id: "a", bytes: 6 }), kept({ id: "b", bytes: 11 }), kept({ id: "c", bytes: 1 })];
  const receipt = served(
    { kept: rules, routed: [routed({ id: "z", text: "Zett." })] },
    { text: "Über.\n\nTwo\n\nlines.\n\nC" },
  );

  test("is found by the sizes, with line breaks in it and letters of several bytes", () => {
    expect(["a", "b", "c", "z"].map((id) => ruleText(receipt, id))).toEqual(["Über.", "Two\n\nlines.", "C", "Zett."]);
  });

  test("is none where no rule has the name, or the sizes are not those of the text", () => {
    expect(ruleText(receipt, "other")).toBeNull();
    expect(ruleText({ ...receipt, text: "Over.\n\nTwo\n\nlines.\n\nC" }, "b")).toBeNull();
    expect(ruleText({ ...receipt, text: "" }, "a")).toBeNull();
  });
});
