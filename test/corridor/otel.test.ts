import { type Config, deny, type RunEvent, stage } from "signalbox";
import { type OtelOptions, otelListener, SEMCONV_GENAI } from "signalbox/otel";
import { simulatedClock } from "signalbox/testing";
import { describe, expect, test } from "vitest";
import { act, liveModel, openBox, pay, payTool, plainTool, say } from "./box.ts";

/*
 * The parts of @opentelemetry/api 1.9 that a listener is handed, as that package declares them: the package is not installed
 * here, and that these are taken is a matter of types.
 */
type AttributeValue =
  | string
  | number
  | boolean
  | (null | undefined | string)[]
  | (null | undefined | number)[]
  | (null | undefined | boolean)[];
interface ApiAttributes {
  [attributeKey: string]: AttributeValue | undefined;
}
type TimeInput = [number, number] | number | Date;
declare enum SpanKind {
  INTERNAL = 0,
  SERVER = 1,
  CLIENT = 2,
}
declare enum SpanStatusCode {
  UNSET = 0,
  OK = 1,
  ERROR = 2,
}
interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
}
interface Span {
  setAttribute(key: string, value: AttributeValue): this;
  setAttributes(attributes: ApiAttributes): this;
  addEvent(name: string, attributesOrStartTime?: ApiAttributes | TimeInput, startTime?: TimeInput): this;
  setStatus(status: { code: SpanStatusCode; message?: string }): this;
  end(endTime?: TimeInput): void;
}
interface Tracer {
  startSpan(
    name: string,
    options?: { kind?: SpanKind; attributes?: ApiAttributes; startTime?: TimeInput; root?: boolean },
    context?: Context,
  ): Span;
}
interface MetricOptions {
  description?: string;
  unit?: string;
  valueType?: 0 | 1;
}
interface Meter {
  createCounter<T extends ApiAttributes = ApiAttributes>(
    name: string,
    options?: MetricOptions,
  ): { add(value: number, attributes?: T, context?: Context): void };
  createHistogram<T extends ApiAttributes = ApiAttributes>(
    name: string,
    options?: MetricOptions,
  ): { record(value: number, attributes?: T, context?: Context): void };
}
type TraceApi = { setSpan: (context: Context, span: Span) => Context };
type ContextApi = { active(): Context };

type Recorded = {
  name: string;
  kind: number | undefined;
  attributes: ApiAttributes;
  parent: string | null;
  from: number;
  to: number | null;
  status: string | null;
  events: string[];
};

const SPAN = Symbol("span");

function contextOf(values: ReadonlyMap<symbol, unknown>): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  };
}

/** Keeps what it is told, as an SDK with an exporter would. */
function recorder() {
  const spans: Recorded[] = [];
  const measurements: string[] = [];
  const ms = (time: TimeInput | undefined): number => (time instanceof Date ? time.getTime() : Number.NaN);
  const tracer: Tracer = {
    startSpan(name, options = {}, context) {
      const parent = context?.getValue(SPAN) as (Span & { of: Recorded }) | undefined;
      const of: Recorded = {
        name,
        kind: options.kind,
        attributes: { ...options.attributes },
        parent: parent?.of.name ?? null,
        from: ms(options.startTime),
        to: null,
        status: null,
        events: [],
      };
      spans.push(of);
      const span: Span & { of: Recorded } = {
        of,
        setAttribute: () => span,
        setAttributes: (attributes) => {
          Object.assign(of.attributes, attributes);
          return span;
        },
        addEvent: (event, attributes, time) => {
          of.events.push(`${event} ${JSON.stringify(attributes)} at ${ms(time)}`);
          return span;
        },
        setStatus: ({ code, message }) => {
          of.status = `${code} ${message}`;
          return span;
        },
        end: (time) => {
          of.to = ms(time);
        },
      };
      return span;
    },
  };
  const note =
    (name: string, unit = "") =>
    (value: number, attributes?: ApiAttributes) => {
      measurements.push(`${name} ${value} ${unit} ${JSON.stringify(attributes)}`);
    };
  const meter: Meter = {
    createCounter: (name, options) => ({ add: note(name, options?.unit) }),
    createHistogram: (name, options) => ({ record: note(name, options?.unit) }),
  };
  const outer = contextOf(new Map([[SPAN, { of: { name: "POST /refunds" } }]]));
  const context: ContextApi = { active: () => outer };
  const trace: TraceApi = { setSpan: (context, span) => context.setValue(SPAN, span) };
  return { spans, measurements, parts: { tracer, meter, trace, context } satisfies OtelOptions };
}

