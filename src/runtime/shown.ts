import type { AskMode } from "../domain/command.ts";
import type { ModelFailed, Probed, PromptFacts, Replied, RunEvent } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { SentAs, WireMode, WireTool } from "../domain/said.ts";
import { outputTokensIn } from "../domain/window.ts";
import { advance, newRun, type Run } from "../loop/index.ts";
import { SignalboxError } from "./error.ts";
import { eventsOf } from "./journal.ts";
import { type Parts, type Scope, scopeOfRun } from "./parts.ts";
import { beganOf, readVerified } from "./recorded.ts";
import { promptFacts, promptOf } from "./sent.ts";

/** One turn of a recorded run: each model call with what was sent and what came back, and what followed from it. */
export type ShownTurn = {
  readonly run: string;
  readonly thread: string;
  readonly principal: string;
  readonly model: string;
  readonly turn: number;
  /** The turns that the run has. */
  readonly turns: readonly number[];
  /** What a canary found out about the server, where that was in this turn. */
  readonly probed: Probed | null;
  readonly calls: readonly ShownCall[];
  /** Decisions, effects, retrieval and ending, as recorded. */
  readonly followed: readonly RunEvent[];
};

export type ShownCall = {
  /** 1 for the first call of a turn, 2 for its re-ask, 3 for the answer from passages. */
  readonly call: number;
  readonly mode: AskMode["kind"];
  readonly sent: ShownSent;
  readonly came: ShownCame;
};

/** What a call was sent. It was recorded by digest alone, so it is built again; see `exact`. */
export type ShownSent = {
  /** Whether the digest of these texts is the recorded one. null where none was recorded, since no reply came. */
  readonly exact: boolean | null;
  /** Where `exact` is not true: why. */
  readonly why: string;
  /** null where today's code builds no prompt there. */
  readonly system: string | null;
  readonly user: string | null;
  readonly bytes: number;
  readonly bytesMax: number;
  /** What had to be left out of the prompt: as recorded, else as built. */
  readonly cut: readonly string[];
  readonly digest: string;
  readonly mode: WireMode;
  /** null where nobody knows, since no reply came. */
  readonly sentAs: SentAs | null;
  /** The JSON Schema that went along, from today's declarations: no digest covers it. */
  readonly schema: Json;
  readonly tools: readonly WireTool[];
  readonly outputTokens: number;
};

export type ShownCame =
  | { readonly kind: "replied"; readonly at: number; readonly reply: Replied }
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly code: string;
      readonly detail: string;
      readonly promptBytes: number;
    }
  | { readonly kind: "interrupted"; readonly at: number; readonly ending: string; readonly detail: string }
  /** The call was under way when the rows end. */
  | { readonly kind: "nothing" };

/**
 * Rebuilds a turn of a recorded run from its rows alone: every prompt is built again and compared with the digest that was
 * recorded. Throws a SignalboxError: `unknown_run`, `ledger_damaged`, or `unknown_turn` that names the turns there are.
 * `turn` null is the last one.
 */
export async function showTurn(parts: Parts, id: string, turn: number | null): Promise<ShownTurn> {
  const events = eventsOf(await readVerified(parts, id));
  const began = beganOf(events, id);
  const scope = scopeOfRun(parts, began);
  const all = new Map<number, Gathered>();
  let run = newRun(scope.rules);
  for (const event of events) {
    gather(all, parts, scope, run, event);
    run = advance(run, event);
  }
  if (run.command?.kind === "ask_model" && run.ended === null) {
    turnIn(all, run.command.turn).calls.push(callOf(parts, scope, run, { kind: "nothing" }));
  }
  const turns = [...all.keys()].sort((a, b) => a - b);
  const wanted = turn ?? turns.at(-1) ?? 0;
  const found = all.get(wanted);
  if (found === undefined) {
    throw new SignalboxError("unknown_turn", `run ${id} has no turn ${wanted}`, { hint: turnsText(turns) });
  }
  const { thread, principal, model } = began;
  return { run: id, thread, principal: principal.id, model, turn: wanted, turns, ...found };
}

/** What a live run's next model call is sent; null where it is not about to call. For screens. */
export function showSent(parts: Parts, run: Run): (Omit<ShownCall, "came"> & { readonly turn: number }) | null {
  const { began, command } = run;
  if (began === null || command?.kind !== "ask_model") return null;
  const sent = sentBy(parts, scopeOfRun(parts, began), run, null);
  return { turn: command.turn, call: command.call, mode: command.mode.kind, sent };
}

/** A live run's model call once it is over; `before` is the state in which it was made. For screens. */
export function showCall(parts: Parts, before: Run, event: Replied | ModelFailed): ShownCall | null {
  return before.began === null ? null : calledBy(parts, scopeOfRun(parts, before.began), before, event);
}

/** The schema that a way of constraining sends; null where it sends none. */
function schemaSent({ wire }: Pick<Scope, "wire">, sentAs: SentAs | null): Json {
  if (sentAs === "params_object") return wire.schemaStrict;
  return sentAs === "params_text" ? wire.schema : null;
}

type Gathered = { probed: Probed | null; readonly calls: ShownCall[]; readonly followed: RunEvent[] };

