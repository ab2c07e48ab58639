import { isBlank } from "./hidden.ts";
import { deepFreeze, isJsonObject, type Json, type JsonObject, own } from "./json.ts";
import { JSON_LIMITS } from "./json-limits.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";
import { parseJson } from "./scan.ts";

/** A Reply: exactly one of the four things that a model can say (design 5.1). */
export type Reply =
  | { readonly kind: "conversation"; readonly text: string }
  | { readonly kind: "action"; readonly tool: string; readonly params: Json; readonly evidence: readonly string[] }
  | { readonly kind: "plan"; readonly steps: readonly PlanStep[] }
  | { readonly kind: "retrieve"; readonly query: string };

export type PlanStep = {
  readonly actor: string;
  readonly description: string;
  readonly params: Json;
  readonly evidence: readonly string[];
};

export const REPLY_KINDS: readonly Reply["kind"][] = ["conversation", "action", "plan", "retrieve"];

const PLAN_STEPS_MAX = 20;
const EVIDENCE_MAX = 64;
export const FLAT_KEYS = ["kind", "text", "tool", "params", "steps", "query", "evidence"];
const STEP_KEYS = ["actor", "description", "params", "evidence"];

export type NeedsParams = (tool: string) => boolean;

/**
 * Reads one flat reply object, strictly. Fields that belong to another kind may be absent or null and are not looked at;
 * an unknown key, a wrong type or an empty text is refused with a code, so that the re-ask can name it.
 *
 * `needsParams` says of which tools the params may not be left out, since nobody can tell whether that means none.
 *
 * Codes: those of `parseJson`, and `not_an_object, unknown_key, unknown_kind, wrong_type, empty_text, missing_tool,
 * missing_steps, too_many_steps, missing_query, too_much_evidence, arguments_missing`.
 */
export function parseReply(
  text: string,
  bytesMax: number = JSON_LIMITS.bytesMax,
  needsParams: NeedsParams = () => false,
): Parsed<Reply> {
  const limits = bytesMax === JSON_LIMITS.bytesMax ? JSON_LIMITS : { ...JSON_LIMITS, bytesMax };
  const json = parseJson(text.trim(), limits);
  if (!json.ok) return json;
  const flat = json.value;
  if (!isJsonObject(flat)) return unparsed("not_an_object", "the reply must be one JSON object");
  const stray = Object.keys(flat).find((key) => !FLAT_KEYS.includes(key));
  if (stray !== undefined)
    return unparsed("unknown_key", `unknown key "${shown(stray)}"; the keys are ${FLAT_KEYS.join(", ")}`);
  const reply = replyOf(flat, needsParams);
  // Rules, loaders and keys are the author's code, and all of them read this one reply.
  return reply.ok ? parsed(deepFreeze(reply.value)) : reply;
}

function replyOf(flat: JsonObject, needsParams: NeedsParams): Parsed<Reply> {
  switch (own(flat, "kind")) {
    case "conversation":
      return conversationOf(flat);
    case "action":
      return actionOf(flat, needsParams);
    case "plan":
      return planOf(flat, needsParams);
    case "retrieve":
      return retrieveOf(flat);
    default:
      return unparsed("unknown_kind", `"kind" must be one of ${REPLY_KINDS.join(", ")}`);
  }
}

function conversationOf(flat: JsonObject): Parsed<Reply> {
  const text = own(flat, "text");
  if (typeof text !== "string") return unparsed("wrong_type", `"text" must be a string in a conversation`);
  if (isBlank(text)) return unparsed("empty_text", `"text" must not be empty in a conversation`);
  return parsed({ kind: "conversation", text });
}

function actionOf(flat: JsonObject, needsParams: NeedsParams): Parsed<Reply> {
  const tool = own(flat, "tool");
  if (typeof tool !== "string" || tool === "") return unparsed("missing_tool", `"tool" must name a tool in an action`);
  const params = paramsOf(own(flat, "params"), tool, needsParams);
  if (!params.ok) return params;
  const evidence = evidenceOf(own(flat, "evidence"));
  if (!evidence.ok) return evidence;
  return parsed({ kind: "action", tool, params: params.value, evidence: evidence.value });
}

function planOf(flat: JsonObject, needsParams: NeedsParams): Parsed<Reply> {
  const raw = own(flat, "steps");
  if (!Array.isArray(raw) || raw.length === 0)
    return unparsed("missing_steps", `"steps" must list the steps of a plan`);
  if (raw.length > PLAN_STEPS_MAX) {
    return unparsed("too_many_steps", `a plan has at most ${PLAN_STEPS_MAX} steps, this one has ${raw.length}`);
  }
  const steps: PlanStep[] = [];
  for (const entry of raw as readonly Json[]) {
    const step = stepOf(entry, steps.length + 1, needsParams);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  return parsed({ kind: "plan", steps });
}

function stepOf(entry: Json, number: number, needsParams: NeedsParams): Parsed<PlanStep> {
  if (!isJsonObject(entry)) return unparsed("wrong_type", `step ${number} must be an object`);
  const stray = Object.keys(entry).find((key) => !STEP_KEYS.includes(key));
  if (stray !== undefined) return unparsed("unknown_key", `unknown key "${shown(stray)}" in step ${number}`);
  const actor = own(entry, "actor") ?? "";
  const description = own(entry, "description") ?? "";
  if (typeof actor !== "string" || typeof description !== "string") {
    return unparsed("wrong_type", `"actor" and "description" of step ${number} must be strings`);
  }
  const params = paramsOf(own(entry, "params"), actor, needsParams);
  if (!params.ok) return params;
  const evidence = evidenceOf(own(entry, "evidence"));
  if (!evidence.ok) return evidence;
  return parsed({ actor, description, params: params.value, evidence: evidence.value });
}

function retrieveOf(flat: JsonObject): Parsed<Reply> {
  const query = own(flat, "query");
  if (typeof query !== "string" || isBlank(query))
    return unparsed("missing_query", `"query" must say what to retrieve`);
  return parsed({ kind: "retrieve", query });
}

/**
 * Params come as an object or as a JSON string that holds one. Absent means `{}` where the tool does not need them;
 * unreadable is malformed, never `{}`.
 */
function paramsOf(raw: Json | undefined, tool: string, needsParams: NeedsParams): Parsed<Json> {
  if (raw === undefined || raw === null) {
    if (!needsParams(tool)) return parsed({});
    const detail = `"params" of "${shown(tool)}" are missing: write {} where no arguments are meant`;
    return unparsed("arguments_missing", detail);
  }
  const params = typeof raw === "string" ? parseJson(raw) : parsed(raw);
  if (!params.ok) return unparsed(params.why.code, `"params" cannot be read: ${params.why.detail}`);
  if (!isJsonObject(params.value)) return unparsed("wrong_type", `"params" must be an object`);
  return params;
}

function evidenceOf(raw: Json | undefined): Parsed<readonly string[]> {
  if (raw === undefined || raw === null) return parsed([]);
  if (!Array.isArray(raw) || !raw.every((id) => typeof id === "string")) {
    return unparsed("wrong_type", `"evidence" must be a list of ids`);
  }
  if (raw.length > EVIDENCE_MAX) return unparsed("too_much_evidence", `at most ${EVIDENCE_MAX} ids may be cited`);
  return parsed(raw as readonly string[]);
}

function shown(key: string): string {
  return JSON.stringify(key.slice(0, 40)).slice(1, -1);
}