/** 7 is denied, 500 waits, and 13 breaks off in the middle. */
function desk(script: Iterable<ReturnType<typeof say>>, more: Partial<Config> = {}) {
  const clock = simulatedClock(1_000_000);
  const replies = [...script];
  const model = liveModel(
    () => {
      clock.advance(2_000);
      const reply = replies.shift();
      if (reply === undefined) return { ok: false, code: "unreachable", detail: "nobody listens at SECRET-DETAIL" };
      const text = JSON.stringify(reply);
      return { ok: true, text, finish: "stop", promptTokens: 900, completionTokens: 40 };
    },
    { name: "qwen3:8b" },
  );
  const tools = [
    payTool(
      ({ params }) => {
        clock.advance(300);
        if (params.amountMinor === 13) throw new Error("the line broke at SECRET-ERROR");
        return { receipt: "SECRET-RESULT" };
      },
      {
        authorise: ({ params }) =>
          params.amountMinor === 7
            ? deny("too_much", "SECRET-WHY")
            : params.amountMinor === 500
              ? stage("boss")
              : { effect: "permit" },
      },
    ),
    plainTool("look", () => 1),
  ];
  return openBox(tools, [], { clock, model, ...more });
}

const who = { customer: "customer:ada" };

/** What a person compares: the tree with its times, and what is not the same on every span. */
function told(spans: readonly Recorded[]): string {
  const usual = ["gen_ai.conversation.id", "session.id", "signalbox.run", "gen_ai.operation.name"];
  const digest = /^[0-9a-f]{64}$/;
  return spans
    .map(({ name, kind, attributes, parent, from, to, status, events }) => {
      const times = `${from - 1_000_000}..${to === null ? "?" : to - 1_000_000}`;
      const head = `${name} <- ${parent} · ${kind === 2 ? "client" : "internal"} · ${times} · ${status ?? "unset"}`;
      const rest = Object.entries(attributes)
        .filter(([key]) => !usual.includes(key))
        .map(([key, value]) => `    ${key} = ${digest.test(String(value)) ? "DIGEST" : JSON.stringify(value)}`);
      return [head, ...rest, ...events.map((event) => `    ! ${event}`)].join("\n");
    })
    .join("\n");
}

