import { describe, expect, test } from "vitest";
import { z } from "zod";
import { evidenceFieldOf } from "../domain/evidence-field.ts";
import type { JsonObject } from "../domain/json.ts";
import { jsonSchemaOf, type Schema } from "../domain/schema.ts";
import type { LoopRules, LoopTool } from "./run.ts";
import { wireOf, wireSchema } from "./wire-schema.ts";

function tool(name: string, params: Schema | null, evidenceMin = 0): LoopTool {
  return {
    name,
    description: `does ${name}`,
    local: false,
    mayRepeat: false,
    once: false,
    settleKey: () => null,
    paramsText: "",
    paramsSchema: params === null ? null : jsonSchemaOf(params),
    evidenceMin,
    takesNothing: false,
  };
}

function rules(...tools: readonly LoopTool[]): LoopRules {
  return { tools: new Map(tools.map((one) => [one.name, one])) };
}

const refund = tool("refund", z.strictObject({ id: z.string().max(12), note: z.string().optional() }), 1);
const list = tool("list", z.strictObject({}));
const REFUND: JsonObject = {
  type: "object",
  properties: { id: { type: "string" }, note: { type: ["string", "null"] } },
  required: ["id", "note"],
  additionalProperties: false,
};
const NOTHING: JsonObject = { type: "object", properties: {}, required: [], additionalProperties: false };

function at(schema: unknown, ...path: readonly string[]): unknown {
  return path.reduce((node, key) => (node as JsonObject | undefined)?.[key], schema);
}

describe("what a server is given", () => {
  test("the flat reply with params as text, whatever the mode", () => {
    for (const mode of ["flat", "tools"] as const) {
      expect(wireOf(rules(refund, list), mode).schema).toEqual(wireSchema(["refund", "list"]));
    }
    expect(at(wireSchema(["refund"]), "properties", "params", "type")).toEqual(["string", "null"]);
    expect(at(wireSchema([]), "properties", "tool")).toEqual({ type: "null" });
  });

  test("the flat reply with params as one of the tools' own objects, in an action and in a step", () => {
    const { schemaStrict } = wireOf(rules(refund, list), "flat");
    const params = { anyOf: [REFUND, NOTHING, { type: "null" }] };
    expect(at(schemaStrict, "properties", "params")).toEqual(params);
    expect(at(schemaStrict, "properties", "steps", "items", "properties", "params")).toEqual(params);
    expect(at(schemaStrict, "required")).toEqual(["kind", "text", "tool", "params", "steps", "query", "evidence"]);
    expect(
      at(wireOf(rules(list, tool("other", z.strictObject({}))), "flat").schemaStrict, "properties", "params"),
    ).toEqual({
      anyOf: [NOTHING, { type: "null" }],
    });
    expect(at(wireOf(rules(), "flat").schemaStrict, "properties", "params")).toEqual({ type: "null" });
  });

  test("there is none where the params of one tool cannot be said, or all of them are too many", () => {
    expect(
      wireOf(rules(refund, tool("open", z.strictObject({ a: z.record(z.string(), z.int()) }))), "flat").schemaStrict,
    ).toBeNull();
    expect(wireOf(rules(refund, tool("any", null)), "flat").schemaStrict).toBeNull();
    const large = (i: number) => tool(`t${i}`, z.strictObject({ [`${"k".repeat(6_000)}${i}`]: z.string() }));
    expect(wireOf(rules(large(1), large(2)), "flat").schemaStrict).not.toBeNull();
    expect(wireOf(rules(large(1), large(2), large(3)), "flat").schemaStrict).toBeNull();
  });

  test("native tools only in mode tools, with a plan and a search beside them", () => {
    expect(wireOf(rules(refund), "flat").tools).toEqual([]);
    const { tools } = wireOf(rules(refund, list), "tools");
    expect(tools.map(({ name }) => name)).toEqual(["refund", "list", "plan", "retrieve"]);
    expect(tools[1]).toEqual({ name: "list", description: "does list", parameters: NOTHING });
    const steps = at(tools[2]?.parameters, "properties", "steps", "items", "required");
    expect(steps).toEqual(["actor", "description", "params", "evidence"]);
    expect(at(tools[3]?.parameters, "required")).toEqual(["query"]);
    const own = wireOf(rules(tool("plan", z.strictObject({}))), "tools").tools;
    expect(own.map(({ name, description }) => [name, description])).toEqual([
      ["plan", "does plan"],
      ["retrieve", expect.any(String)],
    ]);
  });

  test("a tool that needs evidence has a field for it, of the name that the reader of calls looks for", () => {
    for (const [params, name] of [
      [z.strictObject({ id: z.string() }), "evidence"],
      [z.strictObject({ evidence: z.string() }), "evidence_ids"],
      [z.strictObject({ a: z.record(z.string(), z.int()) }), "evidence"],
      [z.union([z.strictObject({ a: z.int() }), z.strictObject({ evidence: z.int() })]), "evidence_ids"],
      [null, "evidence"],
    ] as const) {
      const one = tool("pay", params, 2);
      const [wired] = wireOf(rules(one), "tools").tools;
      expect(evidenceFieldOf(one.paramsSchema, 2)).toBe(name);
      expect(at(wired?.parameters, "properties", name)).toMatchObject({ type: "array", items: { type: "string" } });
      expect(at(wired?.parameters, "required")).toContain(name);
    }
    expect(at(wireOf(rules(tool("look", z.strictObject({}))), "tools").tools[0]?.parameters, "properties")).toEqual({});
  });

  test("parameters are always an object with properties: what cannot be said goes as it is, a union as one object", () => {
    const open = z.strictObject({ a: z.record(z.string(), z.int().max(3)) });
    const { $schema: _, ...full } = jsonSchemaOf(open) ?? {};
    const union = z.union([z.strictObject({ a: z.int(), b: z.string() }), z.strictObject({ a: z.string() })]);
    const openUnion = z.union([open, z.strictObject({ b: z.unknown() })]);
    const wired = wireOf(
      rules(tool("open", open), tool("union", union), tool("both", openUnion), tool("any", null)),
      "tools",
    ).tools;
    expect(wired[0]?.parameters).toEqual(full);
    expect(wired[1]?.parameters).toEqual({
      type: "object",
      properties: { a: { anyOf: [{ type: "integer" }, { type: "string" }] }, b: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(at(wired[2]?.parameters, "required")).toEqual([]);
    expect(wired[3]?.parameters).toEqual({ type: "object", properties: {} });
  });
});
