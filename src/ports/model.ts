import type { Json } from "../domain/json.ts";

/** One call to a model. `system` and `messages` are final: an adapter adds nothing to them. */
export type ModelRequest = {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** JSON Schema of the reply, for servers that constrain decoding. Never trusted: the reply is parsed strictly here. */
  readonly schema: Json;
  readonly outputTokensMax: number;
  readonly signal: AbortSignal;
};

export type ModelMessage = { readonly role: "user" | "assistant"; readonly content: string };

export type ModelReply =
  | {
      readonly ok: true;
      readonly text: string;
      /** `stop`, `length`, `refusal`, or the server's own word. */
      readonly finish: string;
      readonly promptTokens: number | null;
      readonly completionTokens: number | null;
    }
  | {
      readonly ok: false;
      /** `unreachable | timeout | http_error | bad_answer | context_overflow | script_exhausted` */
      readonly code: string;
      readonly detail: string;
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
  complete(request: ModelRequest): Promise<ModelReply>;
};
