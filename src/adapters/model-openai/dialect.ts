import { formAfter, lowerForm, type SchemaForm, saysSchemaRefused } from "../../domain/schema-form.ts";
import { unreachable } from "../../domain/unreachable.ts";

/**
 * What one server takes, found out by asking. Calls only ever lower a field, so that a server is asked for what it refuses
 * once a process; the canary alone raises the schema.
 */
export type Dialect = {
  schema: SchemaForm;
  /** Newer models of OpenAI take only the second. */
  limit: "max_tokens" | "max_completion_tokens";
  temperature: boolean;
  seed: boolean;
  stream: boolean;
  /** `stream_options`, which asks for the usage at the end of a stream. */
  streamUsage: boolean;
  /** `parallel_tool_calls` and `strict`. */
  toolExtras: boolean;
};

/** Before the canary: a schema that every constrained decoder takes. */
export function firstDialect(): Dialect {
  return {
    schema: "text",
    limit: "max_tokens",
    temperature: true,
    seed: true,
    stream: true,
    streamUsage: true,
    toolExtras: true,
  };
}

/** Takes over what `found` has learnt. Calls that run beside one another learn the same, and none unlearns it. */
export function lower(dialect: Dialect, found: Partial<Dialect>): void {
  const { schema, limit, ...switches } = found;
  if (schema !== undefined) dialect.schema = lowerForm(dialect.schema, schema);
  if (limit === "max_completion_tokens") dialect.limit = limit;
  dialect.temperature &&= switches.temperature ?? true;
  dialect.seed &&= switches.seed ?? true;
  dialect.stream &&= switches.stream ?? true;
  dialect.streamUsage &&= switches.streamUsage ?? true;
  dialect.toolExtras &&= switches.toolExtras ?? true;
}

/** What was in a request that a server may refuse. */
export type Offered = Dialect & {
  readonly streamed: boolean;
  readonly constrained: "schema" | "tools" | "nothing";
  /** Whether the schema with params as text is another one than that with objects. */
  readonly simpler: boolean;
};

const UNWANTED =
  /unsupported|not supported|not permitted|not allowed|unrecogni[sz]ed|unknown|unexpected|extra[ _](?:inputs?|fields?|forbidden)|\binstead\b/i;
const TOOLS = /\btool|\bfunction|\bstrict\b|parallel|\bparameters\b/i;

/** What to change in the next request after a refusal that is about the request's form, or null where it is not. */
export function lowered(offered: Offered, status: number, about: string): Partial<Dialect> | null {
  if (status !== 400 && status !== 422 && status !== 500 && status !== 501) return null;
  // A server in trouble says much; only of grammars is a 500 known to mean the request (llama.cpp).
  if (status < 500) {
    if (offered.streamed && offered.streamUsage && /stream_options|include_usage/i.test(about))
      return { streamUsage: false };
    const unwanted = UNWANTED.test(about);
    if (unwanted && offered.limit === "max_tokens" && /\bmax_tokens\b/i.test(about))
      return { limit: "max_completion_tokens" };
    if (unwanted && offered.temperature && /\btemperature\b/i.test(about)) return { temperature: false };
    if (unwanted && offered.seed && /\bseed\b/i.test(about)) return { seed: false };
    if (unwanted && offered.streamed && /\bstream(?:ing|ed)?\b/i.test(about)) return { stream: false };
  }
  switch (offered.constrained) {
    case "tools":
      return offered.toolExtras && (TOOLS.test(about) || saysSchemaRefused(status, about))
        ? { toolExtras: false }
        : null;
    case "schema":
      return saysSchemaRefused(status, about) ? { schema: formAfter(offered.schema, offered.simpler) } : null;
    case "nothing":
      return null;
    default:
      return unreachable(offered.constrained);
  }
}
