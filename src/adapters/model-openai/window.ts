import type { Json } from "../../domain/json.ts";
import { readWhole } from "./body.ts";
import { field, readDocument } from "./document.ts";
import { exchange } from "./exchange.ts";
import type { Server } from "./server.ts";

/** How long each of these questions may take: they are worth less than a wait. */
const ANSWER_MS_MAX = 2_000;
const TOKENS_MIN = 128;
const TOKENS_MAX = 100_000_000;

/** The server's window in tokens, prompt and reply together, where it says so in one of the ways that are known. */
export async function windowOf(server: Server, signal: AbortSignal): Promise<number | null> {
  const { name } = server.writing;
  const places: readonly (readonly [URL, (value: Json) => Json | undefined])[] = [
    // vLLM and SGLang; some gateways say it as `context_length`.
    [server.at("models"), (value) => ofModel(field(value, "data"), name, ["max_model_len", "context_length"])],
    // llama.cpp: what one slot has, which is less than the model could.
    [server.rootAt("props"), (value) => field(field(value, "default_generation_settings"), "n_ctx")],
    // Ollama: what the model was loaded with.
    [server.rootAt("api/ps"), (value) => ofModel(field(value, "models"), name, ["context_length"])],
  ];
  for (const [url, read] of places) {
    const value = await ask(server, url, signal);
    const tokens = value === null ? undefined : read(value);
    if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= TOKENS_MIN && tokens <= TOKENS_MAX) {
      return tokens;
    }
  }
  return null;
}

/** What a list of models says of the one by that name, or of its only one, which is served under any name. */
function ofModel(models: Json | undefined, name: string, keys: readonly string[]): Json | undefined {
  if (!Array.isArray(models)) return undefined;
  const named = models.find((model) => ["id", "name", "model"].some((key) => field(model, key) === name));
  const model: Json | undefined = named ?? (models.length === 1 ? models[0] : undefined);
  return keys.map((key) => field(model, key)).find((value) => typeof value === "number");
}

/** The document at a URL, or null: where a server says nothing of its window or its models, there is nothing to report. */
export async function ask(server: Server, url: URL, signal: AbortSignal): Promise<Json | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
  const told = await exchange(
    { url, method: "GET", headers: server.headers, body: null, signal: limit },
    async (answer) => ({
      kind: "answer" as const,
      text: answer.status === 200 ? await readWhole(answer) : null,
    }),
  );
  if (told.kind === "no_answer" || told.text === null) return null;
  const document = readDocument(told.text);
  return document.ok ? document.value.value : null;
}
