import type { Began, Ended, RunEvent, Started, Usage } from "../../domain/event.ts";
import type { Attributes, OtelContextApi, OtelMeter, OtelSpan, OtelTraceApi, OtelTracer } from "./api.ts";
import {
  agentSpan,
  chatSpan,
  commonAttributes,
  decisionAttributes,
  endOfAgent,
  guardrailSpan,
  METRICS,
  measured,
  momentName,
  type Naming,
  retrievalSpan,
  type SpanShape,
  toolSpan,
} from "./otel-map.ts";

export type OtelOptions = {
  readonly tracer: OtelTracer;
  /** `trace` and `context` of `@opentelemetry/api`: they put the spans of a run below one another. */
  readonly trace: OtelTraceApi;
  readonly context: OtelContextApi;
  /** Left out, nothing is measured. */
  readonly meter?: OtelMeter;
  /** Also exports requests, replies, params and results: redacted as in the ledger, and no further. Default false. */
  readonly content?: boolean;
  /** `gen_ai.agent.name`. Default `signalbox`. */
  readonly agent?: string;
  /** `gen_ai.provider.name`, such as `ollama`, which no event says. */
  readonly provider?: string;
};

/** Hears the events of runs, as `onEvent` of a run hands them out. */
export type OtelListener = (event: RunEvent, run: { readonly began: Began | null }, seq: number) => void;

/** A run of which the end was not heard yet. */
type Carried = {
  readonly began: Began;
  readonly span: OtelSpan;
  readonly context: unknown;
  /** Whether its beginning was heard, so that its length is known. */
  readonly whole: boolean;
  lastAt: number;
  started: Started | null;
  /** What the calls used; null once one was not counted by the server. */
  usage: Usage | null;
};

/** Runs whose end was never heard, since their ledger broke, do not pile up beyond this. */
export const CARRIED_MAX = 1_000;

const ERROR = 2;

/**
 * A listener that tells OpenTelemetry of runs: a span for each run, model call, decision, performed effect and search of the
 * memory, with the row of the ledger that says the same. One listener can hear any number of runs.
 *
 * `await box.run(request, { onEvent: otelListener({ tracer, trace, context, meter }) })`
 *
 * Spans are made from events, after they are durable, with the times of the events: what an instrumented client does inside a
 * tool is not below the tool's span. Telemetry may be sampled and dropped. The record is the ledger.
 */
export function otelListener(options: OtelOptions): OtelListener {
  const spans = new RunSpans(options);
  return (event, { began }, seq) => {
    if (began !== null) spans.hear(event, began, seq);
  };
}

class RunSpans {
  readonly #options: OtelOptions;
  readonly #naming: Naming;
  readonly #instruments: ReturnType<typeof instrumentsOf> | null;
  readonly #carried = new Map<string, Carried>();

  constructor(options: OtelOptions) {
    const { agent = "signalbox", provider = null, content = false, meter } = options;
    this.#options = options;
    this.#naming = { agent, provider, content };
    this.#instruments = meter === undefined ? null : instrumentsOf(meter);
  }

