import { REDACTED, SECRET_LENGTH_MIN } from "../../domain/redact.ts";
import type { Model, ModelPrice, ModelReply, ModelRequest } from "../../ports/model.ts";

export type OpenAiOptions = {
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly price?: ModelPrice;
};

/** Bytes of a response that are read; a server that sends more is cut off and counts as a bad answer. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * A model behind an OpenAI-compatible `/v1/chat/completions`: vLLM, Ollama, llama.cpp, LM Studio. One request, one answer;
 * what the server does wrong is a value with a code. Nothing that it claims to enforce is trusted.
 */
export function openAiModel(options: OpenAiOptions): Model {
  const base = options.baseUrl.replace(/\/+$/, "");
  const url = `${base}/chat/completions`;
  return {
    name: options.name,
    kind: "live",
    where: withoutCredentials(base),
    ...(options.price === undefined ? {} : { price: options.price }),
    complete: (request) => complete(url, options, request),
  };
}

async function complete(url: string, options: OpenAiOptions, request: ModelRequest): Promise<ModelReply> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({
        model: options.name,
        messages: [{ role: "system", content: request.system }, ...request.messages],
        max_tokens: request.outputTokensMax,
        temperature: options.temperature ?? 0,
        stream: false,
        response_format: { type: "json_schema", json_schema: { name: "reply", strict: true, schema: request.schema } },
      }),
      signal: request.signal,
      redirect: "error",
    });
  } catch (error) {
    // The platform repeats the whole URL in some of its messages.
    return failure("unreachable", withoutCredentials(`${url}: ${reasonOf(error)}`));
  }
  const read = await readBody(response);
  // Before a piece of it is cut out for a message: half a key would be found by nobody.
  const key = options.apiKey ?? "";
  const body = read !== null && key.length >= SECRET_LENGTH_MIN ? read.replaceAll(key, REDACTED) : read;
  if (body === null) return failure("bad_answer", `the answer is longer than ${BODY_BYTES_MAX} bytes or broke off`);
  if (!response.ok)
    return failure(
      overflows(response.status, body) ? "context_overflow" : "http_error",
      `HTTP ${response.status}: ${body.slice(0, 300)}`,
    );
  return readCompletion(body);
}

/** The whole body, or null where it exceeds the bound or breaks off. */
async function readBody(response: Response): Promise<string | null> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new TextDecoder().decode(concat(chunks, bytes));
      bytes += value.byteLength;
      if (bytes > BODY_BYTES_MAX) {
        await reader.cancel();
        return null;
      }
      chunks.push(value);
    }
  } catch {
    // A connection that breaks in the middle, or a deadline: there is no whole answer, and half of one is worth nothing.
    return null;
  }
}

function concat(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function readCompletion(body: string): ModelReply {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return failure("bad_answer", `the answer is not JSON: ${body.slice(0, 120)}`);
  }
  const choices = field(json, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = field(choice, "message");
  if (typeof message !== "object" || message === null) return failure("bad_answer", "the answer holds no message");
  const content = field(message, "content");
  const refusal = field(message, "refusal");
  const finish = field(choice, "finish_reason");
  const usage = field(json, "usage");
  return {
    ok: true,
    text: typeof content === "string" ? content : "",
    finish: typeof refusal === "string" && refusal !== "" ? "refusal" : typeof finish === "string" ? finish : "none",
    promptTokens: numberOrNull(field(usage, "prompt_tokens")),
    completionTokens: numberOrNull(field(usage, "completion_tokens")),
  };
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** How servers say that a prompt is longer than their window. */
function overflows(status: number, body: string): boolean {
  return status === 400 && /context (length|size|window)|maximum context|too many tokens/i.test(body);
}

function failure(code: string, detail: string): ModelReply {
  return { ok: false, code, detail };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  if (cause instanceof Error) {
    const code = field(cause, "code");
    return typeof code === "string" ? code : cause.message;
  }
  return error.message;
}

/** A URL for messages: user and password in it never reach a screen or a record. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@\s]*@/g, "//");
}
