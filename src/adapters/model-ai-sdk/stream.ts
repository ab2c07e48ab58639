import type { Parsed } from "../../domain/parsed.ts";
import type { SentAs } from "../../domain/said.ts";
import type { ModelReply } from "../../ports/model.ts";
import { Answer, unlessWarned } from "./answer.ts";
import type { Call } from "./call.ts";
import { abortedCall, brokenOff, type Failure, failureOf, finalFailure, streamFailureOf } from "./failure.ts";
import { field } from "./field.ts";
import type { AiSdkLanguageModel } from "./options.ts";
import { ABORTED, unlessAborted } from "./unless-aborted.ts";

/** The outcome of one attempt. */
export type Tried =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Parts of a stream that are read. A stream that is always ready lets no timer run, so a deadline could not end it; this
 * does.
 */
const PARTS_MAX = 500_000;

/** One call through `doStream`. `tell` hears the text as it arrives; tool calls are held by the SDK until they are whole. */
export async function readStream(
  model: AiSdkLanguageModel,
  call: Call,
  tell: (text: string) => void,
  sentAs: SentAs,
  attempts: number,
): Promise<Tried> {
  const signal = call.abortSignal;
  let reader: unknown;
  try {
    const started = await unlessAborted(signal, () => model.doStream(call));
    if (started === ABORTED) return failed(abortedCall());
    const stream = field(started, "stream");
    if (typeof field(stream, "getReader") !== "function") {
      return failed(finalFailure("bad_answer", "the provider gave no stream"));
    }
    reader = invoke(stream, "getReader");
  } catch (error) {
    return failed(failureOf(error));
  }
  const parts = new Parts(tell, sentAs, attempts);
  try {
    for (let count = 0; count < PARTS_MAX; count++) {
      const next = await nextPart(reader, signal);
      if (!next.ok) return next;
      const outcome = parts.take(next.part);
      if (outcome !== null) return outcome;
    }
    return failed(finalFailure("bad_answer", `the answer has more than ${PARTS_MAX} parts`));
  } finally {
    letGo(reader);
  }
}

function failed(failure: Failure): Extract<Tried, { ok: false }> {
  return { ok: false, failure };
}

type Next = { readonly ok: true; readonly part: unknown } | Extract<Tried, { ok: false }>;

async function nextPart(reader: unknown, signal: AbortSignal): Promise<Next> {
  try {
    const step = await unlessAborted(signal, () => invoke(reader, "read"));
    if (step === ABORTED) return failed(abortedCall());
    if (field(step, "done") !== true) return { ok: true, part: field(step, "value") };
  } catch (error) {
    return failed(unreadFailureOf(error));
  }
  // Without its last part there is no whole answer.
  return failed(brokenOff());
}

/** Why a stream cannot be read on: what the SDK says of it, or the platform's word for a connection that broke. */
function unreadFailureOf(error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.reply.code !== "unreachable" || failure.retryable) return failure;
  return brokenOff(`the answer broke off: ${failure.reply.detail}`);
}

/** The parts of one stream so far. */
class Parts {
  readonly #answer = new Answer();
  readonly #tell: (text: string) => void;
  readonly #attempts: number;
  #sentAs: SentAs;

  constructor(tell: (text: string) => void, sentAs: SentAs, attempts: number) {
    this.#tell = tell;
    this.#sentAs = sentAs;
    this.#attempts = attempts;
  }

  /** Takes in one part; the outcome where it was the last. */
  take(part: unknown): Tried | null {
    switch (field(part, "type")) {
      case "stream-start":
        this.#sentAs = unlessWarned(this.#sentAs, field(part, "warnings"));
        return null;
      case "text-delta":
        return this.#takeDelta(field(part, "delta"));
      case "error":
        return failed(streamFailureOf(field(part, "error")));
      case "finish":
        return outcomeOf(this.#answer.reply(part, null, this.#sentAs, this.#attempts));
      default: {
        const taken = this.#answer.take(part);
        return taken.ok ? null : failed(finalFailure(taken.why.code, taken.why.detail));
      }
    }
  }

  #takeDelta(delta: unknown): Tried | null {
    const taken = this.#answer.takeText(delta);
    if (!taken.ok) return failed(finalFailure(taken.why.code, taken.why.detail));
    if (typeof delta === "string" && delta !== "") this.#tell(delta);
    return null;
  }
}

/** What an answer was read as, as the outcome of an attempt. */
export function outcomeOf(read: Parsed<ModelReply>): Tried {
  if (read.ok) return { ok: true, reply: read.value };
  return failed(read.why.code === "broken_off" ? brokenOff() : finalFailure(read.why.code, read.why.detail));
}

function invoke(target: unknown, name: string): unknown {
  const method = field(target, name);
  if (typeof method !== "function") throw new TypeError(`the provider's stream has no function ${name}`);
  return Reflect.apply(method, target, []);
}

/** Tells the provider that nobody reads on. Not waited for: the outcome is known, and a stream that is over may refuse. */
function letGo(reader: unknown): void {
  new Promise((begin) => begin(invoke(reader, "cancel"))).then(nothing, nothing);
}

function nothing(): void {}
