import { describe, expect, test } from "vitest";
import { z } from "zod";
import { canonicalJson } from "../domain/canonical.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { jsonSchemaOf, type Schema } from "../domain/schema.ts";
import { strictSubset } from "./strict-subset.ts";

function subset(schema: Schema): JsonObject | null {
  return strictSubset(jsonSchemaOf(schema) ?? {});
}

/** The subset of one field, and whether it is required in the full schema. */
function field(schema: z.ZodType): Json | undefined {
  const whole = subset(z.strictObject({ f: schema }));
  return whole === null ? null : (whole.properties as JsonObject).f;
}

const WORDS = ["type", "enum", "properties", "required", "additionalProperties", "items", "anyOf", "description"];

/** The keywords of a schema that the subset does not have, and the objects that are open or do not require all. */
function strangers(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(strangers);
  if (!isJsonObject(schema)) return [];
  const { properties, required, additionalProperties, items, anyOf } = schema;
  const own = Object.keys(schema).filter((key) => !WORDS.includes(key));
  const fields = isJsonObject(properties) ? properties : {};
  const open =
    properties !== undefined &&
    (additionalProperties !== false || canonicalJson(required ?? null) !== canonicalJson(Object.keys(fields)));
  return [
    ...own,
    ...(open ? ["open"] : []),
    ...Object.values(fields).flatMap(strangers),
    ...strangers(items ?? null),
    ...strangers(anyOf ?? null),
  ];
}

