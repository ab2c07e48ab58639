import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Json, JsonObject } from "../domain/json.ts";
import { jsonSchemaOf, type Schema } from "../domain/schema.ts";
import { defineTool } from "../domain/tool.ts";
import { withoutOptionalNulls } from "./optional-nulls.ts";
import { checkOutput } from "./output.ts";

function dropped(schema: Schema, params: JsonObject): Json {
  return withoutOptionalNulls(jsonSchemaOf(schema) ?? {}, params);
}

const inner = z.strictObject({ q: z.number().optional(), r: z.number() });
const tree: z.ZodType = z.strictObject({
  note: z.string().optional(),
  get kids() {
    return z.array(tree).optional();
  },
});

describe("a null that only says not given is left out", () => {
  test.each<[string, Schema, JsonObject, JsonObject]>([
    ["optional", z.strictObject({ a: z.string().optional() }), { a: null }, {}],
    ["with a default", z.strictObject({ a: z.string().default("x") }), { a: null }, {}],
    ["optional beside others", z.strictObject({ a: z.int().optional(), b: z.int() }), { b: 1, a: null }, { b: 1 }],
    ["optional enum", z.strictObject({ a: z.enum(["x"]).optional() }), { a: null }, {}],
    ["optional constant", z.strictObject({ a: z.literal("x").optional() }), { a: null }, {}],
    ["optional object", z.strictObject({ a: inner.optional() }), { a: null }, {}],
    ["in an object", z.strictObject({ a: inner }), { a: { q: null, r: 1 } }, { a: { r: 1 } }],
    ["in a nullable object", z.strictObject({ a: inner.nullable() }), { a: { q: null, r: 1 } }, { a: { r: 1 } }],
    [
      "in a list",
      z.strictObject({ a: z.array(inner) }),
      {
        a: [
          { q: null, r: 1 },
          { q: 2, r: 1 },
        ],
      },
      { a: [{ r: 1 }, { q: 2, r: 1 }] },
    ],
    [
      "in an intersection",
      z.intersection(z.object({ a: z.int() }), z.object({ b: z.int().optional() })),
      { a: 1, b: null },
      { a: 1 },
    ],
    [
      "in a variant that is named",
      z.discriminatedUnion("k", [
        z.strictObject({ k: z.literal("a"), n: z.int().optional() }),
        z.strictObject({ k: z.literal("b"), n: z.int().nullable() }),
      ]),
      { k: "a", n: null },
      { k: "a" },
    ],
    [
      "in the variant that has the keys",
      z.union([z.strictObject({ a: z.int(), x: z.int().optional() }), z.strictObject({ b: z.int() })]),
      { a: 1, x: null },
      { a: 1 },
    ],
    [
      "in what refers to itself",
      tree as Schema,
      { kids: [{ note: null, kids: [{ note: null }] }] },
      { kids: [{ kids: [{}] }] },
    ],
  ])("%s", (_, schema, params, expected) => {
    expect(dropped(schema, params)).toEqual(expected);
  });

  test.each<[string, Schema, JsonObject]>([
    ["required", z.strictObject({ a: z.string() }), { a: null }],
    ["nullable", z.strictObject({ a: z.string().nullish() }), { a: null }],
    ["nullable object", z.strictObject({ a: inner.nullish() }), { a: null }],
    ["a list of values with null", z.strictObject({ a: z.literal(["x", null]).optional() }), { a: null }],
    ["the constant null", z.strictObject({ a: z.null().optional() }), { a: null }],
    ["anything", z.strictObject({ a: z.unknown().optional() }), { a: null }],
    ["an unknown key", z.strictObject({ a: z.int() }), { a: 1, b: null }],
    ["a record", z.strictObject({ a: z.record(z.string(), z.int()) }), { a: { b: null } }],
    ["an element", z.strictObject({ a: z.array(z.int()) }), { a: [null] }],
    [
      "a tuple",
      z.strictObject({ a: z.tuple([inner, inner]) }),
      {
        a: [
          { q: null, r: 1 },
          { q: null, r: 1 },
        ],
      },
    ],
    [
      "variants that disagree",
      z.union([z.object({ x: z.int().optional() }), z.object({ x: z.int().nullable() })]),
      { x: null },
    ],
    ["a name that every object has", z.strictObject({ a: z.int() }), { toString: null }],
  ])("it stays where it says something else: %s", (_, schema, params) => {
    expect(dropped(schema, params)).toEqual(params);
  });

  test("params without a null are the very same object", () => {
    const params = { a: [{ q: 1, r: 2 }] };
    expect(dropped(z.strictObject({ a: z.array(inner) }), params)).toBe(params);
  });

  test("unions within unions are not read without end, and then nothing is dropped", () => {
    let union: JsonObject = { type: "object", properties: { x: { type: "string" } } };
    for (let i = 0; i < 40; i++) union = { anyOf: [union, { ...union, title: String(i) }] };
    const schema = { type: "object", properties: { a: { type: "string" }, b: union } };
    expect(withoutOptionalNulls(schema, { a: null, b: { x: null } })).toEqual({ a: null, b: { x: null } });
    expect(withoutOptionalNulls(schema, { a: null, b: 1 })).toEqual({ b: 1 });
  });

  test("a long list is read to its end", () => {
    const schema = z.strictObject({ a: z.array(inner) });
    const params = { a: [...Array(3_000).keys()].map((r) => ({ q: null, r })) };
    expect(dropped(schema, params)).toEqual({ a: params.a.map(({ r }) => ({ r })) });
  });
});

test("the output rail parses what is left, and refuses the nulls that stay", () => {
  const tool = defineTool({
    name: "find",
    description: "finds",
    placement: "internal",
    effect: "read",
    params: z.strictObject({
      id: z.string(),
      page: z.int().optional(),
      size: z.int().default(10),
      tag: z.string().nullable(),
    }),
    execute: () => 1,
    summarise: () => "found",
  });
  const given = { id: "a", page: null, size: null, tag: null };
  expect(checkOutput(tool, given)).toEqual({ ok: true, params: { id: "a", size: 10, tag: null } });
  expect(given).toEqual({ id: "a", page: null, size: null, tag: null });
  expect(checkOutput(tool, { ...given, id: null })).toMatchObject({ ok: false, denial: { code: "wrong_type" } });
  expect(checkOutput(tool, { ...given, more: null })).toMatchObject({ ok: false, denial: { code: "unknown_key" } });
});