describe("[metric-export] spans of runs", () => {
  test("a permit, a denial, a staged proposal, a failed model call and an unknown outcome", async () => {
    const { spans, parts } = recorder();
    const onEvent = otelListener({ ...parts, agent: "desk", provider: "ollama" });
    const scripts = [
      [pay("a", 7), pay("a", 20), pay("a", 20), say("done")],
      [pay("b", 500)],
      [act("SECRET-TOOL"), pay("c", 13)],
      [],
    ];
    const endings: string[] = [];
    for (const script of scripts) {
      endings.push((await desk(script, { budgets: { turns: 5 } }).run("SECRET-REQUEST", { ...who, onEvent })).ending);
    }
    expect(endings).toEqual(["answered", "awaiting_approval", "outcome_unknown", "model_unreachable"]);
    expect(told(spans)).toMatchInlineSnapshot(`
      "invoke_agent desk <- POST /refunds · internal · 0..8300 · unset
          gen_ai.agent.name = "desk"
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          gen_ai.prompt.version = DIGEST
          signalbox.policy.version = DIGEST
          signalbox.principal = "operator"
          signalbox.semconv.genai = "0.1.0"
          openinference.span.kind = "AGENT"
          langfuse.observation.type = "agent"
          signalbox.ledger.seq = 11
          signalbox.ending = "answered"
          gen_ai.usage.input_tokens = 3600
          gen_ai.usage.output_tokens = 160
          ! signalbox.settled_before {"signalbox.ledger.seq":9} at 1006300
      chat qwen3:8b <- invoke_agent desk · client · 0..2000 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 1
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1376
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 2
      run_guardrail pay.authorise <- invoke_agent desk · internal · 2000..2000 · unset
          signalbox.operation.name = "run_guardrail"
          signalbox.guardrail.target.type = "tool_call"
          signalbox.guardrail.target.id = "pay"
          signalbox.guardrail.verdict.type = "deny"
          signalbox.guardrail.verdict.code = "too_much"
          signalbox.guardrail.verdict.reason = "action"
          signalbox.guardrail.security.policy.id = DIGEST
          signalbox.guardrail.security.policy.rule.id = "pay.authorise"
          signalbox.step = 1
          openinference.span.kind = "GUARDRAIL"
          langfuse.observation.type = "guardrail"
          signalbox.ledger.seq = 3
      chat qwen3:8b <- invoke_agent desk · client · 2000..4000 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 2
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1477
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 4
      run_guardrail pay.authorise <- invoke_agent desk · internal · 4000..4000 · unset
          signalbox.operation.name = "run_guardrail"
          signalbox.guardrail.target.type = "tool_call"
          signalbox.guardrail.target.id = "pay"
          signalbox.guardrail.verdict.type = "allow"
          signalbox.guardrail.security.policy.id = DIGEST
          signalbox.guardrail.security.policy.rule.id = "pay.authorise"
          signalbox.step = 2
          openinference.span.kind = "GUARDRAIL"
          langfuse.observation.type = "guardrail"
          signalbox.ledger.seq = 5
      execute_tool pay <- invoke_agent desk · internal · 4000..4300 · unset
          gen_ai.tool.name = "pay"
          gen_ai.tool.type = "function"
          gen_ai.tool.call.id = "run00000000000000000002-2"
          signalbox.step = 2
          signalbox.outcome = "done"
          signalbox.pass = true
          signalbox.effect = "once"
          openinference.span.kind = "TOOL"
          langfuse.observation.type = "tool"
          signalbox.ledger.seq = 7
      chat qwen3:8b <- invoke_agent desk · client · 4300..6300 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 3
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1501
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 8
      chat qwen3:8b <- invoke_agent desk · client · 6300..8300 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 4
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1526
          signalbox.reply.kind = "conversation"
          signalbox.ledger.seq = 10
      invoke_agent desk <- POST /refunds · internal · 0..2000 · unset
          gen_ai.agent.name = "desk"
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          gen_ai.prompt.version = DIGEST
          signalbox.policy.version = DIGEST
          signalbox.principal = "operator"
          signalbox.semconv.genai = "0.1.0"
          openinference.span.kind = "AGENT"
          langfuse.observation.type = "agent"
          signalbox.ledger.seq = 5
          signalbox.ending = "awaiting_approval"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          ! signalbox.staged {"signalbox.ledger.seq":4} at 1002000
      chat qwen3:8b <- invoke_agent desk · client · 0..2000 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 1
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1376
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 2
      run_guardrail pay.authorise <- invoke_agent desk · internal · 2000..2000 · unset
          signalbox.operation.name = "run_guardrail"
          signalbox.guardrail.target.type = "tool_call"
          signalbox.guardrail.target.id = "pay"
          signalbox.guardrail.verdict.type = "escalate"
          signalbox.guardrail.security.policy.id = DIGEST
          signalbox.guardrail.security.policy.rule.id = "pay.authorise"
          signalbox.step = 1
          openinference.span.kind = "GUARDRAIL"
          langfuse.observation.type = "guardrail"
          signalbox.ledger.seq = 3
      invoke_agent desk <- POST /refunds · internal · 0..4300 · 2 outcome_unknown
          gen_ai.agent.name = "desk"
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          gen_ai.prompt.version = DIGEST
          signalbox.policy.version = DIGEST
          signalbox.principal = "operator"
          signalbox.semconv.genai = "0.1.0"
          openinference.span.kind = "AGENT"
          langfuse.observation.type = "agent"
          signalbox.ledger.seq = 8
          signalbox.ending = "outcome_unknown"
          gen_ai.usage.input_tokens = 1800
          gen_ai.usage.output_tokens = 80
          error.type = "outcome_unknown"
      chat qwen3:8b <- invoke_agent desk · client · 0..2000 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 1
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1376
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 2
      run_guardrail output <- invoke_agent desk · internal · 2000..2000 · unset
          signalbox.operation.name = "run_guardrail"
          signalbox.guardrail.target.type = "tool_call"
          signalbox.guardrail.target.id = "(unknown)"
          signalbox.guardrail.verdict.type = "deny"
          signalbox.guardrail.verdict.code = "unknown_tool"
          signalbox.guardrail.verdict.reason = "output"
          signalbox.guardrail.security.policy.id = DIGEST
          signalbox.guardrail.security.policy.rule.id = "output"
          signalbox.step = 1
          openinference.span.kind = "GUARDRAIL"
          langfuse.observation.type = "guardrail"
          signalbox.ledger.seq = 3
      chat qwen3:8b <- invoke_agent desk · client · 2000..4000 · unset
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 2
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          gen_ai.usage.input_tokens = 900
          gen_ai.usage.output_tokens = 40
          gen_ai.prompt.version = DIGEST
          gen_ai.response.finish_reasons = ["stop"]
          signalbox.attempts = 1
          signalbox.prompt.digest = DIGEST
          signalbox.prompt.bytes = 1543
          signalbox.reply.kind = "action"
          signalbox.ledger.seq = 4
      run_guardrail pay.authorise <- invoke_agent desk · internal · 4000..4000 · unset
          signalbox.operation.name = "run_guardrail"
          signalbox.guardrail.target.type = "tool_call"
          signalbox.guardrail.target.id = "pay"
          signalbox.guardrail.verdict.type = "allow"
          signalbox.guardrail.security.policy.id = DIGEST
          signalbox.guardrail.security.policy.rule.id = "pay.authorise"
          signalbox.step = 2
          openinference.span.kind = "GUARDRAIL"
          langfuse.observation.type = "guardrail"
          signalbox.ledger.seq = 5
      execute_tool pay <- invoke_agent desk · internal · 4000..4300 · 2 outcome_unknown
          gen_ai.tool.name = "pay"
          gen_ai.tool.type = "function"
          gen_ai.tool.call.id = "run00000000000000000002-2"
          signalbox.step = 2
          signalbox.outcome = "outcome_unknown"
          signalbox.pass = false
          signalbox.effect = "once"
          openinference.span.kind = "TOOL"
          langfuse.observation.type = "tool"
          signalbox.ledger.seq = 7
          error.type = "outcome_unknown"
      invoke_agent desk <- POST /refunds · internal · 0..2000 · 2 model_unreachable
          gen_ai.agent.name = "desk"
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          gen_ai.prompt.version = DIGEST
          signalbox.policy.version = DIGEST
          signalbox.principal = "operator"
          signalbox.semconv.genai = "0.1.0"
          openinference.span.kind = "AGENT"
          langfuse.observation.type = "agent"
          signalbox.ledger.seq = 3
          signalbox.ending = "model_unreachable"
          error.type = "model_unreachable"
      chat qwen3:8b <- invoke_agent desk · client · 0..2000 · 2 unreachable
          gen_ai.provider.name = "ollama"
          gen_ai.request.model = "qwen3:8b"
          signalbox.turn = 1
          signalbox.call = 1
          openinference.span.kind = "LLM"
          langfuse.observation.type = "generation"
          signalbox.ledger.seq = 2
          error.type = "unreachable""
    `);
    // Nothing of what anybody said is there, since nobody asked for it.
    expect(JSON.stringify(spans)).not.toContain("SECRET");
    expect(JSON.stringify(spans)).not.toContain("customer:ada");
  });

  test("each span names the row of the ledger that says the same", async () => {
    const { spans, parts } = recorder();
    const box = desk([pay("a", 7), pay("a", 20), say("done")]);
    const { run, thread } = await box.run("please", { ...who, onEvent: otelListener(parts) });
    const rows = await box.parts.store.readRows(run);
    const kinds = spans.map(({ name, attributes }) => [
      name.split(" ")[0],
      rows.find(({ seq }) => seq === attributes["signalbox.ledger.seq"])?.kind,
    ]);
    expect(kinds).toEqual([
      ["invoke_agent", "ended"],
      ["chat", "replied"],
      ["run_guardrail", "decided"],
      ["chat", "replied"],
      ["run_guardrail", "decided"],
      ["execute_tool", "finished"],
      ["chat", "replied"],
    ]);
    expect(spans.every(({ attributes }) => attributes["gen_ai.conversation.id"] === thread)).toBe(true);
    expect(spans.every(({ attributes }) => attributes["signalbox.run"] === run)).toBe(true);
    expect(spans[0]?.attributes["signalbox.semconv.genai"]).toBe(SEMCONV_GENAI);
  });

  test("content goes along only where it is asked for, and redacted", async () => {
    const { spans, parts } = recorder();
    const redact = { values: ["SECRET-RESULT"] };
    const box = desk([pay("a", 7), pay("a", 20), say("done, SECRET-RESULT")], { redact });
    await box.run("please pay", { ...who, onEvent: otelListener({ ...parts, content: true }) });
    const of = (name: string) => spans.filter((span) => span.name === name).map(({ attributes }) => attributes);
    expect(of("invoke_agent signalbox")[0]).toMatchObject({
      "input.value": "please pay",
      "signalbox.customer": "customer:ada",
      "output.value": expect.stringMatching(/^done, /),
    });
    expect(JSON.parse(String(of("invoke_agent signalbox")[0]?.["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "please pay" }] },
    ]);
    expect(of("execute_tool pay")[0]).toMatchObject({
      "gen_ai.tool.call.arguments": '{"amountMinor":20,"id":"a"}',
      "gen_ai.tool.call.result": expect.stringMatching(/^\{"receipt":/),
    });
    expect(of("run_guardrail pay.authorise")[0]).toMatchObject({
      "input.value": '{"id":"a","amountMinor":7}',
      "signalbox.evidence": ["e1"],
      "output.value": "SECRET-WHY",
    });
    expect(JSON.stringify(spans)).not.toContain("SECRET-RESULT");
  });

  test("what is measured, in seconds and tokens, and estimates are not", async () => {
    const { measurements, parts } = recorder();
    await desk([pay("a", 7), pay("a", 20), say("done")]).run("please", { ...who, onEvent: otelListener(parts) });
    expect(measurements.map((line) => line.replace(/"prompt":"[0-9a-f]{12}"/, '"prompt":"P"'))).toMatchInlineSnapshot(`
      [
        "signalbox.model_call.duration 2 s {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.input_tokens 900 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.output_tokens 40 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "signalbox.decisions 1 {decision} {"outcome":"deny","tool":"pay","rail":"action","code":"too_much","rule":"pay.authorise","model":"qwen3:8b","prompt":"P"}",
        "signalbox.model_call.duration 2 s {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.input_tokens 900 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.output_tokens 40 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "signalbox.decisions 1 {decision} {"outcome":"permit","tool":"pay","rule":"pay.authorise","model":"qwen3:8b","prompt":"P"}",
        "gen_ai.execute_tool.duration 0.3 s {"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"pay"}",
        "signalbox.model_call.duration 2 s {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.input_tokens 900 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.client.inference.usage.output_tokens 40 {token} {"gen_ai.operation.name":"chat","gen_ai.request.model":"qwen3:8b"}",
        "gen_ai.invoke_agent.duration 6.3 s {"gen_ai.operation.name":"invoke_agent","gen_ai.request.model":"qwen3:8b","gen_ai.agent.name":"signalbox"}",
      ]
    `);
    const estimated = recorder();
    const box = openBox([], [say("done")]);
    await box.run("please", { onEvent: otelListener(estimated.parts) });
    expect(estimated.measurements.filter((line) => line.includes("tokens"))).toEqual([]);
    expect(Object.keys(estimated.spans[0]?.attributes ?? {})).not.toContain("gen_ai.usage.input_tokens");
  });

  test("a run that is taken up again has a span of its own in the same conversation, and no length that nobody measured", async () => {
    const first = recorder();
    const box = desk([pay("a", 20)], { budgets: { turns: 1 } });
    const { run, ending } = await box.run("please", { ...who, onEvent: otelListener(first.parts) });
    expect(ending).toBe("turn_budget");
    const again = recorder();
    await box.continue(run, { budgets: { turns: 2 }, onEvent: otelListener(again.parts) });
    const [agent, chat] = again.spans;
    expect(agent).toMatchObject({ name: "invoke_agent signalbox", parent: "POST /refunds" });
    expect(agent?.events[0]).toMatch(/^signalbox\.continued \{"signalbox\.ledger\.seq":[0-9]+\} at [0-9]+$/);
    expect(agent?.attributes["gen_ai.conversation.id"]).toBe(first.spans[0]?.attributes["gen_ai.conversation.id"]);
    expect(chat).toMatchObject({ name: "chat qwen3:8b", parent: "invoke_agent signalbox" });
    expect(again.measurements.some((line) => line.startsWith("gen_ai.invoke_agent.duration"))).toBe(false);
    expect(first.measurements.some((line) => line.startsWith("gen_ai.invoke_agent.duration"))).toBe(true);
  });

  test("runs that are heard at the same time do not mix", async () => {
    const { spans, parts } = recorder();
    const onEvent = otelListener(parts);
    const box = desk([say("x"), say("x"), say("x")]);
    const outcomes = await Promise.all([1, 2, 3].map((n) => box.run(`request ${n}`, { onEvent })));
    const runs = (name: string) =>
      spans.filter((span) => span.name.startsWith(name)).map(({ attributes }) => attributes["signalbox.run"]);
    expect(runs("invoke_agent").sort()).toEqual(outcomes.map(({ run }) => run).sort());
    expect(runs("chat").sort()).toEqual(outcomes.map(({ run }) => run).sort());
    expect(spans.every(({ to }) => to !== null)).toBe(true);
  });

  test("runs whose end is never heard do not pile up", async () => {
    const { spans, parts } = recorder();
    const onEvent = otelListener(parts);
    const heard: RunEvent[] = [];
    await openBox([], [say("x")]).run("please", { onEvent: (event) => heard.push(event) });
    const [began] = heard;
    if (began?.kind !== "began") throw new Error("a run begins");
    for (let n = 0; n < 1_001; n++) {
      const of = { ...began, run: `r${n}` };
      onEvent(of, { began: of }, 1);
    }
    expect(spans.filter(({ to }) => to !== null).map(({ attributes }) => attributes["signalbox.run"])).toEqual(["r0"]);
  });
});
