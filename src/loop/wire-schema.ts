import { canonicalJson } from "../domain/canonical.ts";
import { evidenceFieldOf, resolveRef } from "../domain/evidence-field.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { REPLY_KINDS } from "../domain/reply.ts";
import type { WireMode, WireTool } from "../domain/said.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { LoopRules, LoopTool } from "./run.ts";
import { anyOf, closedObject, nullable, strictSubset } from "./strict-subset.ts";

/** What a server is given to constrain the replies of a run; see ModelRequest. */
export type Wire = {
  readonly schema: Json;
  readonly schemaStrict: Json | null;
  readonly tools: readonly WireTool[];
};

/** Bytes of a strict schema in canonical JSON. It names the params of every tool twice: in an action and in a plan's step. */
const STRICT_BYTES_MAX = 65_536;

export function wireOf(rules: LoopRules, mode: WireMode): Wire {
  const tools = [...rules.tools.values()];
  return {
    schema: wireSchema([...rules.tools.keys()]),
    schemaStrict: strictSchema(tools),
    tools: mode === "tools" ? wireTools(tools) : [],
  };
}

const PARAMS_TEXT: JsonObject = {
  type: ["string", "null"],
  description: "the arguments as one JSON object, written as a string",
};

/**
 * The JSON Schema of the flat reply, in the subset that every constrained decoder knows: all fields required, nullable,
 * no limits. `params` travels as a JSON string, since a strict schema cannot leave an object open.
 */
export function wireSchema(toolNames: readonly string[]): JsonObject {
  return flatSchema(toolNames, PARAMS_TEXT);
}

/**
 * The same with `params` as one of the tools' own objects, for a server that honours schemas; null where the params of one
 * tool cannot be said so. Which params belong to which tool is not said: the flat object has one signal only.
 */
function strictSchema(tools: readonly LoopTool[]): JsonObject | null {
  const params: JsonObject[] = [];
  for (const { paramsSchema } of tools) {
    const subset = paramsSchema === null ? null : strictSubset(paramsSchema);
    if (subset === null) return null;
    params.push(subset);
  }
  const union = anyOf(params);
  const schema = flatSchema(
    tools.map(({ name }) => name),
    union === null ? { type: "null" } : nullable(union),
  );
  return utf8Length(canonicalJson(schema)) <= STRICT_BYTES_MAX ? schema : null;
}

function flatSchema(toolNames: readonly string[], params: JsonObject): JsonObject {
  const text = { type: ["string", "null"] };
  return closedObject({
    kind: { type: "string", enum: [...REPLY_KINDS] },
    text,
    tool: toolNames.length === 0 ? { type: "null" } : { type: ["string", "null"], enum: [...toolNames, null] },
    params,
    steps: { type: ["array", "null"], items: stepSchema(params) },
    query: text,
    evidence: EVIDENCE,
  });
}

const EVIDENCE: JsonObject = { type: ["array", "null"], items: { type: "string" } };

function stepSchema(params: JsonObject): JsonObject {
  return closedObject({ actor: { type: "string" }, description: { type: "string" }, params, evidence: EVIDENCE });
}

/** The tools for native calls. Two replies that are no tool's are tools here: a plan, and a search of the memory. */
function wireTools(tools: readonly LoopTool[]): readonly WireTool[] {
  const names = new Set(tools.map(({ name }) => name));
  return [...tools.map(wireTool), ...PSEUDO_TOOLS.filter(({ name }) => !names.has(name))];
}

const PSEUDO_TOOLS: readonly WireTool[] = [
  {
    name: "plan",
    description: "Several steps at once, done in their order. For a single step call its tool.",
    parameters: closedObject({
      steps: { type: "array", items: stepSchema(PARAMS_TEXT), description: "actor is the name of a tool" },
    }),
  },
  {
    name: "retrieve",
    description: "Search the memory. Ends the work with what is found.",
    parameters: closedObject({ query: { type: "string" } }),
  },
];

function wireTool({ name, description, paramsSchema, evidenceMin }: LoopTool): WireTool {
  const parameters = paramsSchema === null ? OPEN : parametersOf(paramsSchema);
  const field = evidenceFieldOf(paramsSchema, evidenceMin);
  return { name, description, parameters: field === null ? parameters : citing(parameters, field, evidenceMin) };
}

const OPEN: JsonObject = { type: "object", properties: {} };

/**
 * Parameters that the subset cannot say go as they are. Servers refuse all the tools of a request where the parameters of
 * one are not an object with properties, so a union is merged into one: that is a hint, and the full schema is the judge.
 */
function parametersOf(schema: JsonObject): JsonObject {
  const parameters = strictSubset(schema) ?? withoutMeta(schema);
  if (isJsonObject(own(parameters, "properties")) && own(parameters, "type") === "object") return parameters;
  const variants = variantsOf(parameters, parameters, 0);
  return variants === null ? OPEN : merged(variants, own(parameters, "$defs"));
}

/** A schema without the word for its dialect, which decides nothing. */
export function withoutMeta(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** A union in a union in a reference: what is nested more often is not read on. */
const VARIANTS_DEPTH = 4;

function variantsOf(node: Json | undefined, root: JsonObject, depth: number): readonly JsonObject[] | null {
  if (!isJsonObject(node) || depth > VARIANTS_DEPTH) return null;
  const target = resolveRef(own(node, "$ref"), root);
  if (target !== null) return variantsOf(target, root, depth + 1);
  const branches = own(node, "anyOf") ?? own(node, "oneOf");
  if (!Array.isArray(branches)) return isJsonObject(own(node, "properties")) ? [node] : null;
  const variants: JsonObject[] = [];
  for (const branch of branches as readonly Json[]) {
    const inner = variantsOf(branch, root, depth + 1);
    if (inner === null) return null;
    variants.push(...inner);
  }
  return variants.length === 0 ? null : variants;
}

/** One object that takes every variant: each field as in any of them, required where all of them require it. */
function merged(variants: readonly JsonObject[], defs: Json | undefined): JsonObject {
  const fields = new Map<string, JsonObject[]>();
  for (const variant of variants) {
    for (const [key, schema] of Object.entries(own(variant, "properties") ?? {})) {
      fields.set(key, [...(fields.get(key) ?? []), isJsonObject(schema) ? schema : {}]);
    }
  }
  const properties = Object.fromEntries(
    [...fields].map(([key, schemas]): [string, Json] => [key, anyOf(schemas) ?? {}]),
  );
  const required = [...fields.keys()].filter((key) => variants.every((variant) => requiredOf(variant).includes(key)));
  const closed = variants.every((variant) => own(variant, "additionalProperties") === false);
  const shape = { type: "object", properties, required, ...(closed ? { additionalProperties: false } : {}) };
  return defs === undefined ? shape : { ...shape, $defs: defs };
}

function requiredOf(schema: JsonObject): readonly Json[] {
  const required = own(schema, "required");
  return Array.isArray(required) ? required : [];
}

/** The parameters with a field for the evidence beside them. */
function citing(parameters: JsonObject, field: string, min: number): JsonObject {
  const evidence = {
    type: "array",
    items: { type: "string" },
    description: `ids from the data that justify this call, at least ${min}`,
  };
  const properties = own(parameters, "properties");
  return {
    ...parameters,
    properties: { ...(isJsonObject(properties) ? properties : {}), [field]: evidence },
    required: [...requiredOf(parameters), field],
  };
}
