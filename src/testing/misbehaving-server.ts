import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isJsonObject, type Json, own } from "../domain/json.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { parseJson } from "../domain/scan.ts";
import { bentAnswer, honestAnswer } from "./misbehaviour-acts.ts";
import { type Answer, answer, errorAnswer, jsonAnswer } from "./misbehaviour-answer.ts";
import { deliver } from "./misbehaviour-delivery.ts";
import {
  canaryReply,
  completionOf,
  type HeardRequest,
  type HonestReply,
  isBent,
  isCanary,
  isRaw,
  type ServerReply,
  schemaOf,
  tokensOf,
  toolOf,
} from "./misbehaviour-script.ts";
import type { MisbehaviourName } from "./misbehaviours.ts";

export type MisbehavingServerOptions = {
  /** What it says, one line for each request for a reply. When they are used up it answers with HTTP 400. */
  readonly replies: Iterable<ServerReply>;
  /** Bends every reply that the script does not bend itself, and the answer to a canary where the misbehaviour is about that. */
  readonly always?: MisbehaviourName;
  /** The name of the model in `/v1/models`. Default `scripted`. */
  readonly model?: string;
  /** The context window that it claims, in tokens. Default 16,384. */
  readonly windowTokens?: number;
  /** Whether it has a `/tokenize`. Default true. */
  readonly tokeniser?: boolean;
};

export type MisbehavingServer = {
  /** Ends in `/v1`: what a config's `model.baseUrl` takes. */
  readonly baseUrl: string;
  /** The requests for a reply, oldest first. The newest 1,000 are kept. */
  readonly requests: readonly HeardRequest[];
  /** Requests that tried out what it does with schemas and tools. They use up no reply. */
  readonly probes: readonly HeardRequest[];
  /** Everything else that it was asked: models, tokens. */
  readonly others: readonly HeardRequest[];
  /**
   * Closes it and every connection to it at once, answers under way included. May be called again. Rejects with the first
   * error that a function of the script threw.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Requests of each sort that are kept. */
const KEPT_MAX = 1_000;
/** Bytes of a request that are read; a longer one is refused. */
const REQUEST_BYTES_MAX = 8 * 1024 * 1024;
const REQUEST_LIMITS = { ...JSON_LIMITS, bytesMax: REQUEST_BYTES_MAX, keysMax: 100_000, depthMax: 64 };
const WINDOW_TOKENS = 16_384;

/**
 * A model's server on loopback, by a script, that can do everything that such servers do wrong (`MISBEHAVIOURS`). It speaks
 * `/v1/chat/completions`, plain and as a stream, `/v1/models` and `/tokenize`, on a free port of 127.0.0.1.
 */
export async function misbehavingServer(options: MisbehavingServerOptions): Promise<MisbehavingServer> {
  const requests: HeardRequest[] = [];
  const probes: HeardRequest[] = [];
  const others: HeardRequest[] = [];
  const thrown: unknown[] = [];
  const speak = speaker(options);
  // A line of the script may look at what it heard, and what it throws is told by close(): nobody else waits for it.
  const spoken = (heard: HeardRequest): Answer => {
    try {
      return speak(heard);
    } catch (error) {
      thrown.push(error);
      return errorAnswer(400, "the script threw");
    }
  };
  const server = createServer((request, response) => {
    hear(request, response, (heard) => {
      if (!heard.path.endsWith("/chat/completions")) {
        keep(others, heard);
        return deliver(response, elsewhere(heard, options));
      }
      if (heard.body === null) return deliver(response, errorAnswer(400, "the body is not JSON"));
      const canary = isCanary(heard.body);
      keep(canary ? probes : requests, heard);
      deliver(response, canary ? canaryAnswer(heard, options.always) : spoken(heard));
    });
  });
  // Answers that hang are the point here: they end when the client goes or the server is closed.
  server.requestTimeout = 0;
  const port = await listen(server);
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve, reject) => {
      server.close(() => (thrown.length === 0 ? resolve() : reject(thrown[0])));
      server.closeAllConnections();
    });
    return closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests, probes, others, close, [Symbol.asyncDispose]: close };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") return reject(new Error("the server has no port"));
      resolve(address.port);
    });
  });
}

