import { createHash } from "node:crypto";
import type { Model, ModelSettings } from "../../ports/model.ts";
import { call } from "./call.ts";
import { type Dialect, firstDialect } from "./dialect.ts";
import { probed, probeSchema, probeTools } from "./probe.ts";
import { type OpenAiOptions, serverOf } from "./server.ts";
import { Tokeniser } from "./tokeniser.ts";
import { windowOf } from "./window.ts";

/**
 * A model behind an OpenAI-compatible `/v1/chat/completions`: vLLM, Ollama, llama.cpp, LM Studio, OpenAI. What the server
 * does wrong is a value with a code, and nothing that it claims to enforce is trusted. What it refuses of a request's form
 * is remembered for as long as the model is.
 */
export function openAiModel(options: OpenAiOptions): Model {
  const server = serverOf(options);
  const dialect = firstDialect();
  const tokeniser = new Tokeniser(server);
  const { name, price, mode = "flat" } = options;
  const declared = settingsOf(options);
  return {
    name,
    kind: "live",
    where: server.where,
    ...(price === undefined ? {} : { price }),
    mode,
    get settings() {
      return settingsIn(dialect, declared);
    },
    complete: (request) => call(server, request, dialect),
    countTokens: (text, signal) => tokeniser.count(text, signal),
    countFailure: () => tokeniser.failure,
    async probe(signal) {
      const schema = await probeSchema(server, dialect, signal);
      const reached = schema.found !== "unreachable";
      const tools = mode === "tools" ? (reached ? await probeTools(server, dialect, signal) : schema) : null;
      // A server in trouble with its model may well know its window.
      const counts = schema.answers && (await tokeniser.count("pong", signal)) !== null;
      return probed(schema, tools, counts, schema.answers ? await windowOf(server, signal) : null);
    },
  };
}

/** What the server has refused shapes nothing: it was left out of every request since. Before it is asked, what is declared. */
function settingsIn({ seed, temperature }: Dialect, declared: ModelSettings): ModelSettings {
  return { ...declared, temperature: temperature ? declared.temperature : null, seeded: seed };
}

/** Of the query, which may hold a key, only its digest: gateways take versions and deployments there. */
function settingsOf({ baseUrl, temperature = 0, stream }: OpenAiOptions): ModelSettings {
  const { search } = new URL(baseUrl);
  const query = search === "" ? null : createHash("sha256").update(search).digest("hex");
  return { temperature, seeded: true, stream: stream ?? null, query };
}
