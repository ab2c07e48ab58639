import { type Denial, denial, isHouseCode } from "../domain/denial.ts";
import { GUIDES } from "../domain/guide-record.ts";
import type { Json } from "../domain/json.ts";
import { plainJson } from "../domain/plain.ts";
import type { Principal } from "../domain/principal.ts";
import { redactJson, redactText } from "../domain/redact.ts";
import { isWellFormed, wellFormed } from "../domain/text.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";
import { checkedId, principalOf, refuseSecret } from "./authority.ts";
import { SignalboxError, textOf } from "./error.ts";
import type { Parts } from "./parts.ts";

/** A proposal of somebody else's loop. What is trusted of it is what its caller vouches for: who, which run, which step. */
export type OutsideProposal = {
  /** On whose authority. Default `operator`. */
  readonly principal?: string;
  /** The conversation that the run belongs to: `once` effects settle in it. Default: the run's own. */
  readonly thread?: string;
  /** The caller's run: caps `per_run` count in it. One of another loop of ours is refused. */
  readonly run: string;
  /** The logical action, numbered by the caller from 1. The same step again is the same action: it is never done twice. */
  readonly step: number;
  /** From here on everything is the model's, and nothing of it is trusted. */
  readonly tool: string;
  readonly params: unknown;
  readonly evidence?: readonly string[];
  /** The attempt before is over, and how it came out is not known. Only what may happen twice is begun again. */
  readonly retry?: boolean;
  readonly context?: ProposalContext;
};

/** What stands around a run. It is taken down with the run's first proposal and stays as it was then. */
export type ProposalContext = {
  /** Whom it is about. */
  readonly customer?: string;
  /** What the operator said in this run, oldest first; never a model's words. */
  readonly requests?: readonly string[];
  /** What the proposing model works under, for the denial counts. */
  readonly promptVersion?: string;
  readonly model?: string;
};

/** The same, checked. `refused`: why params or evidence are not even data; the denial is recorded all the same. */
export type CheckedProposal = {
  readonly run: string;
  readonly step: number;
  readonly tool: string;
  readonly params: Json;
  readonly evidence: readonly string[];
  readonly refused: Denial | null;
  readonly retry: boolean;
  readonly principal: Principal;
  readonly thread: string;
  readonly customer: string | null;
  /** null where the caller says nothing of it: then what the run began with goes on. */
  readonly requests: readonly string[] | null;
  readonly promptVersion: string;
  readonly model: string;
};

const PROPOSAL_KEYS = ["principal", "thread", "run", "step", "tool", "params", "evidence", "retry", "context"];
const CONTEXT_KEYS = ["customer", "requests", "promptVersion", "model"];
const STEP_MAX = 2 ** 24 - 1;
const EVIDENCE_MAX = 64;
const EVIDENCE_LENGTH_MAX = 1_024;
const TOOL_BYTES_MAX = 200;
const REQUESTS_MAX = 50;
const REQUESTS_BYTES_MAX = 65_536;
const NAME_LENGTH_MAX = 128;

/**
 * Checks what the caller vouches for, and takes the model's part as data. Throws a SignalboxError for the first: a caller
 * that names no run or no step has a mistake in its code. The second never throws.
 */
export function checkedProposal(parts: Parts, proposal: OutsideProposal): CheckedProposal {
  checkKeys("proposal", proposal, PROPOSAL_KEYS);
  const { context = {}, step, retry = false } = proposal;
  checkKeys("context", context, CONTEXT_KEYS);
  const missing = ["run", "step", "tool", "params"].filter((key) => !(key in proposal));
  if (missing.length > 0) {
    throw new SignalboxError("bad_proposal", `the proposal lacks ${missing.join(", ")}`, {
      hint: "run and step are yours to number; tool and params are what the model proposes",
    });
  }
  if (typeof retry !== "boolean") throw new SignalboxError("bad_proposal", "retry is true or false");
  const run = checkedId("run", proposal.run);
  if (run === GUIDES) throw new SignalboxError("bad_id", `a run cannot be called ${GUIDES}: their chain is`);
  checkStep(step);
  const principal = principalOf(parts, proposal.principal ?? "operator");
  const thread = proposal.thread === undefined ? run : checkedId("thread", proposal.thread);
  const customer = context.customer === undefined ? null : checkedId("customer", context.customer);
  for (const id of [run, thread, customer]) refuseSecret(parts, id ?? undefined);
  const requests = context.requests === undefined ? null : checkedRequests(parts, context.requests);
  const promptVersion = checkedName("promptVersion", context.promptVersion ?? "outside");
  const model = checkedName("model", context.model ?? "outside");
  for (const name of [promptVersion, model]) refuseSecret(parts, name);
  return {
    run,
    step,
    retry,
    principal,
    thread,
    customer,
    requests,
    promptVersion,
    model,
    ...modelsPart(parts, proposal),
  };
}

