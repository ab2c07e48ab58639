import { DEFAULT_BUDGETS } from "../../src/domain/budgets.ts";
import type { Command } from "../../src/domain/command.ts";
import {
  type Began,
  type Decided,
  type Finished,
  NOTHING_SPENT,
  type Replied,
  type RunEvent,
  type Started,
} from "../../src/domain/event.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { Reply } from "../../src/domain/reply.ts";
import { DEFAULT_WINDOW } from "../../src/domain/window.ts";
import type * as LoopDoor from "../../src/loop/index.ts";
import type { LoopRules, LoopTool, Run } from "../../src/loop/index.ts";

/** The loop's door; a check is run against the real one and against mutated copies. */
export type Loop = typeof LoopDoor;

export function loopTool(name: string, more: Partial<LoopTool> = {}): LoopTool {
  return {
    name,
    description: `the tool ${name}`,
    local: false,
    mayRepeat: false,
    once: false,
    settleKey: () => null,
    paramsText: "{}",
    paramsSchema: null,
    evidenceMin: 0,
    takesNothing: false,
    ...more,
  };
}

export function rulesOf(...tools: readonly LoopTool[]): LoopRules {
  return { tools: new Map(tools.map((tool) => [tool.name, tool])) };
}

export function began(more: Partial<Began> = {}): Began {
  return {
    kind: "began",
    at: 0,
    run: "run1",
    thread: "thread1",
    request: "do it",
    parent: null,
    principal: { id: "operator", tools: [], attributes: {} },
    customer: null,
    budgets: DEFAULT_BUDGETS,
    window: DEFAULT_WINDOW,
    earlierRequests: [],
    past: [],
    pastCut: 0,
    outside: false,
    guides: null,
    promptVersion: "p",
    policyVersion: "v",
    model: "m",
    ...more,
  };
}

export function action(tool: string, params: JsonObject = {}, evidence: readonly string[] = []): Reply {
  return { kind: "action", tool, params, evidence };
}

/** What a drive does with a performed step. Default: done, a pass, with an empty result. */
export type Perform = (command: Extract<Command, { kind: "perform" }>) => Came;

type Came = {
  readonly outcome: "done" | "failed" | "outcome_unknown" | "denied";
  readonly result?: Json;
  readonly pass?: boolean;
  readonly events?: Finished["events"];
};

export type Drive = { readonly run: Run; readonly events: readonly RunEvent[]; readonly performed: readonly string[] };

/** Drives the loop with the replies of a model until it ends or the replies are used up. `null` is an unreadable reply. */
export function drive(
  loop: Loop,
  rules: LoopRules,
  replies: Iterable<Reply | null | string>,
  options: {
    readonly began?: Partial<Began>;
    readonly perform?: Perform;
    readonly from?: Run;
    readonly stepMs?: number;
    /** Sees the run before each command is carried out. */
    readonly before?: (run: Run) => void;
  } = {},
): Drive {
  const lines = replies[Symbol.iterator]();
  const events: RunEvent[] = [];
  const performed: string[] = [];
  let at = options.from?.lastAt ?? 0;
  let run = options.from ?? loop.newRun(rules);
  const feed = (event: RunEvent): void => {
    at += options.stepMs ?? 1;
    const stamped = { ...event, at };
    events.push(stamped);
    run = loop.advance(run, stamped);
  };
  if (options.from === undefined) feed(began(options.began));
  for (let guard = 0; guard < 100_000; guard++) {
    const command = run.command;
    options.before?.(run);
    if (command === null || command.kind === "end" || command.kind === "await_approval" || command.kind === "retrieve")
      break;
    if (command.kind === "ask_model") {
      const next = lines.next();
      if (next.done === true) break;
      feed(replied(command.turn, command.call, next.value));
      continue;
    }
    if (command.kind === "inject") {
      feed({ kind: "injected", at: 0, step: command.step, rules: command.rules });
      continue;
    }
    if (command.receipt !== null) {
      const { tool, result, line, step } = command.receipt;
      const receipt = { run: "run1", step };
      feed({ kind: "settled_before", at: 0, step: command.step, tool, result, pass: true, line, receipt });
      continue;
    }
    const came: Came = options.perform?.(command) ?? { outcome: "done" };
    feed(decided(command, came.outcome !== "denied"));
    if (came.outcome === "denied") continue;
    performed.push(`${command.tool} ${JSON.stringify(command.params)}`);
    feed(started(command));
    feed(finished(command, came.outcome, came.result ?? {}, came.pass ?? came.outcome === "done", came.events));
  }
  return { run, events, performed };
}

export function replied(turn: number, call: number, reply: Reply | null | string): Replied {
  const read = typeof reply === "string" ? null : reply;
  return {
    kind: "replied",
    at: 0,
    turn,
    call,
    promptVersion: "p",
    prompt: { digest: "d", bytes: 1, bytesMax: 1, cut: [] },
    mode: "flat",
    sentAs: "no_schema",
    attempts: 1,
    calls: [],
    repair: null,
    notRun: [],
    truncated: false,
    raw: typeof reply === "string" ? reply : JSON.stringify(reply),
    reply: read,
    why: read === null ? { code: "not_json", detail: "no JSON" } : null,
    model: "m",
    finish: "stop",
    usage: { promptTokens: 10, completionTokens: 1, costMicro: 3, estimated: true },
  };
}

export function decided(command: Extract<Command, { kind: "perform" }>, permit: boolean): Decided {
  return {
    kind: "decided",
    at: 0,
    step: command.step,
    tool: command.tool,
    route: command.route,
    params: command.params,
    checked: permit ? (command.params as JsonObject) : null,
    evidence: command.evidence,
    facts: null,
    provenance: {},
    today: "1970-01-01",
    capUse: [],
    outcome: permit ? "permit" : "deny",
    rule: "test",
    denial: permit ? null : { rail: "action", code: "no_permit", detail: "no", retryable: false },
    role: null,
    approvedBy: null,
    reservations: [],
    promptVersion: "p",
    policyVersion: "v",
    model: "m",
  };
}

export function started(command: Extract<Command, { kind: "perform" }>): Started {
  return {
    kind: "started",
    at: 0,
    step: command.step,
    tool: command.tool,
    params: command.params as JsonObject,
    effect: "idempotent",
    settleKey: null,
    idempotencyKey: "k",
  };
}

export function finished(
  command: Extract<Command, { kind: "perform" }>,
  outcome: Finished["outcome"],
  result: Json,
  pass: boolean,
  events: Finished["events"] = [],
): Finished {
  const error = outcome === "done" ? null : "it broke";
  return {
    kind: "finished",
    at: 0,
    step: command.step,
    tool: command.tool,
    outcome,
    result,
    error,
    pass,
    line: `${command.tool} ${outcome}`,
    events,
    spent: NOTHING_SPENT,
    resolved: null,
  };
}

/** The ending that a run has come to, or null while it goes on. */
export function endingOf(run: Run): string | null {
  if (run.command?.kind === "await_approval") return "awaiting_approval";
  return run.command?.kind === "end" ? run.command.ending : null;
}

export function endText(run: Run): string {
  return run.command?.kind === "end" ? run.command.text : "";
}