function turnIn(all: Map<number, Gathered>, turn: number): Gathered {
  const found = all.get(turn) ?? { probed: null, calls: [], followed: [] };
  all.set(turn, found);
  return found;
}

/** `run` is the state before the event. */
function gather(all: Map<number, Gathered>, parts: Parts, scope: Scope, run: Run, event: RunEvent): void {
  if (event.kind === "began") return;
  const asking = run.command?.kind === "ask_model";
  const ofCall = event.kind === "replied" || event.kind === "model_failed";
  // The rows say which turn a call was of, also where today's code has come to another.
  const number = ofCall ? event.turn : Math.max(1, run.turn);
  const into = turnIn(all, number);
  if (event.kind === "probed") into.probed = event;
  else if (ofCall) into.calls.push(calledBy(parts, scope, run, event));
  else if (event.kind === "interrupted" && asking) {
    const { at, ending, detail } = event;
    into.calls.push(callOf(parts, scope, run, { kind: "interrupted", at, ending, detail }));
  } else into.followed.push(event);
}

function calledBy(parts: Parts, scope: Scope, run: Run, event: Replied | ModelFailed): ShownCall {
  const { at, call } = event;
  const came: ShownCame =
    event.kind === "replied"
      ? { kind: "replied", at, reply: event }
      : { kind: "failed", at, code: event.code, detail: event.detail, promptBytes: event.promptBytes };
  return { ...callOf(parts, scope, run, came), call };
}

function callOf(parts: Parts, scope: Scope, run: Run, came: ShownCame): ShownCall {
  const asked = run.command?.kind === "ask_model" ? run.command : null;
  return { call: asked?.call ?? 1, mode: asked?.mode.kind ?? "turn", sent: sentBy(parts, scope, run, came), came };
}

function sentBy(parts: Parts, scope: Scope, run: Run, came: ShownCame | null): ShownSent {
  const recorded = came?.kind === "replied" ? came.reply : null;
  const sentAs = recorded?.sentAs ?? null;
  const mode = recorded?.mode ?? scope.mode;
  const rest = {
    mode,
    sentAs,
    schema: schemaSent(scope, sentAs),
    tools: scope.mode === mode ? scope.wire.tools : [],
    outputTokens: run.began === null ? 0 : outputTokensIn(run.began.window, run.probed?.windowTokens ?? null),
  };
  const none = { system: null, user: null, bytes: 0, bytesMax: 0, cut: [], digest: "" };
  if (run.command?.kind !== "ask_model") {
    const why = "today's code and config lead elsewhere at this point, so the prompt cannot be built again";
    return { exact: false, why, ...none, ...ofRecord(recorded), ...rest };
  }
  if (came?.kind === "failed" && came.promptBytes === 0) {
    return { exact: null, why: "nothing was sent", ...none, ...rest };
  }
  const built = promptOf(run, scope, run.command.mode, recorded?.prompt.bytesMax);
  if (!built.ok) {
    const { bytes, bytesMax, detail } = built.refusal;
    return {
      exact: recorded === null ? null : false,
      why: detail,
      ...none,
      bytes,
      bytesMax,
      ...ofRecord(recorded),
      ...rest,
    };
  }
  const { system, user, bytes, bytesMax, cut } = built.prompt;
  const { digest } = promptFacts(built.prompt, parts.hash);
  const text = {
    system,
    user,
    bytes,
    bytesMax,
    cut: recorded?.prompt.cut ?? cut,
    digest: recorded?.prompt.digest ?? digest,
  };
  if (came?.kind === "failed" && came.promptBytes > 0 && came.promptBytes !== bytes) {
    const why = `the prompt that was sent had ${came.promptBytes} bytes, and what can be built again has ${bytes}`;
    return { exact: false, why, ...text, ...rest };
  }
  if (recorded === null) return { exact: null, why: whyUnknown(came), ...text, ...rest };
  if (recorded.prompt.digest === digest) return { exact: true, why: "", ...text, ...rest };
  return { exact: false, why: whyNot(scope, recorded), ...text, ...rest };
}

function whyUnknown(came: ShownCame | null): string {
  if (came === null) return "";
  if (came.kind === "failed") return "no reply came, so no digest was recorded to compare with";
  return "no reply came, and whether the call went out is not recorded";
}

function ofRecord(recorded: Replied | null): Pick<PromptFacts, "bytes" | "bytesMax" | "cut" | "digest"> | null {
  if (recorded === null) return null;
  const { bytes, bytesMax, cut, digest } = recorded.prompt;
  return { bytes, bytesMax, cut, digest };
}

function whyNot(scope: Scope, recorded: Replied): string {
  const changed =
    recorded.promptVersion === scope.promptVersion
      ? "how a prompt is built has changed since"
      : "the tools, their descriptions or the system text have changed since";
  return `${changed}: these are not the bytes that were sent, but what would be sent now`;
}

function turnsText(turns: readonly number[]): string {
  const [first, last] = [turns[0], turns.at(-1)];
  if (first === undefined || last === undefined) return "it has no turns";
  return first === last ? `its only turn is ${first}` : `its turns are ${first} to ${last}`;
}
