import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** One HTTP request. */
export type Sending = {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  readonly signal: AbortSignal;
};

/** The beginning of an answer; its body is as it came over the wire. */
export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
};

/** `again`: whether the same request may fare better later. */
export type NoAnswer = { readonly kind: "no_answer"; readonly reason: string; readonly again: boolean };

/**
 * Sends one request and gives its answer to `read`. Whatever `read` leaves unread is cut off, and the connection is closed
 * when it returns, at the latest when the signal aborts; then its body breaks off for `read`.
 *
 * Node's HTTP client and not `fetch`, for what cannot be said to `fetch`: that only the signal ends a slow answer (it gives
 * up after five minutes of silence, which a large prompt on a small machine takes), and that no proxy of the environment is
 * used. Redirects are never followed. Each request has a connection of its own, so that none is lost to a connection that
 * the server was just giving up; a model's reply takes far longer than a handshake.
 */
export async function exchange<T>(
  sending: Sending,
  read: (answer: Answer) => Promise<T>,
): Promise<Awaited<T> | NoAnswer> {
  const { url, method, headers, body, signal } = sending;
  // Imported when they are needed: TLS takes long to load, and most servers are on this machine.
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  if (signal.aborted) return noAnswer("aborted", false);
  let sent: ClientRequest;
  try {
    sent = request(url, { method, headers, agent: false });
  } catch (error) {
    // A header that cannot be sent, such as a key with a line break in it.
    return noAnswer(reasonOf(error), false);
  }
  const onAbort = (): void => {
    sent.destroy();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const answer = await answered(sent, body);
    if ("kind" in answer) return answer;
    return await read({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer });
  } finally {
    signal.removeEventListener("abort", onAbort);
    sent.destroy();
  }
}

function answered(sent: ClientRequest, body: string | null): Promise<IncomingMessage | NoAnswer> {
  return new Promise((resolve) => {
    sent.on("response", (answer) => {
      // Whoever reads the body hears of its errors; where nobody reads any more, there is nobody to tell.
      answer.on("error", () => {});
      resolve(answer);
    });
    // Stays for good: an error after the answer began is heard with its body.
    sent.on("error", (error) => resolve(noAnswer(reasonOf(error), true)));
    sent.on("close", () => resolve(noAnswer("the connection was closed without an answer", true)));
    sent.end(body ?? undefined);
  });
}

function noAnswer(reason: string, again: boolean): NoAnswer {
  return { kind: "no_answer", reason, again };
}

/** A name for what went wrong with a connection, such as `ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Each address of a host is tried, and each gives an error of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return "code" in error && typeof error.code === "string" ? `${error.code}: ${error.message}` : error.message;
}
