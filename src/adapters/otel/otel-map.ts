import { ENDINGS, type Ending } from "../../domain/ending.ts";
import type {
  Began,
  Decided,
  Ended,
  Finished,
  ModelFailed,
  Replied,
  Retrieved,
  Started,
  Usage,
} from "../../domain/event.ts";
import type { Attributes } from "./api.ts";

/**
 * The one place where events of ours become names of OpenTelemetry's. When the conventions change, this file does.
 *
 * Source: open-telemetry/semantic-conventions-genai, this release ("Development"). `run_guardrail` is a proposal there
 * (pull request 427): until it is merged its shape stands under our own namespace. `openinference.span.kind` is what Phoenix
 * reads, `langfuse.observation.type` what Langfuse does.
 */
export const SEMCONV_GENAI = "0.1.0";

/** A span as it is known once it is over. */
export type SpanShape = {
  readonly name: string;
  readonly kind: "internal" | "client";
  readonly attributes: Attributes;
  /** `error.type`, or null where nothing failed. A denial is no failure: the rail did its work. */
  readonly error: string | null;
};

export type Naming = {
  readonly agent: string;
  /** `gen_ai.provider.name`, which no event says. */
  readonly provider: string | null;
  /** Whether texts, params and results go along. They are redacted already. */
  readonly content: boolean;
};

/** Digits of a version's digest in a metric's attribute. */
const DIGEST_UNITS = 12;
const UNKNOWN_TOOL = "(unknown)";

/** What every span of a run carries. `seq` is the row of the ledger that says the same, so that trace and ledger join. */
export function commonAttributes(began: Began, seq: number): Attributes {
  return {
    "gen_ai.conversation.id": began.thread,
    "session.id": began.thread,
    "signalbox.run": began.run,
    "signalbox.ledger.seq": seq,
  };
}

/** One carrying of a run, from its beginning or its resumption to its end. */
export function agentSpan(began: Began, { agent, provider, content }: Naming): SpanShape {
  return {
    name: `invoke_agent ${agent}`,
    kind: "internal",
    error: null,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent,
      ...(provider === null ? {} : { "gen_ai.provider.name": provider }),
      "gen_ai.request.model": began.model,
      "gen_ai.prompt.version": began.promptVersion,
      "signalbox.policy.version": began.policyVersion,
      "signalbox.principal": began.principal.id,
      "signalbox.semconv.genai": SEMCONV_GENAI,
      "openinference.span.kind": "AGENT",
      "langfuse.observation.type": "agent",
      ...(content
        ? {
            "input.value": began.request,
            "gen_ai.input.messages": messages("user", began.request),
            ...(began.customer === null ? {} : { "signalbox.customer": began.customer }),
          }
        : {}),
    },
  };
}

/** What the agent's span is told when its run ends. `usage` is null where not every call was counted by the server. */
export function endOfAgent(event: Ended, usage: Usage | null, { content }: Naming): Omit<SpanShape, "name" | "kind"> {
  return {
    error: errorOf(event.ending),
    attributes: {
      "signalbox.ending": event.ending,
      ...(usage === null ? {} : usageAttributes(usage)),
      ...(content ? { "output.value": event.text, "gen_ai.output.messages": messages("assistant", event.text) } : {}),
    },
  };
}

/** A failure of the world or of ours. What a guardrail or a rail stopped is a result, and so is waiting for a person. */
function errorOf(ending: Ending): string | null {
  const { exitCode } = ENDINGS[ending];
  return exitCode === 1 || exitCode === 5 ? ending : null;
}

/** A call of the model, whether or not there came anything of it. */
export function chatSpan(event: Replied | ModelFailed, began: Began, { provider, content }: Naming): SpanShape {
  const model = event.kind === "replied" ? event.model : began.model;
  const attributes = {
    "gen_ai.operation.name": "chat",
    ...(provider === null ? {} : { "gen_ai.provider.name": provider }),
    "gen_ai.request.model": model,
    "signalbox.turn": event.turn,
    "signalbox.call": event.call,
    "openinference.span.kind": "LLM",
    "langfuse.observation.type": "generation",
    ...(event.usage === null ? {} : usageAttributes(event.usage)),
  };
  const shape = { name: `chat ${model}`, kind: "client" } as const;
  if (event.kind === "model_failed") return { ...shape, attributes, error: event.code };
  const { prompt, reply, why, repair, finish, raw } = event;
  return {
    ...shape,
    error: null,
    attributes: {
      ...attributes,
      "gen_ai.prompt.version": event.promptVersion,
      "gen_ai.response.finish_reasons": [finish],
      "signalbox.attempts": event.attempts,
      "signalbox.prompt.digest": prompt.digest,
      "signalbox.prompt.bytes": prompt.bytes,
      ...(reply === null ? {} : { "signalbox.reply.kind": reply.kind }),
      ...(why === null ? {} : { "signalbox.reply.unreadable": why.code }),
      ...(repair === null ? {} : { "signalbox.reply.mended": [...repair.names] }),
      ...(content ? { "gen_ai.output.messages": messages("assistant", raw), "output.value": raw } : {}),
    },
  };
}