describe("the strict common subset", () => {
  test.each<[string, z.ZodType, Json]>([
    ["a bounded string", z.string().min(1).max(9).regex(/^a/), { type: "string" }],
    ["a format", z.iso.date(), { type: "string" }],
    ["a whole number", z.int().min(1).max(5), { type: "integer" }],
    ["a multiple", z.number().multipleOf(0.5), { type: "number" }],
    ["a description", z.string().describe("the order"), { type: "string", description: "the order" }],
    ["a list of values", z.enum(["x", "y"]), { type: "string", enum: ["x", "y"] }],
    ["a constant", z.literal(3), { type: "number", enum: [3] }],
    [
      "values of several types",
      z.literal(["a", 2, null]),
      { type: ["string", "number", "null"], enum: ["a", 2, null] },
    ],
    ["optional", z.string().optional(), { type: ["string", "null"] }],
    [
      "optional with a description",
      z.string().optional().describe("d"),
      { type: ["string", "null"], description: "d" },
    ],
    ["a default", z.int().default(3), { type: ["integer", "null"] }],
    ["nullable", z.string().nullable(), { type: ["string", "null"] }],
    ["nullish", z.string().nullish(), { type: ["string", "null"] }],
    ["an optional list of values", z.enum(["x"]).optional(), { type: ["string", "null"], enum: ["x", null] }],
    ["two types", z.union([z.string(), z.number()]), { anyOf: [{ type: "string" }, { type: "number" }] }],
    [
      "two types, optional",
      z.union([z.string(), z.number()]).optional(),
      { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
    ],
    ["a list", z.array(z.string().max(3)).max(9), { type: "array", items: { type: "string" } }],
    [
      "an optional list",
      z.array(z.string()).optional(),
      { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
    ],
    ["nothing but null", z.null(), { type: "null" }],
    [
      "an empty object",
      z.strictObject({}),
      { type: "object", properties: {}, required: [], additionalProperties: false },
    ],
    [
      "an object that does not say whether it is open",
      z.object({ a: z.boolean().optional() }),
      {
        type: "object",
        properties: { a: { type: ["boolean", "null"] } },
        required: ["a"],
        additionalProperties: false,
      },
    ],
  ])("%s", (_, schema, expected) => {
    expect(field(schema)).toEqual(expected);
  });

  test.each<[string, z.ZodType]>([
    ["a record", z.record(z.string(), z.int())],
    ["an open object", z.looseObject({ a: z.int() })],
    ["an object with other keys of a type", z.object({ a: z.int() }).catchall(z.int())],
    ["a tuple", z.tuple([z.string()])],
    ["anything", z.unknown()],
    ["a list of anything", z.array(z.unknown())],
    ["nothing", z.never()],
    [
      "something like that deep within",
      z.array(z.strictObject({ a: z.union([z.string(), z.strictObject({ b: z.unknown() })]) })),
    ],
  ])("it has no words for %s", (_, schema) => {
    expect(field(schema)).toBeNull();
  });

  test("what refers to itself cannot be said; what is only referred to is written out", () => {
    const tree: z.ZodType = z.strictObject({
      get kids() {
        return z.array(tree);
      },
    });
    expect(subset(tree as Schema)).toBeNull();
    const shared = {
      $defs: { "a/b": { type: "string" } },
      ...closed({ x: { $ref: "#/$defs/a~1b", description: "d" }, y: { $ref: "#/$defs/a~1b" } }),
    };
    expect(strictSubset(shared)?.properties).toEqual({
      x: { type: "string", description: "d" },
      y: { type: "string" },
    });
    expect(strictSubset(closed({ x: { $ref: "#/$defs/none" } }))).toBeNull();
    expect(strictSubset(closed({ x: { $ref: "#" } }))).toBeNull();
    expect(strictSubset(closed({ x: { $ref: "#/$defs/a", properties: {} } }))).toBeNull();
  });

  test("one of a union alone is itself, and a union in a union is one", () => {
    expect(strictSubset(closed({ x: { allOf: [{ type: "string" }] } }))?.properties).toEqual({ x: { type: "string" } });
    expect(strictSubset(closed({ x: { allOf: [{ type: "string" }, { type: "string" }] } }))).toBeNull();
    expect(
      strictSubset(closed({ x: { oneOf: [{ type: "string" }, { anyOf: [{ type: "integer" }, { type: "string" }] }] } }))
        ?.properties,
    ).toEqual({
      x: { anyOf: [{ type: "string" }, { type: "integer" }] },
    });
  });

  test.each<[string, JsonObject]>([
    ["", {}],
    ["true", closed({ x: true })],
    ["an unknown type", closed({ x: { type: "date" } })],
    ["a type that is no text", closed({ x: { type: 7 } })],
    ["an object among the values", closed({ x: { enum: [{}] } })],
    ["other keys by a pattern", closed({ x: { ...closed({}), patternProperties: { "^a": { type: "string" } } } })],
    ["a condition", closed({ x: { type: "string", if: { const: "a" } } })],
    ["what it must not be", closed({ x: { type: "string", not: { const: "a" } } })],
    ["first elements", closed({ x: { type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } } })],
    ["two unions", closed({ x: { anyOf: [{ type: "string" }], oneOf: [{ type: "string" }] } })],
    ["no values", closed({ x: { enum: [] } })],
    ["no variants", closed({ x: { anyOf: [] } })],
    ["required that is no list", { ...closed({ x: { type: "string" } }), required: "x" }],
  ])("a schema that is none is null: %s", (_, schema) => {
    expect(strictSubset(schema)).toBeNull();
  });

  test("it is bounded: in depth, in places, in bytes, and a long list of values is only its type", () => {
    const nest = (depth: number): JsonObject => (depth === 0 ? { type: "string" } : closed({ x: nest(depth - 1) }));
    expect(strictSubset(nest(9))).not.toBeNull();
    expect(strictSubset(nest(10))).toBeNull();
    const many = (count: number) =>
      closed(Object.fromEntries([...Array(count).keys()].map((i) => [`f${i}`, { type: "string" }])));
    expect(strictSubset(many(900))).not.toBeNull();
    expect(strictSubset(many(1_000))).toBeNull();
    const long = (bytes: number) => closed({ ["k".repeat(bytes)]: { type: "string" } });
    expect(strictSubset(long(16_000))).not.toBeNull();
    expect(strictSubset(long(17_000))).toBeNull();
    const values = (count: number) => field(z.enum([...Array(count).keys()].map(String)));
    expect(values(250)).toMatchObject({ enum: expect.anything() });
    expect(values(251)).toEqual({ type: "string" });
    expect(field(z.string().describe("é".repeat(200)))).toEqual({ type: "string", description: "é".repeat(150) });
    const grow = (levels: number): JsonObject => ({
      $ref: "#/$defs/l0",
      $defs: Object.fromEntries(
        [...Array(levels).keys()].map((i) => [
          `l${i}`,
          i === levels - 1
            ? { type: "string" }
            : closed(Object.fromEntries("abcdefgh".split("").map((key) => [key, { $ref: `#/$defs/l${i + 1}` }]))),
        ]),
      ),
    });
    expect(strictSubset(grow(3))).not.toBeNull();
    expect(strictSubset(grow(5))).toBeNull();
  });

  test("whatever comes of a large schema is in the subset, and the same each time", () => {
    const schema = z.strictObject({
      order: z.string().max(12).describe("its id"),
      lines: z
        .array(
          z.strictObject({
            sku: z.string().regex(/^[A-Z]+$/),
            count: z.int().min(1).default(1),
            note: z.string().max(80).optional(),
          }),
        )
        .min(1),
      to: z
        .discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("post"), city: z.string() }),
          z.strictObject({ kind: z.literal("shop"), shop: z.int() }),
        ])
        .nullable(),
      when: z.iso.datetime().optional(),
    });
    const first = subset(schema);
    expect(strangers(first)).toEqual([]);
    expect(JSON.stringify(subset(schema))).toBe(JSON.stringify(first));
    expect(Object.keys((first?.properties ?? {}) as JsonObject)).toEqual(["order", "lines", "to", "when"]);
  });
});

function closed(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
