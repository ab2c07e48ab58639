import { CANARY } from "../../domain/canary.ts";
import { redactText } from "../../domain/redact.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { promptBytesMax } from "../../domain/window.ts";
import type { Model, Signalbox } from "../../index.ts";
import type { Probe } from "../../ports/model.ts";
import { scopeOf } from "../../runtime/index.ts";
import type { Check } from "./doctor.ts";
import { messageOf } from "./report.ts";
import { grouped } from "./text.ts";

/** What the checks of the model's server come to: whether it answers, what it enforces, and how much it takes. */

const ANSWER_MS = 20_000;
/** A canary is two or three calls, and the first may have to load the model. */
const PROBE_MS = 120_000;

export async function checkModel(box: Signalbox): Promise<readonly Check[]> {
  const { model } = box.parts;
  const prompt = promptOf(box);
  const standing = [checkWindow(box, null), checkPrompt(box, prompt), estimated(box, "")];
  if (model.kind === "scripted") {
    const detail = `"${model.name}" is a script; no server is asked`;
    return [{ name: "model", state: "warning", detail }, ...standing];
  }
  const probe = await probed(box);
  if (typeof probe === "string") return [unreached(box, probe), ...standing];
  // In trouble with its model, it may know its window all the same.
  if (probe?.schema === "unreachable") {
    const [, ...rest] = standing;
    return [unreached(box, `unreachable: ${probe.detail}`), checkWindow(box, probe.windowTokens), ...rest];
  }
  // A server that refuses a canary may refuse everything: whether it answers at all is another question.
  const answer = probe === null || probe.schema === "error" || probe.tools === "error" ? await answers(box) : null;
  if (answer !== null) return [unreached(box, answer), ...standing];
  const ok: Check = { name: "model", state: "ok", detail: `${model.name} at ${model.where} answers` };
  if (probe === null) return [ok, ...standing];
  const clean = { ...probe, detail: redactText(probe.detail, box.parts.redaction) };
  const enforced = model.mode === "tools" ? checkTools(clean) : checkSchema(clean);
  return [
    ok,
    enforced,
    checkWindow(box, probe.windowTokens),
    checkPrompt(box, prompt),
    await checkTokens(box, probe, prompt.system),
  ];
}

/** null: the model has no probe. A text: why it came to nothing. */
async function probed(box: Signalbox): Promise<Probe | string | null> {
  const { model } = box.parts;
  if (model.probe === undefined) return null;
  try {
    return await model.probe(AbortSignal.timeout(PROBE_MS));
  } catch (error) {
    return `adapter_threw: ${messageOf(error)}`;
  }
}

/** null: it does. A text: why not. */
async function answers(box: Signalbox): Promise<string | null> {
  const request = {
    system: CANARY.system,
    messages: [{ role: "user" as const, content: CANARY.word }],
    mode: "flat" as const,
    schema: { type: "object" },
    schemaStrict: null,
    tools: [],
    outputTokensMax: 64,
    signal: AbortSignal.timeout(ANSWER_MS),
  };
  try {
    const reply = await box.parts.model.complete(request);
    return reply.ok ? null : `${reply.code}: ${reply.detail}`;
  } catch (error) {
    return `adapter_threw: ${messageOf(error)}`;
  }
}

function unreached({ parts }: Signalbox, why: string): Check {
  return { name: "model", state: "failed", detail: redactText(`${parts.model.where}: ${why}`, parts.redaction) };
}

function checkSchema({ schema, detail }: Probe): Check {
  const name = "schema";
  if (schema === "honoured") {
    return { name, state: "ok", detail: "honoured: the server holds every reply to its JSON schema" };
  }
  if (schema === "unclear") {
    const what = "unclear: whether the server holds replies to its JSON schema cannot be told, so it is taken not to";
    return { name, state: "warning", detail: `${what}. ${saw(detail)}${WITHOUT_THINKING} model.mode: "tools"` };
  }
  if (schema === "ignored") {
    const what =
      "ignored: the server accepted a JSON schema and did not enforce it, so every reply depends on the model alone. " +
      saw(detail) +
      "vLLM: use a version that knows response_format (guided_* were removed). Ollama: use 0.5 or newer, and a model whose " +
      'template supports format. llama.cpp: start it with --jinja. Or set model.mode: "tools"';
    return { name, state: "warning", detail: what };
  }
  const what = "refused: Signalbox sends no schema to this server, so every reply depends on the model alone";
  return {
    name,
    state: "warning",
    detail: `${what}. ${saw(detail)}A newer server, or model.mode: "tools", may do better`,
  };
}

/** Most models whose reply is cut or empty were still thinking. */
const WITHOUT_THINKING =
  "If the model thinks before it answers, turn that off (for example /no_think in the request, or chat_template_kwargs or " +
  "reasoning_effort in the settings of the server), or take another model. Or set";

function saw(detail: string): string {
  return detail === "" ? "" : `What was seen: ${detail.replace(/\.$/, "")}. `;
}