/** Reads a request whole and hands it on. One that breaks off is nobody's any more; one that is too long is refused. */
function hear(request: IncomingMessage, response: ServerResponse, told: (heard: HeardRequest) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk);
  });
  request.on("end", () => {
    if (bytes > REQUEST_BYTES_MAX) return deliver(response, errorAnswer(413, "the request is too long"));
    const text = Buffer.concat(chunks).toString("utf8");
    const json = parseJson(text, REQUEST_LIMITS);
    told({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: headersOf(request),
      text,
      body: json.ok ? json.value : null,
    });
  });
}

function headersOf({ headers }: IncomingMessage): HeardRequest["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

function keep(list: HeardRequest[], heard: HeardRequest): void {
  list.push(heard);
  if (list.length > KEPT_MAX) list.shift();
}

/** Gives each request for a reply its answer by the script. */
function speaker({ replies, always }: MisbehavingServerOptions): (heard: HeardRequest) => Answer {
  const lines = replies[Symbol.iterator]();
  let number = 0;
  const bend = (name: MisbehaviourName, reply: HonestReply, heard: HeardRequest): Answer => {
    const lastId = `chatcmpl-${Math.max(0, number - 1)}`;
    return bentAnswer(name, completionOf(reply, number, heard.body), { heard, lastId });
  };
  return (heard) => {
    // Such a server refuses before its model has said anything.
    if (refuses(always, heard.body)) return bend(always, "", heard);
    const line = lines.next();
    if (line.done === true) return errorAnswer(400, "the script has no further reply");
    number += 1;
    const said = typeof line.value === "function" ? line.value(heard) : line.value;
    if (isRaw(said)) return rawAnswer(said.status, said.headers ?? {}, said.body);
    if (isBent(said)) return bend(said.misbehaviour, said.reply ?? { kind: "conversation", text: "bent" }, heard);
    if (always !== undefined && !isRefusal(always)) return bend(always, said, heard);
    return honestAnswer(completionOf(said, number, heard.body), heard);
  };
}

function rawAnswer(status: number, headers: Answer["headers"], body: string): Answer {
  const plain = answer(status, "application/json", body);
  return { ...plain, headers: { ...plain.headers, ...headers } };
}

type Refusal = "schema_refused" | "tools_refused";

function isRefusal(name: MisbehaviourName | undefined): name is Refusal {
  return name === "schema_refused" || name === "tools_refused";
}

/** Whether the server takes no request of this form. */
function refuses(always: MisbehaviourName | undefined, body: Json): always is Refusal {
  return isRefusal(always) && (always === "schema_refused" ? schemaOf(body) : toolOf(body)) !== undefined;
}

/** Honest, unless what the server does with schemas or tools is what is wrong with it. */
function canaryAnswer(heard: HeardRequest, always: MisbehaviourName | undefined): Answer {
  const { body } = heard;
  const deaf = toolOf(body) === undefined ? always === "schema_ignored" : always === "tools_ignored";
  const said = completionOf(deaf ? "pong" : canaryReply(body), 0, body);
  return refuses(always, body) ? bentAnswer(always, said, { heard, lastId: said.id }) : honestAnswer(said, heard);
}

/** `/v1/models` as vLLM has it, `/tokenize` as vLLM and llama.cpp do. */
function elsewhere({ path, body }: HeardRequest, options: MisbehavingServerOptions): Answer {
  const windowTokens = options.windowTokens ?? WINDOW_TOKENS;
  if (path.endsWith("/models")) {
    const model = { id: options.model ?? "scripted", object: "model", max_model_len: windowTokens };
    return jsonAnswer(200, { object: "list", data: [model] });
  }
  if (path.endsWith("/tokenize") && options.tokeniser !== false) {
    const count = tokensOf(textToCount(body));
    const tokens = Array.from({ length: count }, (_, i) => i);
    return jsonAnswer(200, { count, max_model_len: windowTokens, tokens });
  }
  return errorAnswer(404, "there is nothing here");
}

function textToCount(body: Json): string {
  if (!isJsonObject(body)) return "";
  const text = own(body, "prompt") ?? own(body, "content") ?? "";
  return typeof text === "string" ? text : JSON.stringify(text);
}