/** What the rails said of a proposal. */
export function guardrailSpan(event: Decided, { content }: Naming): SpanShape {
  const { denial, outcome, rule } = event;
  return {
    name: `run_guardrail ${rule}`,
    kind: "internal",
    error: null,
    attributes: {
      "signalbox.operation.name": "run_guardrail",
      "signalbox.guardrail.target.type": "tool_call",
      "signalbox.guardrail.target.id": toolOf(event),
      "signalbox.guardrail.verdict.type": VERDICTS[outcome],
      ...(denial === null
        ? {}
        : { "signalbox.guardrail.verdict.code": denial.code, "signalbox.guardrail.verdict.reason": denial.rail }),
      "signalbox.guardrail.security.policy.id": event.policyVersion,
      "signalbox.guardrail.security.policy.rule.id": rule,
      "signalbox.step": event.step,
      "openinference.span.kind": "GUARDRAIL",
      "langfuse.observation.type": "guardrail",
      ...(content
        ? {
            "input.value": JSON.stringify(event.params),
            "signalbox.evidence": [...event.evidence],
            ...(denial === null ? {} : { "output.value": denial.detail }),
          }
        : {}),
    },
  };
}

const VERDICTS = { permit: "allow", stage: "escalate", deny: "deny" } as const satisfies {
  readonly [Outcome in Decided["outcome"]]: string;
};

/** A name that the model made up is content, and there is no end of such names. */
function toolOf({ tool, denial }: Decided): string {
  return denial?.code === "unknown_tool" || denial?.code === "unroutable" ? UNKNOWN_TOOL : tool;
}

/** An effect that code committed; nothing that was only proposed has such a span. */
export function toolSpan(event: Finished, started: Started | null, began: Began, { content }: Naming): SpanShape {
  const { outcome, tool, step, pass, error } = event;
  return {
    name: `execute_tool ${tool}`,
    kind: "internal",
    error: outcome === "done" ? null : outcome,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": started?.idempotencyKey ?? `${began.run}-${step}`,
      "signalbox.step": step,
      "signalbox.outcome": outcome,
      "signalbox.pass": pass,
      ...(started === null ? {} : { "signalbox.effect": started.effect }),
      "openinference.span.kind": "TOOL",
      "langfuse.observation.type": "tool",
      ...(content
        ? {
            ...(started === null ? {} : { "gen_ai.tool.call.arguments": JSON.stringify(started.params) }),
            "gen_ai.tool.call.result": JSON.stringify(event.result),
            ...(error === null ? {} : { "signalbox.error": error }),
          }
        : {}),
    },
  };
}

/** A search of the memory. */
export function retrievalSpan(event: Retrieved, { content }: Naming): SpanShape {
  return {
    name: "retrieval memory",
    kind: "client",
    error: event.failed === null ? null : "memory_failed",
    attributes: {
      "gen_ai.operation.name": "retrieval",
      "gen_ai.data_source.id": "memory",
      "signalbox.passages": event.passages.length,
      "openinference.span.kind": "RETRIEVER",
      "langfuse.observation.type": "retriever",
      ...(content ? { "input.value": event.query } : {}),
    },
  };
}

/** What else happens in a run is a moment on the agent's span: nothing took time there that anybody measured. */
export function momentName(kind: string): string {
  return `signalbox.${kind}`;
}

/** The server's own counts; our estimates are no measurement and are left out. */
function usageAttributes({ promptTokens, completionTokens, costMicro, estimated }: Usage): Attributes {
  return {
    ...(estimated ? {} : { "gen_ai.usage.input_tokens": promptTokens, "gen_ai.usage.output_tokens": completionTokens }),
    ...(costMicro > 0 ? { "signalbox.usage.cost_micro": costMicro } : {}),
  };
}

/** The form of `gen_ai.*.messages`: a list of messages of parts, as JSON. */
function messages(role: "user" | "assistant", content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

/** The instruments. Durations are in seconds, between the `at` of two events. */
export const METRICS = {
  decisions: { name: "signalbox.decisions", unit: "{decision}", description: "Proposals that were decided." },
  run: { name: "gen_ai.invoke_agent.duration", unit: "s", description: "From the beginning of a run to its end." },
  tool: {
    name: "gen_ai.execute_tool.duration",
    unit: "s",
    description: "From the decision that an effect starts to its outcome.",
  },
  call: {
    name: "signalbox.model_call.duration",
    unit: "s",
    description:
      "From the event before a model call to its reply: with its attempts, back-off and the making of the prompt.",
  },
  input: {
    name: "gen_ai.client.inference.usage.input_tokens",
    unit: "{token}",
    description: "Tokens of a prompt, where the server counted them.",
  },
  output: {
    name: "gen_ai.client.inference.usage.output_tokens",
    unit: "{token}",
    description: "Tokens of a reply, where the server counted them.",
  },
} as const;

/** The attributes of the counter: those of `signalbox denials --prometheus`. */
export function decisionAttributes(event: Decided): Attributes {
  const { denial, outcome, rule, model, promptVersion } = event;
  return {
    outcome,
    tool: toolOf(event),
    ...(denial === null ? {} : { rail: denial.rail, code: denial.code }),
    rule,
    model,
    prompt: promptVersion.slice(0, DIGEST_UNITS),
  };
}

/** What a measurement of a call, a tool or a run is told apart by: the names of its span, and nothing of one run only. */
export function measured({ attributes, error }: Pick<SpanShape, "attributes" | "error">): Attributes {
  const kept = [
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.agent.name",
    "gen_ai.tool.name",
  ];
  const named = kept.flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(named), ...(error === null ? {} : { "error.type": error }) };
}
