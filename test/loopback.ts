import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { openAiModel } from "../src/adapters/model-openai/index.ts";
import type { Model, ModelReply, ModelRequest } from "../src/ports/model.ts";
import type { Clock } from "../src/ports/world.ts";

/** A request as a server on loopback heard it; `json` is its body where that is JSON. */
export type Heard = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly json: { readonly [key: string]: unknown };
};

export type Loopback = {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly heard: readonly Heard[];
  /** Resolves when no connection is open any more. */
  quiet(): Promise<void>;
};

/** A server on loopback for one test. `answer` is told of each request and its number, counted from 1. */
export async function serve(answer: (response: ServerResponse, heard: Heard, n: number) => void): Promise<Loopback> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        json: body === "" ? {} : JSON.parse(body),
      };
      heard.push(one);
      answer(response, one, heard.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const open = (): Promise<number> => new Promise((resolve) => server.getConnections((_error, n) => resolve(n)));
  const quiet = async (): Promise<void> => {
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { url, heard, quiet };
}

/** A clock that never waits and notes how long it should have. */
export function hastyClock(now = 0): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
    },
  };
}

export type Options = Partial<Parameters<typeof openAiModel>[0]>;

export function modelAt(baseUrl: string, options: Options = {}): Model {
  return openAiModel({ baseUrl, name: "m", clock: hastyClock(), chance: () => 0.5, ...options });
}

export const SCHEMA = { type: "object" };
export const STRICT = { type: "object", properties: {}, required: [], additionalProperties: false };

export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "s",
    messages: [{ role: "user", content: "u" }],
    mode: "flat",
    schema: SCHEMA,
    schemaStrict: STRICT,
    tools: [],
    outputTokensMax: 7,
    signal: new AbortController().signal,
    ...more,
  };
}

/** One call of a new model. */
export function ask(url: string, more: Partial<ModelRequest> = {}, options: Options = {}): Promise<ModelReply> {
  return modelAt(url, options).complete(requestOf(more));
}

export function completion(message: object, choice: object = {}, more: object = {}): string {
  return JSON.stringify({ id: "x", choices: [{ index: 0, message, finish_reason: "stop", ...choice }], ...more });
}

/** One event of a stream. */
export function chunk(delta: object, choice: object = {}): string {
  return JSON.stringify({ id: "x", choices: [{ index: 0, delta, finish_reason: null, ...choice }] });
}

export function events(...data: readonly string[]): string {
  return data.map((one) => `data: ${one}\n\n`).join("");
}
