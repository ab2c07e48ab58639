import { expect, test } from "vitest";
import { formAfter, lowerForm, type SchemaForm, saysSchemaRefused } from "./schema-form.ts";

test("of two forms the lower one stays, whichever comes first", () => {
  const forms: readonly SchemaForm[] = ["object", "text", "none"];
  for (const [i, a] of forms.entries()) {
    for (const [j, b] of forms.entries()) expect(lowerForm(a, b)).toBe(forms[Math.max(i, j)]);
  }
});

test("after an object comes a text where that is another schema, and then none", () => {
  expect(formAfter("object", true)).toBe("text");
  expect(formAfter("object", false)).toBe("none");
  expect(formAfter("text", true)).toBe("none");
  expect(formAfter("none", true)).toBe("none");
});

test.each<[number | null, string, boolean]>([
  [400, "Invalid schema for response_format 'reply': anyOf is not permitted", true],
  [422, "extra inputs: response_format.json_schema", true],
  [500, "failed to parse grammar", true],
  [501, "structured outputs are not implemented", true],
  [400, "the model does not exist", false],
  [401, "no schema for you", false],
  [404, "response_format", false],
  [429, "response_format", false],
  [503, "response_format", false],
  [null, "response_format", false],
  [400, `${"x ".repeat(20_000)} response_format`, false],
])("HTTP %s: %s", (status, text, says) => {
  expect(saysSchemaRefused(status, text)).toBe(says);
});
