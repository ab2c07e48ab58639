import { CANARY } from "../../domain/canary.ts";
import { redactText } from "../../domain/redact.ts";
import { unreachable } from "../../domain/unreachable.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { promptBytesMax } from "../../domain/window.ts";
import type { Model, Signalbox } from "../../index.ts";
import type { Probe, ProbeFailure } from "../../ports/model.ts";
import { scopeOf } from "../../runtime/index.ts";
import type { Check } from "./doctor.ts";
import { failedModel, silentModel } from "./doctor-failure.ts";
import { messageOf } from "./report.ts";
import { grouped } from "./text.ts";

/** What the checks of the model's server come to: whether it answers, what it enforces, and how much it takes. */

/** `ms` bounds all of it. */
export async function checkModel(box: Signalbox, ms: number): Promise<readonly Check[]> {
  const { model } = box.parts;
  const prompt = promptOf(box);
  if (model.kind === "scripted") {
    const detail = `"${model.name}" is a script; no server is asked`;
    const scripted: Check = { name: "model", state: "warning", code: "model_scripted", detail };
    const window: Check = { name: "window", state: "ok", code: "window_scripted", detail: windowText(box) };
    return [scripted, window, checkPrompt(box, prompt), estimated(box, "")];
  }
  const limit = new AbortController();
  // A timer that keeps the process: a model of one's own may hold nothing that does.
  const timer = setTimeout(() => limit.abort(), ms);
  try {
    return await checkServer(box, prompt, ms, limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function checkServer(box: Signalbox, prompt: Prompt, ms: number, signal: AbortSignal): Promise<readonly Check[]> {
  const { model } = box.parts;
  const asked = await askModel(box, signal);
  if (asked.kind === "failed") {
    const why = signal.aborted ? silentModel(box, ms) : failedModel(box, asked.failure);
    const enforced = model.mode === "tools" ? "tool calls" : "schema";
    return [why, skipped(enforced), skipped("window"), checkPrompt(box, prompt), skipped("tokens")];
  }
  const probe = asked.value;
  const detail = `${model.name} at ${model.where} answers`;
  const checks: Check[] = [{ name: "model", state: "ok", code: "model_answers", detail }];
  if (probe !== null) checks.push(model.mode === "tools" ? checkTools(box, probe) : checkSchema(box, probe));
  checks.push(checkWindow(box, probe?.windowTokens ?? null), checkPrompt(box, prompt));
  checks.push(probe === null ? estimated(box, "") : await checkTokens(box, probe, prompt.system, signal));
  return checks;
}

function skipped(name: string): Check {
  return { name, state: "skipped", code: "skipped", detail: "the model did not answer" };
}

type Asked<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "failed"; readonly failure: ProbeFailure };

/** Whether the model answers, and what its probe found: null where it has none. */
async function askModel(box: Signalbox, signal: AbortSignal): Promise<Asked<Probe | null>> {
  const { model } = box.parts;
  const probed = await asking(async () => (await model.probe?.(signal)) ?? null, signal);
  if (probed.kind === "failed") return probed;
  const probe = probed.value;
  if (probe?.schema === "unreachable") {
    const { failure = { code: "probe_failed", detail: probe.detail } } = probe;
    return { kind: "failed", failure };
  }
  // A server that refuses a canary may refuse everything: whether it answers at all is another question.
  if (probe !== null && probe.schema !== "error" && probe.tools !== "error") return probed;
  const request = {
    system: CANARY.system,
    messages: [{ role: "user" as const, content: CANARY.word }],
    mode: "flat" as const,
    schema: { type: "object" },
    schemaStrict: null,
    tools: [],
    outputTokensMax: 64,
    signal,
  };
  const replied = await asking(() => model.complete(request), signal);
  if (replied.kind === "failed") return replied;
  const reply = replied.value;
  return reply.ok ? probed : { kind: "failed", failure: { code: reply.code, detail: reply.detail } };
}

/** What came of asking, at the latest when the signal aborts: a model of one's own may not listen to it. */
async function asking<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<Asked<T>> {
  const late = new Promise<Asked<T>>((resolve) => {
    const failure = { code: "aborted", detail: "no answer in time" };
    signal.addEventListener("abort", () => resolve({ kind: "failed", failure }), { once: true });
  });
  const asked = async (): Promise<Asked<T>> => {
    try {
      return { kind: "value", value: await ask() };
    } catch (error) {
      return { kind: "failed", failure: { code: "adapter_threw", detail: messageOf(error) } };
    }
  };
  return await Promise.race([asked(), late]);
}

/** A check with what was seen, which a server may have said. */
function finding(box: Signalbox, check: Omit<Check, "detail">, what: string, seen: string | null | undefined): Check {
  const saw = seen === null || seen === undefined || seen === "" ? "" : `. What was seen: ${seen.replace(/\.$/, "")}`;
  return { ...check, detail: redactText(`${what}${saw}`, box.parts.redaction) };
}

function checkSchema(box: Signalbox, { schema, seen, detail }: Probe): Check {
  const name = "schema";
  const saw = seen?.schema ?? detail;
  switch (schema) {
    case "honoured": {
      const what = "honoured: the server holds every reply to its JSON schema";
      return { name, state: "ok", code: "schema_honoured", detail: what };
    }
    case "unclear": {
      const what = "unclear: whether the server holds replies to its JSON schema cannot be told, so it is taken not to";
      const hint = `${WITHOUT_THINKING}\nOr set model.mode: "tools"`;
      return finding(box, { name, state: "warning", code: "schema_unclear", hint }, what, saw);
    }
    case "ignored": {
      const what =
        "ignored: the server accepted a JSON schema and did not enforce it, so every reply depends on the model alone";
      return finding(box, { name, state: "warning", code: "schema_ignored", hint: ENFORCING }, what, saw);
    }
    default: {
      const what = "refused: Signalbox sends no schema to this server, so every reply depends on the model alone";
      const hint = 'A newer server, or model.mode: "tools", may do better';
      return finding(box, { name, state: "warning", code: "schema_refused", hint }, what, saw);
    }
  }
}

const ENFORCING = [
  "vLLM: use a version that knows response_format (guided_* were removed)",
  "Ollama: use 0.5 or newer, and a model whose template supports format",
  "llama.cpp: start it with --jinja",
  'Or set model.mode: "tools"',
].join("\n");

const CALLING = [
  "vLLM: start it with --enable-auto-tool-choice and the --tool-call-parser of the model",
  "Ollama: use a model whose template supports tools",
  "llama.cpp: start it with --jinja",
  'Or set model.mode: "flat"',
].join("\n");

/** Most models whose reply is cut or empty were still thinking. */
const WITHOUT_THINKING =
  "If the model thinks before it answers, turn that off (for example /no_think in the request, or chat_template_kwargs or " +
  "reasoning_effort in the settings of the server), or take another model";

function checkTools(box: Signalbox, { tools, seen, detail }: Probe): Check {
  const name = "tool calls";
  const saw = seen === undefined ? detail : seen.tools;
  switch (tools) {
    case "honoured": {
      const what = "honoured: the model's calls come back as native tool calls";
      return { name, state: "ok", code: "tools_honoured", detail: what };
    }
    case "ignored": {
      const what =
        "ignored: the server accepted native tools, and the model's call did not come back as one, so calls have to be " +
        "read out of its text";
      return finding(box, { name, state: "warning", code: "tools_ignored", hint: CALLING }, what, saw);
    }
    case "unclear": {
      const what = "unclear: whether the model's calls come back as native tool calls cannot be told";
      const hint = `${WITHOUT_THINKING}\nOr set model.mode: "flat"`;
      return finding(box, { name, state: "warning", code: "tools_unclear", hint }, what, saw);
    }
    case "error": {
      const what = "refused: the server takes no native tools, so no run can succeed";
      const hint = 'Set model.mode: "flat"';
      return finding(box, { name, state: "failed", code: "tools_refused", hint }, what, saw);
    }
    case "unasked": {
      const what = "the model was not asked for a native tool call";
      return { name, state: "warning", code: "tools_unasked", detail: what };
    }
    default:
      return unreachable(tools);
  }
}

function windowText({ parts }: Signalbox): string {
  const { tokens, outputTokens } = parts.window;
  return `${grouped(tokens)} tokens, ${grouped(outputTokens)} of them kept for the reply`;
}

/** `serverTokens`: what the server says of its own window, where it does. */
function checkWindow(box: Signalbox, serverTokens: number | null): Check {
  const name = "window";
  const { tokens } = box.parts.window;
  if (serverTokens === null) {
    const detail = `the server does not say its window; ${grouped(tokens)} is the config's word`;
    const hint =
      "Declare what the server holds: window: { tokens }\n" +
      "Ollama: set num_ctx or OLLAMA_CONTEXT_LENGTH to as many; it drops the front of a longer prompt without a word";
    return { name, state: "warning", code: "window_untold", detail, hint };
  }
  if (serverTokens < tokens) {
    const detail =
      `the server's window holds ${grouped(serverTokens)} tokens and the config says ${grouped(tokens)}, so a long ` +
      "prompt is refused, or cut without a word";
    const hint = [
      `Set window: { tokens: ${serverTokens} }, or let the server hold more`,
      "Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH",
      "llama.cpp: --ctx-size",
      "vLLM: --max-model-len",
    ].join("\n");
    return { name, state: "failed", code: "window_smaller", detail, hint };
  }
  const detail = windowText(box);
  if (serverTokens === tokens) return { name, state: "ok", code: "window_same", detail };
  const more = `${detail}; the server holds ${grouped(serverTokens)}`;
  const hint = `window: { tokens: ${serverTokens} } would use them`;
  return { name, state: "ok", code: "window_larger", detail: more, hint };
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
  const name = "prompt";
  const bytesMax = promptBytesMax(parts.window);
  const what = `system text and tools of ${whose} take ${grouped(bytes)} of ${grouped(bytesMax)} bytes`;
  if (bytes * 2 <= bytesMax) return { name, state: "ok", code: "prompt_fits", detail: what };
  const detail = `${what}, which leaves ${grouped(Math.max(0, bytesMax - bytes))} for request, results and history`;
  const hint = "Give the principal fewer tools, shorten their descriptions, or declare a larger window";
  return bytes < bytesMax
    ? { name, state: "warning", code: "prompt_large", detail, hint }
    : { name, state: "failed", code: "prompt_too_large", detail, hint };
}

/** Whether the bytes that a token is taken to cover are a measurement, and whether they are too many. */
async function checkTokens(box: Signalbox, probe: Probe, system: string, signal: AbortSignal): Promise<Check> {
  const name = "tokens";
  const { parts } = box;
  const { bytesPerToken } = parts.window;
  if (!probe.tokeniser) return estimated(box, "; the server has no tokeniser to ask");
  const counted = await countOf(parts.model, system, signal);
  if (counted === null) return estimated(box, "; the server's tokeniser did not answer");
  const bytes = utf8Length(system);
  const each = Math.floor((bytes / counted) * 10) / 10;
  const what =
    `measured by the server's tokeniser: ${grouped(bytes)} bytes of system text are ${grouped(counted)} tokens, ` +
    `${each} bytes a token`;
  if (each >= bytesPerToken) return { name, state: "ok", code: "tokens_measured", detail: what };
  const detail = `${what}; window.bytesPerToken is ${bytesPerToken}, so prompts are larger than they seem`;
  const hint = `Set window: { bytesPerToken: ${each}, measured: ${JSON.stringify(parts.model.name)} }`;
  return { name, state: "warning", code: "tokens_underestimated", detail, hint };
}

function estimated({ parts }: Signalbox, why: string): Check {
  const { bytesPerToken, measured } = parts.window;
  const detail = `estimated: ${bytesPerToken} bytes a token (${measured})${why}`;
  return { name: "tokens", state: "ok", code: "tokens_estimated", detail };
}

async function countOf(model: Model, text: string, signal: AbortSignal): Promise<number | null> {
  if (model.countTokens === undefined || text === "") return null;
  // An adapter may be the operator's own. A count is a hint; that there is none is said.
  const counted = await asking(async () => (await model.countTokens?.(text, signal)) ?? null, signal);
  const tokens = counted.kind === "value" ? counted.value : null;
  return tokens !== null && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}
