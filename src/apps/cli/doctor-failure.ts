import { redactText } from "../../domain/redact.ts";
import type { Signalbox } from "../../index.ts";
import type { ProbeFailure } from "../../ports/model.ts";
import type { Check } from "./doctor.ts";

/** What of a failure is told, before the place of the model stands in front of it. */
type Said = { readonly code: string; readonly what: string; readonly hint?: string };

/** A model that gave no reply: why, as far as that can be told from its failure, and what to do about it. */
export function failedModel({ parts }: Signalbox, failure: ProbeFailure): Check {
  const { code, what, hint } = sayOf(failure, parts.model.name, parts.model.where);
  const clean = (text: string): string => redactText(text, parts.redaction);
  const check: Check = { name: "model", state: "failed", code, detail: clean(`${parts.model.where}: ${what}`) };
  return hint === undefined ? check : { ...check, hint: clean(hint) };
}

export function silentModel({ parts }: Signalbox, ms: number): Check {
  return {
    name: "model",
    state: "failed",
    code: "model_silent",
    detail: `${parts.model.where}: no answer within ${Math.ceil(ms / 1_000)} s`,
    hint: "The server may still be loading the model, or be too slow for it: try again, or take a smaller model",
  };
}

/** What failed before there was a connection: no such host, nobody at the port, no way there. */
const UNCONNECTED =
  /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)\b/;

function sayOf(failure: ProbeFailure, name: string, where: string): Said {
  const { code } = failure;
  // The place stands in front of all of it already.
  const detail = failure.detail.startsWith(`${where}: `) ? failure.detail.slice(where.length + 2) : failure.detail;
  if (code === "unreachable") {
    if (UNCONNECTED.test(detail)) {
      const hint = "Is the server running? For example: ollama serve";
      return { code: "model_unreachable", what: `unreachable: ${detail}`, hint };
    }
    const hint = "Is this the address of an OpenAI-compatible server, with http or https as it has it?";
    return { code: "model_broke_off", what: `the connection brought no answer: ${detail}`, hint };
  }
  if (code === "http_error") return sayOfStatus(failure, name, where);
  if (code === "bad_answer") {
    const hint = "Is this an OpenAI-compatible server? baseUrl usually ends in /v1";
    return { code: "model_bad_answer", what: `the answer is no reply of a model: ${detail}`, hint };
  }
  return { code: "model_failed", what: `${code}: ${detail}` };
}

function sayOfStatus({ detail, models }: ProbeFailure, name: string, where: string): Said {
  switch (Number(/^HTTP (\d{3})\b/.exec(detail)?.[1])) {
    case 400:
    case 404:
      if (isAboutModel(detail, name, models)) return sayOfModel(detail, name, models);
      if (!detail.startsWith("HTTP 404")) break;
      return {
        code: "model_path_not_found",
        what: `nothing is served at this path: ${detail}`,
        hint: where.endsWith("/v1")
          ? "baseUrl usually ends in /v1, as this one does: is it the right server?"
          : "baseUrl usually ends in /v1",
      };
    case 401:
    case 403:
      return { code: "model_key_refused", what: `the server wants another key: ${detail}`, hint: "Set model.apiKey" };
    case 429:
    case 503:
      return { code: "model_busy", what: `busy or still loading: ${detail}`, hint: "Try again in a moment" };
    default:
      break;
  }
  const hint = "The log of the server may say more";
  return { code: "model_http_error", what: `the server answers with an error: ${detail}`, hint };
}

/** Whether what was not found is the model and not the path. A list of models that has it says that it is not. */
function isAboutModel(detail: string, name: string, models: readonly string[] | undefined): boolean {
  if (models?.includes(name)) return false;
  const said = /model/i.test(detail) && /not (?:be )?found|not exist|unknown|no such|not available/i.test(detail);
  return said || (models !== undefined && detail.startsWith("HTTP 404"));
}

function sayOfModel(detail: string, name: string, models: readonly string[] | undefined): Said {
  const list = models === undefined ? "" : `; the server has: ${models.length === 0 ? "none" : models.join(", ")}`;
  return {
    code: "model_not_found",
    what: `the server does not have the model "${name}"${list} (${detail})`,
    hint: "Set model.name to one that the server has\nOllama: ollama pull fetches one",
  };
}
