import type { Json, JsonObject } from "./json.ts";

/**
 * The structural part of a Standard Schema (v1.1) that the house needs. zod, valibot and arktype objects fit as they are,
 * so no room imports any of them.
 */
export type Schema<Output = unknown> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
};

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** An issue as Standard Schema has it. `code`, `expected` and `keys` are what zod adds; they only sharpen our own code. */
export type SchemaIssue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly expected?: unknown;
};

export type OutputOf<S extends Schema> = S extends Schema<infer Output> ? Output : never;

/** The JSON Schema of the values a schema accepts, or null where its library cannot give one. */
export function jsonSchemaOf(schema: Schema): JsonObject | null {
  const give = schema["~standard"].jsonSchema;
  if (give === undefined) return null;
  return JSON.parse(JSON.stringify(give.input({ target: "draft-2020-12" }))) as Json as JsonObject;
}
