import type { Probed } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { ModelCall, SentAs, WireMode, WireTool } from "../domain/said.ts";

/** One call to a model. `system` and `messages` are final: an adapter adds nothing to them. */
export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly mode: WireMode;
  /** JSON Schema of the flat reply with the params as JSON text. Never trusted: the reply is parsed strictly here. */
  readonly schema: Json;
  /** The same with each tool's params as a strict object, for a server that was seen to honour schemas; null where a tool's params cannot be said so. */
  readonly schemaStrict: Json | null;
  /** The native tools; empty in mode `flat`. */
  readonly tools: readonly WireTool[];
  readonly outputTokensMax: number;
  /** For a server that takes one: the same seed with the same prompt tends to the same reply. Left out: the server's own chance. */
  readonly seed?: number;
  readonly signal: AbortSignal;
  /**
   * Hears the content as it arrives, for a model that streams. null: what was heard is void, since the call is made again.
   * Tool calls are not heard: they are held until they are complete. The reply that is returned is what counts.
   */
  readonly onDelta?: (content: string | null) => void;
};

/** A ModelServer: an OpenAI-compatible server, as an operator declares it: vLLM, Ollama, llama.cpp, LM Studio. */
export type ModelServer = {
  /** An http(s) URL that ends in `/v1`, as most servers have it. */
  readonly baseUrl: string;
  readonly name: string;
  /** Sent as a bearer token; never recorded. */
  readonly apiKey?: string;
  /** 0 to 2; default 0, so that the same prompt tends to the same reply. */
  readonly temperature?: number;
  /** For the cost budget: millionths of a currency unit for 1,000 tokens. */
  readonly price?: ModelPrice;
  /** Default `flat`: one JSON object in the content. `tools`: native tool calls, for models that are better at those. */
  readonly mode?: WireMode;
  /** Whether replies are streamed. Default: where somebody listens. */
  readonly stream?: boolean;
  /** How often a request is sent again after what may pass, such as HTTP 429 or a broken connection. 0 to 10; default 2. */
  readonly retries?: number;
  /** The profile of guide text that this model takes, by its name in the config. */
  readonly profile?: string;
};

export type ModelMessage = { readonly role: "user" | "assistant"; readonly content: string };

export type ModelReply =
  | {
      readonly ok: true;
      readonly text: string;
      /** Native tool calls in their order; left out where the model has none. */
      readonly calls?: readonly ModelCall[];
      /** `stop`, `length`, `refusal`, or the server's own word. */
      readonly finish: string;
      readonly promptTokens: number | null;
      readonly completionTokens: number | null;
      /** How the reply was constrained; left out where the model has no server. */
      readonly sentAs?: SentAs;
      /** Requests that it took, retries included. Default 1. */
      readonly attempts?: number;
    }
  | {
      readonly ok: false;
      /**
       * `unreachable | timeout | http_error | bad_answer | context_overflow | script_exhausted`; `aborted`: the request's
       * signal ended it; and `unreadable_call`: the server could not read what its model said. That is the model's fault,
       * so it counts as a malformed reply.
       */
      readonly code: string;
      readonly detail: string;
    };

/**
 * What shapes a model's replies beside the prompt, each by its name: what a trial holds constant. No credentials.
 * `temperature`: null where none is sent, so that the server's own holds. `seeded`: whether a request's seed is sent on. Both may
 * change once the server was asked, since it may refuse them.
 */
export type ModelSettings = {
  readonly temperature: number | null;
  readonly seeded: boolean;
  readonly [name: string]: string | number | boolean | null;
};

/** In millionths of a currency unit for 1,000 tokens. */
export type ModelPrice = { readonly promptMicro: number; readonly completionMicro: number };

/** The world's stochastic part. Never throws for what a server does: the failure is a value with a code. */
export type Model = {
  readonly name: string;
  /** `scripted` models say so on every screen. */
  readonly kind: "live" | "scripted";
  /** Where it is, for messages to the operator; no credentials. */
  readonly where: string;
  /** What it costs, for the cost budget; left out, it counts as free. */
  readonly price?: ModelPrice;
  /** How replies are asked for. Default `flat`: small models do best with one flat object. */
  readonly mode?: WireMode;
  /** Left out: nothing is known of them. */
  readonly settings?: ModelSettings;
  complete(request: ModelRequest): Promise<ModelReply>;
  /** Finds out what the server does with a schema, by a canary. Asked once a process, before the first call. */
  probe?(signal: AbortSignal): Promise<Probe>;
  /** Tokens of a text by the server's own tokeniser; null where it has none or does not answer. */
  countTokens?(text: string, signal: AbortSignal): Promise<number | null>;
  /** Why `countTokens` gave null the last time, without secrets; null where it did not, or where nothing is known of it. */
  countFailure?(): ProbeFailure | null;
};

/**
 * What a canary schema came to: constrained decoding was `honoured`, silently `ignored`, or refused with an `error`, while the
 * same request without a schema is answered. `unclear`: the reply was cut, refused or empty, as of a model that thinks, so
 * nothing can be told from it. `unreachable`: no answer, or trouble that may pass; it is asked again later.
 */
export type Probe = {
  readonly schema: Probed["schema"] | "unreachable";
  /** Whether the server turns a model's call of a native tool into a tool call, of the same kind. `unasked` in mode `flat`. */
  readonly tools: Probed["tools"];
  /** Whether the server has a tokeniser to ask. */
  readonly tokeniser: boolean;
  /** The server's context window in tokens, where it says so. */
  readonly windowTokens: number | null;
  /** What was seen, in one line. */
  readonly detail: string;
  /** What came back for each question alone; `tools`: null where it was not asked. Left out by a model that cannot tell. */
  readonly seen?: { readonly schema: string; readonly tools: string | null };
  /** Why it is `unreachable`, as a call's failure has it. */
  readonly failure?: ProbeFailure;
};

/** `models`: some of what the server has, where it was asked for a model and did not find it. */
export type ProbeFailure = { readonly code: string; readonly detail: string; readonly models?: readonly string[] };
