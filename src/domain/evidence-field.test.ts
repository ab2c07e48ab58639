import { describe, expect, test } from "vitest";
import { evidenceFieldOf, resolveRef } from "./evidence-field.ts";
import type { JsonObject } from "./json.ts";

function fields(...names: readonly string[]): JsonObject {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
}

describe("under which name a call cites its evidence", () => {
  test.each<[JsonObject | null, number, string | null]>([
    [fields("id"), 0, null],
    [null, 0, null],
    [fields("id"), 1, "evidence"],
    [null, 1, "evidence"],
    [fields("evidence"), 1, "evidence_ids"],
    [fields("evidence", "evidence_ids"), 2, "evidence_ids_2"],
    [fields("evidence", "evidence_ids", "evidence_ids_2"), 1, "evidence_ids_3"],
    [{ anyOf: [fields("id"), fields("evidence")] }, 1, "evidence_ids"],
    [{ allOf: [{ $ref: "#/$defs/a~1b" }], $defs: { "a/b": fields("evidence") } }, 1, "evidence_ids"],
    [{ $ref: "#" }, 1, "evidence"],
    [{ type: "object", properties: { inner: fields("evidence") } }, 1, "evidence"],
  ])("%j with at least %i is %s", (schema, min, field) => {
    expect(evidenceFieldOf(schema, min)).toBe(field);
  });

  test("a reference that leads nowhere, or out of the document, is none", () => {
    const root = { $defs: { a: fields("x") } };
    expect(resolveRef("#/$defs/a", root)).toBe(root.$defs.a);
    for (const ref of ["#/$defs/b", "#/$defs/__proto__", "#/$defs/a/type/x", "other.json", "#a", undefined, 7]) {
      expect(resolveRef(ref, root)).toBeNull();
    }
  });
});
