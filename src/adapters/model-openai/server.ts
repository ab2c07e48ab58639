import { type Redaction, redactText, SECRET_LENGTH_MIN } from "../../domain/redact.ts";
import type { ModelRequest, ModelServer } from "../../ports/model.ts";
import type { Clock } from "../../ports/world.ts";
import type { Clean } from "./clean.ts";

export type OpenAiOptions = ModelServer & {
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
    clean: cleanOf([apiKey, ...queryValues(base)]),
    at: (name) => below(path, name),
    rootAt: (name) => below(root, name),
    streams: (request) => options.stream ?? request.onDelta !== undefined,
  };
}

/** Some gateways take the key in the query. The values as they are sent, and what they say. */
function queryValues({ search }: URL): readonly string[] {
  const sent = search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...new Set([...sent, ...sent.map(plainly), ...new URLSearchParams(search).values()])];
}

/** A value without its escapes, where a plus is a plus. */
function plainly(value: string): string {
  return new URLSearchParams(`v=${value.replaceAll("+", "%2B")}`).get("v") ?? value;
}

/** No secret reaches a message, however a server echoes it. */
function cleanOf(secrets: readonly string[]): Clean {
  const values = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN);
  if (values.length === 0) return withoutCredentials;
  const redaction: Redaction = { values, fields: [] };
  return (text) => withoutCredentials(redactText(text, redaction));
}

/** User and password in a URL never reach a message either. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]{1,400}@/g, "//");
}