export function checkStep(step: number): void {
  if (Number.isInteger(step) && step >= 1 && step <= STEP_MAX) return;
  const said = textOf(step).slice(0, 60);
  throw new SignalboxError("bad_step", `"${said}" is no step: a whole number from 1 to ${STEP_MAX}`);
}

function modelsPart(parts: Parts, { tool, params, evidence }: OutsideProposal) {
  // Redacted before it is cut: half a secret would be found by nobody.
  const named = typeof tool === "string" ? redactText(wellFormed(tool), parts.redaction) : "";
  const name = utf8Prefix(named, TOOL_BYTES_MAX);
  const plain = plainJson(params === undefined ? null : params);
  const cited = citedIds(evidence ?? []);
  // As in our own loop: what is proposed is redacted by value. A field by its name is what a tool is given.
  const said = { values: parts.redaction.values, fields: [] };
  const refused = plain.ok ? cited.refused : notData(plain.why.code, plain.why.detail);
  const ids = cited.ids.map((id) => redactText(id, parts.redaction));
  return { tool: name, params: plain.ok ? redactJson(plain.value, said) : null, evidence: ids, refused };
}

function notData(code: string, detail: string): Denial {
  return denial(isHouseCode(code) ? code : "not_plain", detail);
}

/** Cited ids as they can be recorded, or why they cannot. */
export function citedIds(evidence: unknown): { readonly ids: readonly string[]; readonly refused: Denial | null } {
  if (!Array.isArray(evidence)) return { ids: [], refused: denial("wrong_type", "evidence must be a list of ids") };
  if (evidence.length > EVIDENCE_MAX) {
    return { ids: [], refused: denial("too_much_evidence", `at most ${EVIDENCE_MAX} ids may be cited`) };
  }
  const isId = (id: unknown): id is string => typeof id === "string" && id.length <= EVIDENCE_LENGTH_MAX;
  if (!evidence.every(isId)) return { ids: [], refused: denial("wrong_type", "each cited id must be a short text") };
  if (!evidence.every(isWellFormed)) return { ids: [], refused: denial("lone_surrogate", "a cited id") };
  return { ids: [...evidence], refused: null };
}

function checkedRequests(parts: Parts, requests: unknown): readonly string[] {
  const texts = Array.isArray(requests) && requests.length <= REQUESTS_MAX ? requests : null;
  const isText = (text: unknown): text is string => typeof text === "string" && isWellFormed(text);
  if (texts === null || !texts.every(isText)) {
    throw new SignalboxError("bad_request", `context.requests is a list of at most ${REQUESTS_MAX} texts`);
  }
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  if (bytes > REQUESTS_BYTES_MAX) {
    throw new SignalboxError(
      "request_too_large",
      `context.requests takes ${bytes} bytes, at most ${REQUESTS_BYTES_MAX}`,
    );
  }
  return texts.map((text) => redactText(text, parts.redaction));
}

function checkedName(what: string, name: unknown): string {
  if (typeof name === "string" && name.length <= NAME_LENGTH_MAX && isWellFormed(name)) return name;
  throw new SignalboxError("bad_context", `context.${what} is a text of at most ${NAME_LENGTH_MAX} characters`);
}

/** A misspelt key would silently be a missing one. */
function checkKeys(what: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null) throw new SignalboxError("bad_proposal", `the ${what} is no object`);
  const stray = Object.keys(value).find((key) => !known.includes(key));
  if (stray !== undefined) {
    throw new SignalboxError("bad_proposal", `the ${what} has an unknown key "${stray.slice(0, 60)}"`, {
      hint: `it may have ${known.join(", ")}`,
    });
  }
}