function checkTools({ tools, detail }: Probe): Check {
  const name = "tool calls";
  switch (tools) {
    case "honoured":
      return { name, state: "ok", detail: "honoured: the model's calls come back as native tool calls" };
    case "ignored": {
      const what =
        "ignored: the server accepted native tools, and the model's call did not come back as one, so calls have to be " +
        `read out of its text. ${saw(detail)}` +
        "vLLM: start it with --enable-auto-tool-choice and the --tool-call-parser of the model. " +
        "llama.cpp: start it with --jinja. Ollama: use a model whose template supports tools. " +
        'Or set model.mode: "flat"';
      return { name, state: "warning", detail: what };
    }
    case "unclear": {
      const what = "unclear: whether the model's calls come back as native tool calls cannot be told";
      return { name, state: "warning", detail: `${what}. ${saw(detail)}${WITHOUT_THINKING} model.mode: "flat"` };
    }
    case "error":
      return { name, state: "warning", detail: `refused. ${saw(detail)}Set model.mode: "flat"` };
    case "unasked":
      return { name, state: "warning", detail: "the model was not asked for a native tool call" };
  }
}

/** `serverTokens`: what the server says of its own window, where it does. */
function checkWindow({ parts }: Signalbox, serverTokens: number | null): Check {
  const { tokens, outputTokens } = parts.window;
  const detail = `${grouped(tokens)} tokens, ${grouped(outputTokens)} of them kept for the reply`;
  if (serverTokens === null || serverTokens === tokens) return { name: "window", state: "ok", detail };
  if (serverTokens > tokens) {
    const more = `the server holds ${grouped(serverTokens)}: window: { tokens: ${serverTokens} } would use them`;
    return { name: "window", state: "ok", detail: `${detail}; ${more}` };
  }
  const what =
    `the server's window holds ${grouped(serverTokens)} tokens and the config says ${grouped(tokens)}, so a long prompt is ` +
    `refused, or cut without a word. Set window: { tokens: ${serverTokens} }, or let the server hold more (Ollama: num_ctx; ` +
    "llama.cpp: --ctx-size; vLLM: --max-model-len)";
  return { name: "window", state: "failed", detail: what };
}

/** The standing part of the largest prompt: whose it is, its system text, and the bytes of that and of the native tools. */
type Prompt = { readonly whose: string; readonly system: string; readonly bytes: number };

function promptOf({ parts }: Signalbox): Prompt {
  const everybody = { id: "everybody", tools: [...parts.tools.keys()], attributes: {} };
  const principals = parts.principals === null ? [everybody] : [...parts.principals.values()];
  const prompts = principals.map((principal) => {
    const { system, wire } = scopeOf(parts, principal);
    const tools = wire.tools.length === 0 ? 0 : utf8Length(JSON.stringify(wire.tools));
    return { whose: principal.id, system, bytes: utf8Length(system) + tools };
  });
  return prompts.reduce((a, b) => (b.bytes > a.bytes ? b : a), { whose: "nobody", system: "", bytes: 0 });
}

function checkPrompt({ parts }: Signalbox, { whose, bytes }: Prompt): Check {
  const bytesMax = promptBytesMax(parts.window);
  const what = `system text and tools of ${whose} take ${grouped(bytes)} of ${grouped(bytesMax)} bytes`;
  if (bytes * 2 <= bytesMax) return { name: "prompt", state: "ok", detail: what };
  const left = `which leaves ${grouped(Math.max(0, bytesMax - bytes))} for request, results and history`;
  const fix = "give the principal fewer tools, shorten their descriptions, or declare a larger window";
  return { name: "prompt", state: bytes < bytesMax ? "warning" : "failed", detail: `${what}, ${left}: ${fix}` };
}

/** Whether the bytes that a token is taken to cover are a measurement, and whether they are too many. */
async function checkTokens(box: Signalbox, probe: Probe, system: string): Promise<Check> {
  const name = "tokens";
  const { parts } = box;
  const { bytesPerToken } = parts.window;
  const counted = probe.tokeniser ? await countOf(parts.model, system) : null;
  if (counted === null) {
    return estimated(
      box,
      probe.tokeniser ? "; the server's tokeniser did not answer" : "; the server has no tokeniser to ask",
    );
  }
  const bytes = utf8Length(system);
  const each = Math.floor((bytes / counted) * 10) / 10;
  const what = `measured by the server's tokeniser: ${grouped(bytes)} bytes of system text are ${grouped(counted)} tokens, ${each} bytes a token`;
  if (each >= bytesPerToken) return { name, state: "ok", detail: what };
  const setting = `window: { bytesPerToken: ${each}, measured: ${JSON.stringify(parts.model.name)} }`;
  const fix = `window.bytesPerToken is ${bytesPerToken}, so prompts are larger than they seem. Set ${setting}`;
  return { name, state: "warning", detail: `${what}; ${fix}` };
}

function estimated({ parts }: Signalbox, why: string): Check {
  const { bytesPerToken, measured } = parts.window;
  return { name: "tokens", state: "ok", detail: `estimated: ${bytesPerToken} bytes a token (${measured})${why}` };
}

async function countOf(model: Model, text: string): Promise<number | null> {
  if (model.countTokens === undefined || text === "") return null;
  try {
    const tokens = await model.countTokens(text, AbortSignal.timeout(ANSWER_MS));
    return tokens !== null && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
  } catch (error) {
    // An adapter of the operator's own. A count is a hint; that there is none is said.
    if (error instanceof Error) return null;
    throw error;
  }
}
