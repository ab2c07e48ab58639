import { type Redaction, redactText, SECRET_LENGTH_MIN } from "../../domain/redact.ts";
import type { WireMode } from "../../domain/said.ts";
import type { ModelPrice, ModelRequest } from "../../ports/model.ts";
import type { Clock } from "../../ports/world.ts";
import type { Clean } from "./refusal.ts";

export type OpenAiOptions = {
  /** An http(s) URL that ends in `/v1`, as most servers have it. */
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly price?: ModelPrice;
  /** Default `flat`. */
  readonly mode?: WireMode;
  /** Default: only where somebody listens. */
  readonly stream?: boolean;
  /** How often a request is sent again after what may pass. Default 2. */
  readonly retries?: number;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly chance: () => number;
};

/** A Server: where to ask, and how. */
export type Server = {
  /** For messages: no credentials and no query. */
  readonly where: string;
  /** Why nothing is sent to it, or null. */
  readonly barred: string | null;
  readonly headers: { readonly [name: string]: string };
  readonly writing: { readonly name: string; readonly temperature: number };
  readonly retries: number;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly clean: Clean;
  /** A path below the base. */
  at(path: string): URL;
  /** A path below the root, which is the base without its `/v1`: where servers keep what OpenAI has not. */
  rootAt(path: string): URL;
  streams(request: ModelRequest): boolean;
};

/** Throws a TypeError where `baseUrl` is no URL. */
export function serverOf(options: OpenAiOptions): Server {
  const base = new URL(options.baseUrl);
  const path = base.pathname.replace(/\/+$/, "");
  const root = path.replace(/\/v1$/, "");
  const below = (folder: string, name: string): URL => {
    const url = new URL(base);
    url.pathname = `${folder}/${name}`;
    return url;
  };
  const { apiKey = "" } = options;
  return {
    where: `${base.origin}${path}`,
    barred:
      base.username === "" && base.password === ""
        ? null
        : "its URL holds a user or password, which would be recorded with it; give the key as `apiKey`",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "accept-encoding": "identity",
      ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    writing: { name: options.name, temperature: options.temperature ?? 0 },
    retries: options.retries ?? 2,
    clock: options.clock,
    chance: options.chance,
    clean: cleanOf(apiKey),
    at: (name) => below(path, name),
    rootAt: (name) => below(root, name),
    streams: (request) => options.stream ?? request.onDelta !== undefined,
  };
}

/** The key never reaches a message, however a server echoes it. */
function cleanOf(apiKey: string): Clean {
  if (apiKey.length < SECRET_LENGTH_MIN) return withoutCredentials;
  const redaction: Redaction = { values: [apiKey], fields: [] };
  return (text) => withoutCredentials(redactText(text, redaction));
}

/** User and password in a URL never reach a message either. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]{1,400}@/g, "//");
}
