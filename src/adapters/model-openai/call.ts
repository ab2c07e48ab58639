import { isTransient, pauseMs, TOLD_MS_MAX, toldMs } from "../../domain/retry.ts";
import { unreachable } from "../../domain/unreachable.ts";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";
import { readAnswer } from "./answer.ts";
import { fault, type Outcome } from "./completion.ts";
import { type Dialect, lower, lowered } from "./dialect.ts";
import { exchange } from "./exchange.ts";
import { Listener } from "./listener.ts";
import { isOverflow } from "./overflow.ts";
import { isUnreadableCall, type Refusal } from "./refusal.ts";
import { writeRequest } from "./request.ts";
import type { Server } from "./server.ts";

/** More than a dialect can be lowered in one call; a bound all the same. */
const LOWERED_MAX = 8;

/** How a call goes on after a request that brought no reply: it ends, or the same is asked again. */
type Next =
  | { readonly kind: "end"; readonly code: string; readonly detail: string }
  | { readonly kind: "retry"; readonly code: string; readonly detail: string; readonly told: number | null };

/**
 * One call: as many requests as it takes, and one reply or one failure. What the server refuses about the form of a request
 * is left out of the next one at once and noted in `dialect`; what may pass is sent again after a pause.
 */
export async function call(server: Server, request: ModelRequest, dialect: Dialect): Promise<ModelReply> {
  const { signal } = request;
  const listener = new Listener(request);
  let retries = 0;
  let changes = 0;
  for (let attempts = 1; ; attempts++) {
    if (signal.aborted) return ABORTED;
    const written = writeRequest(request, dialect, { ...server.writing, stream: server.streams(request) });
    const outcome = await send(server, JSON.stringify(written.body), signal, listener);
    if (signal.aborted) return ABORTED;
    if (outcome.kind === "said") {
      listener.end();
      const { kind: _kind, calls, ...said } = outcome;
      return { ok: true, ...said, ...(calls.length > 0 ? { calls } : {}), sentAs: written.sentAs, attempts };
    }
    listener.void();
    if (outcome.kind === "refused" && !isOverflow(outcome.status, outcome.about, request.outputTokensMax)) {
      const change = isUnreadableCall(outcome) ? null : lowered(written.offered, outcome.status, outcome.about);
      if (change !== null && changes < LOWERED_MAX) {
        lower(dialect, change);
        changes += 1;
        continue;
      }
    }
    const next = nextAfter(outcome, request, server);
    if (next.kind === "end") return failure(next.code, next.detail);
    if (retries >= server.retries) return failure(next.code, afterAttempts(next.detail, attempts));
    if (next.told !== null && next.told > TOLD_MS_MAX) {
      const seconds = Math.ceil(next.told / 1_000);
      return failure(next.code, `${next.detail} (it asks for a pause of ${seconds} s, which is not waited for)`);
    }
    retries += 1;
    await server.clock.sleep(pauseMs(retries, server.chance(), next.told), signal);
  }
}

const ABORTED: ModelReply = { ok: false, code: "aborted", detail: "the call was aborted" };

async function send(server: Server, body: string, signal: AbortSignal, listener: Listener): Promise<Outcome> {
  if (server.barred !== null) return fault("unreachable", server.barred, false);
  const sending = {
    url: server.at("chat/completions"),
    method: "POST",
    headers: server.headers,
    body,
    signal,
  } as const;
  const outcome = await exchange(sending, (answer) =>
    readAnswer(answer, (content) => listener.hear(content), server.clean),
  );
  if (outcome.kind !== "no_answer") return outcome;
  return fault("unreachable", server.clean(`${server.where}: ${outcome.reason}`), outcome.again);
}

function nextAfter(outcome: Exclude<Outcome, { kind: "said" }>, request: ModelRequest, server: Server): Next {
  switch (outcome.kind) {
    case "fault": {
      const { code, detail, again } = outcome;
      return again ? { kind: "retry", code, detail, told: null } : { kind: "end", code, detail };
    }
    case "refused": {
      const { status, about, retryAfter } = outcome;
      const detail = detailOf(outcome);
      if (isOverflow(status, about, request.outputTokensMax)) return { kind: "end", code: "context_overflow", detail };
      if (isUnreadableCall(outcome)) return { kind: "end", code: "unreadable_call", detail };
      const code = outcome.place === "body" ? "bad_answer" : "http_error";
      if (!isTransient(status)) return { kind: "end", code, detail };
      return { kind: "retry", code, detail, told: toldMs(retryAfter, server.clock.now()) };
    }
    default:
      return unreachable(outcome);
  }
}

function detailOf({ status, place, about }: Refusal): string {
  const said = about.slice(0, 300);
  switch (place) {
    case "status":
      return `HTTP ${status}: ${said}`;
    case "body":
      return `HTTP 200 with an error: ${said}`;
    case "stream":
      return `an error in the middle of the stream: ${said}`;
    default:
      return unreachable(place);
  }
}

function afterAttempts(detail: string, attempts: number): string {
  return attempts === 1 ? detail : `${detail} (after ${attempts} requests)`;
}

function failure(code: string, detail: string): ModelReply {
  return { ok: false, code, detail };
}
