import { saysOverflow } from "../../domain/overflow.ts";
import { REDACTED } from "../../domain/redact.ts";
import { saysSchemaRefused } from "../../domain/schema-form.ts";
import { saysUnreadableCall } from "../../domain/unreadable-call.ts";
import type { ModelReply } from "../../ports/model.ts";
import { field, textField } from "./field.ts";

/** Why a call came to nothing, and whether and when it may be made again. */
export type Failure = {
  readonly reply: Extract<ModelReply, { ok: false }>;
  readonly retryable: boolean;
  /** What the server said of when to ask again, as it stands in the headers; null where it said nothing. */
  readonly retryAfter: RetryAfter | null;
  /** Whether it is about the schema that was sent: without it the same request may do. */
  readonly schemaRefused: boolean;
};

export type RetryAfter = { readonly header: "retry-after" | "retry-after-ms"; readonly value: string };

/** A failure that nothing is gained by repeating. */
export function finalFailure(code: string, detail: string): Failure {
  return {
    reply: { ok: false, code, detail: shortened(detail) },
    retryable: false,
    retryAfter: null,
    schemaRefused: false,
  };
}

export function abortedCall(): Failure {
  return finalFailure("aborted", "the call was aborted");
}

/** Errors of the AI SDK for an answer that could not be understood. */
const BAD_ANSWERS: readonly string[] = [
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_NoContentGeneratedError",
  "AI_TypeValidationError",
];

/**
 * What a provider threw, or sent as an error in its stream, as one of our codes. Errors are known by their fields and not
 * by their class, which each copy of the SDK has its own of.
 */
export function failureOf(error: unknown): Failure {
  const status = statusOf(error);
  const message = messageOf(error);
  // Providers put the server's own words into the body or into the message, and some only a status text into the latter.
  const body = textField(error, "responseBody") ?? "";
  if (saysUnreadableCall(status, body) || saysUnreadableCall(status, message)) {
    return finalFailure(
      "unreadable_call",
      `the server could not read its model's reply: ${body === "" ? message : body}`,
    );
  }
  if (saysOverflow(status, body) || saysOverflow(status, message)) {
    return finalFailure("context_overflow", described(status, body === "" ? message : body));
  }
  const name = textField(error, "name") ?? "";
  if (status !== null && status >= 200 && status < 300) {
    // The SDK calls it retryable where the connection tore after the status was sent.
    if (field(error, "isRetryable") === true) return brokenOff(`the answer broke off: ${message}`);
    return finalFailure("bad_answer", described(status, message));
  }
  if (BAD_ANSWERS.includes(name)) return finalFailure("bad_answer", message);
  const code = status === null ? "unreachable" : "http_error";
  return {
    reply: { ok: false, code, detail: shortened(described(status, body === "" ? message : body)) },
    retryable: field(error, "isRetryable") === true,
    retryAfter: retryAfterOf(field(error, "responseHeaders")),
    schemaRefused: saysSchemaRefused(status, body) || saysSchemaRefused(status, message),
  };
}

/**
 * As failureOf, of an error that came as a part of a stream. Where it is no error of the SDK's, it is the server's own
 * word, which comes after its status was sent and may not hold the next time.
 */
export function streamFailureOf(error: unknown): Failure {
  const name = textField(error, "name") ?? "";
  if (name === "AI_InvalidResponseDataError" && /\bwithout a finish reason\b/i.test(messageOf(error))) {
    return brokenOff();
  }
  const failure = failureOf(error);
  if (failure.reply.code !== "unreachable" || typeof field(error, "isRetryable") === "boolean") return failure;
  return { ...failure, reply: { ...failure.reply, code: "http_error" }, retryable: true };
}

/** A connection that ended before the answer did. Half of an answer is worth nothing, and the next may be whole. */
export function brokenOff(detail = "the answer broke off"): Failure {
  return {
    reply: { ok: false, code: "unreachable", detail: shortened(detail) },
    retryable: true,
    retryAfter: null,
    schemaRefused: false,
  };
}

function statusOf(error: unknown): number | null {
  const status = field(error, "statusCode");
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599 ? status : null;
}

function described(status: number | null, text: string): string {
  return status === null ? text : `HTTP ${status}: ${text}`;
}

/** The words of an error: an Error's, those of an error object of the server's, or a plain text. */
function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  const message = textField(error, "message");
  return message === null || message === "" ? "the provider gave no reason" : message;
}

function retryAfterOf(headers: unknown): RetryAfter | null {
  for (const header of ["retry-after-ms", "retry-after"] as const) {
    const value = textField(headers, header);
    if (value !== null && value !== "") return { header, value: value.slice(0, 64) };
  }
  return null;
}

const DETAIL_UNITS_MAX = 300;

/**
 * A detail for the operator. It is cut between words and never within one: the API key lies in the provider, unknown to
 * us, and a server that echoes it must not have half of it recorded, which redaction by value would not find.
 */
function shortened(text: string): string {
  const clean = text.slice(0, DETAIL_UNITS_MAX * 8).replace(/\/\/[^/@\s]*@/g, `//${REDACTED}@`);
  if (clean.length <= DETAIL_UNITS_MAX && text.length <= DETAIL_UNITS_MAX * 8) return clean;
  const start = clean.slice(0, DETAIL_UNITS_MAX);
  const cut = /[^\s"'`,;<>(){}[\]]*$/.exec(start)?.index ?? 0;
  return `${start.slice(0, cut)}…`;
}
