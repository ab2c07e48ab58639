import type { SentAs } from "../../domain/said.ts";
import { formAfter, lowerForm, type SchemaForm } from "../../domain/schema-form.ts";
import type { Model, ModelReply, ModelRequest } from "../../ports/model.ts";
import type { Clock } from "../../ports/world.ts";
import { readGenerated } from "./answer.ts";
import { backOff } from "./back-off.ts";
import { type Call, callOf } from "./call.ts";
import { abortedCall, failureOf } from "./failure.ts";
import {
  type AiSdkLanguageModel,
  AiSdkModelError,
  type AiSdkOptions,
  languageModelFault,
  optionFaults,
} from "./options.ts";
import { outcomeOf, readStream, type Tried } from "./stream.ts";
import { systemClock } from "./system-clock.ts";
import { ABORTED, unlessAborted } from "./unless-aborted.ts";

/**
 * A Model out of a language model of the AI SDK (5, 6 or 7), for providers that our own client does not speak to.
 *
 * Each call is one `doGenerate`, or one `doStream` where somebody listens, with what the request holds and nothing else.
 * A schema that
 * the provider refuses is left out of the next one, first in part. What comes back is read as unknown. A call that the provider executed by itself is refused as `provider_executed`: it ran
 * outside of every rail. Errors are values with a code; those that the provider calls retryable are tried again.
 *
 * Throws an AiSdkModelError where the model or the options cannot be used.
 */
export function aiSdkModel(languageModel: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  const fault = languageModelFault(languageModel);
  if (fault !== null) throw new AiSdkModelError("bad_model", fault);
  const faults = optionFaults(options);
  if (faults.length > 0) throw new AiSdkModelError("bad_options", faults.join("; "));
  const { retries = 2, temperature = 0, clock = systemClock, chance = Math.random } = options;
  const client: Client = { languageModel, retries, temperature, clock, chance, form: "object" };
  return {
    name: options.name ?? languageModel.modelId,
    kind: "live",
    where: `${languageModel.provider}, through the AI SDK`,
    ...(options.price === undefined ? {} : { price: options.price }),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    settings: { temperature, seeded: true, model: languageModel.modelId },
    complete: (request) => complete(client, request),
  };
}

type Client = {
  readonly languageModel: AiSdkLanguageModel;
  readonly retries: number;
  readonly temperature: number | null;
  readonly clock: Clock;
  readonly chance: () => number;
  /** What the provider was seen to take of schemas. There is no canary here: the first call finds it out. */
  form: SchemaForm;
};

async function complete(client: Client, request: ModelRequest): Promise<ModelReply> {
  const heard = heardBy(request);
  let { form } = client;
  let retried = 0;
  for (let attempt = 1; ; attempt++) {
    const { call, sentAs } = callOf(request, client.temperature, form);
    const tried =
      heard === null
        ? await generate(client.languageModel, call, request, sentAs, attempt)
        : await readStream(client.languageModel, call, heard.tell, sentAs, attempt);
    if (tried.ok) {
      // Learnt only now: what refuses every form says nothing about schemas.
      client.form = lowerForm(client.form, form);
      return tried.reply;
    }
    const { reply, retryable, retryAfter, schemaRefused } = tried.failure;
    const refused = schemaRefused ? formOf(sentAs) : null;
    if (refused !== null) {
      form = formAfter(refused, request.schema !== request.schemaStrict);
      heard?.void();
      continue;
    }
    retried += 1;
    const pause = backOff(retried, retryAfter, client.clock.now(), client.chance());
    if (!retryable || retried > client.retries || pause === null) return reply;
    heard?.void();
    await client.clock.sleep(pause, request.signal);
  }
}

/** The form of the schema that was sent, or null where there was none. */
function formOf(sentAs: SentAs): SchemaForm | null {
  return sentAs === "params_object" ? "object" : sentAs === "params_text" ? "text" : null;
}

async function generate(
  model: AiSdkLanguageModel,
  call: Call,
  { mode, signal }: ModelRequest,
  sentAs: SentAs,
  attempts: number,
): Promise<Tried> {
  try {
    const result = await unlessAborted(signal, () => model.doGenerate(call));
    if (result === ABORTED) return { ok: false, failure: abortedCall() };
    return outcomeOf(readGenerated(result, mode, sentAs, attempts));
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

type Listener = { readonly tell: (text: string) => void; readonly void: () => void };

/** Who hears the text as it arrives, or null. `void` says that it does not count, if anything was heard. */
function heardBy({ onDelta }: ModelRequest): Listener | null {
  if (onDelta === undefined) return null;
  let heard = false;
  return {
    tell: (text) => {
      heard = true;
      onDelta(text);
    },
    void: () => {
      if (heard) onDelta(null);
      heard = false;
    },
  };
}
