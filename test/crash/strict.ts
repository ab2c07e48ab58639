import type { Schema } from "../../src/domain/schema.ts";

type Field = readonly string[] | "whole";
type Fields = { readonly [key: string]: Field };
type Params<F extends Fields> = { readonly [K in keyof F]: F[K] extends readonly (infer S)[] ? S : number };

/**
 * A closed params schema of enums and whole numbers, as a Standard Schema. It stands in for zod, which takes longer to
 * load than everything else that a child process does.
 */
export function strict<const F extends Fields>(fields: F): Schema<Params<F>> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, field === "whole" ? { type: "integer" } : { enum: [...field] }]),
  );
  const schema = { type: "object", properties, required: Object.keys(fields), additionalProperties: false };
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      jsonSchema: { input: () => schema },
      validate: (value) => {
        const wrong = whatIsWrong(fields, value);
        return wrong === null ? { value: value as Params<F> } : { issues: [{ message: wrong }] };
      },
    },
  };
}

function whatIsWrong(fields: Fields, value: unknown): string | null {
  if (typeof value !== "object" || value === null) return "must be an object";
  const given = new Map<string, unknown>(Object.entries(value));
  for (const key of given.keys()) if (!Object.hasOwn(fields, key)) return `unknown key ${key}`;
  for (const [key, field] of Object.entries(fields)) {
    const one = given.get(key);
    const fits = field === "whole" ? Number.isSafeInteger(one) : typeof one === "string" && field.includes(one);
    if (!fits) return `${key} does not fit`;
  }
  return null;
}