  hear(event: RunEvent, began: Began, seq: number): void {
    const run = this.#carried.get(began.run) ?? this.#begin(event, began, seq);
    switch (event.kind) {
      case "replied":
      case "model_failed": {
        const shape = chatSpan(event, began, this.#naming);
        this.#span(run, shape, run.lastAt, event.at, seq);
        run.usage = added(run.usage, event.usage);
        this.#record("call", event.at - run.lastAt, shape);
        if (event.usage !== null && !event.usage.estimated) {
          this.#instruments?.input.record(event.usage.promptTokens, measured(shape));
          this.#instruments?.output.record(event.usage.completionTokens, measured(shape));
        }
        break;
      }
      case "decided":
        this.#span(run, guardrailSpan(event, this.#naming), run.lastAt, event.at, seq);
        this.#instruments?.decisions.add(1, decisionAttributes(event));
        break;
      case "started":
        run.started = event;
        break;
      case "finished": {
        const started = run.started?.step === event.step ? run.started : null;
        const shape = toolSpan(event, started, began, this.#naming);
        this.#span(run, shape, started?.at ?? event.at, event.at, seq);
        if (started !== null) this.#record("tool", event.at - started.at, shape);
        run.started = null;
        break;
      }
      case "retrieved":
        this.#span(run, retrievalSpan(event, this.#naming), run.lastAt, event.at, seq);
        break;
      case "ended":
        this.#end(run, event, seq);
        return;
      case "began":
        break;
      default:
        run.span.addEvent(momentName(event.kind), { "signalbox.ledger.seq": seq }, new Date(event.at));
    }
    run.lastAt = event.at;
  }

  #begin(event: RunEvent, began: Began, seq: number): Carried {
    const { tracer, context, trace } = this.#options;
    const { name, attributes } = agentSpan(began, this.#naming);
    const start = { kind: 0, attributes: { ...attributes, ...commonAttributes(began, seq) } } as const;
    const outer = context.active();
    // A context and a span of that package are handed on as they came.
    const span = tracer.startSpan(name, { ...start, startTime: new Date(event.at) }, outer as never);
    const run: Carried = {
      began,
      span,
      context: trace.setSpan(outer as never, span as never),
      whole: event.kind === "began",
      lastAt: event.at,
      started: null,
      usage: NOTHING_USED,
    };
    this.#carried.set(began.run, run);
    const [oldest] = this.#carried;
    if (this.#carried.size > CARRIED_MAX && oldest !== undefined) {
      oldest[1].span.end(new Date(oldest[1].lastAt));
      this.#carried.delete(oldest[0]);
    }
    return run;
  }

  #end(run: Carried, event: Ended, seq: number): void {
    this.#carried.delete(run.began.run);
    const end = endOfAgent(event, run.usage, this.#naming);
    run.span.setAttributes({ ...end.attributes, "signalbox.ledger.seq": seq });
    fail(run.span, end.error);
    run.span.end(new Date(event.at));
    const { attributes } = agentSpan(run.began, this.#naming);
    if (run.whole) this.#record("run", event.at - run.began.at, { attributes, error: end.error });
  }

  #span(run: Carried, { name, kind, attributes, error }: SpanShape, from: number, to: number, seq: number): void {
    const all: Attributes = { ...attributes, ...commonAttributes(run.began, seq) };
    // A clock may be set back while something happens.
    const startTime = new Date(Math.min(from, to));
    const options = { kind: kind === "client" ? 2 : 0, attributes: all, startTime } as const;
    const span = this.#options.tracer.startSpan(name, options, run.context as never);
    fail(span, error);
    span.end(new Date(to));
  }

  #record(what: "run" | "tool" | "call", ms: number, shape: Pick<SpanShape, "attributes" | "error">): void {
    this.#instruments?.[what].record(Math.max(0, ms) / 1_000, measured(shape));
  }
}

function fail(span: OtelSpan, error: string | null): void {
  if (error === null) return;
  span.setAttributes({ "error.type": error });
  span.setStatus({ code: ERROR, message: error });
}

const NOTHING_USED: Usage = { promptTokens: 0, completionTokens: 0, costMicro: 0, estimated: false };

function added(before: Usage | null, used: Usage | null): Usage | null {
  if (before === null || used === null || used.estimated) return null;
  return {
    promptTokens: before.promptTokens + used.promptTokens,
    completionTokens: before.completionTokens + used.completionTokens,
    costMicro: before.costMicro + used.costMicro,
    estimated: false,
  };
}

function instrumentsOf(meter: OtelMeter) {
  const histogram = ({ name, unit, description }: (typeof METRICS)[keyof typeof METRICS]) =>
    meter.createHistogram(name, { unit, description });
  const { name, unit, description } = METRICS.decisions;
  return {
    decisions: meter.createCounter(name, { unit, description }),
    run: histogram(METRICS.run),
    tool: histogram(METRICS.tool),
    call: histogram(METRICS.call),
    input: histogram(METRICS.input),
    output: histogram(METRICS.output),
  };
}
