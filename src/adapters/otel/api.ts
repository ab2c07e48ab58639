/**
 * What is needed of `@opentelemetry/api` 1.x, by its shape: the package is the user's, and so are its SDK and its exporter.
 * A tracer, a meter and the two APIs of that package are each assignable to these as they are.
 */
export type Attributes = { [name: string]: string | number | boolean | string[] };

export type OtelSpan = {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: 0 | 1 | 2; message?: string }): unknown;
  addEvent(name: string, attributes: Attributes, time: Date): unknown;
  end(time: Date): void;
};

/** SpanKind of that package: INTERNAL is 0, CLIENT is 2. */
export type OtelTracer = {
  startSpan(name: string, options: { kind: 0 | 2; attributes: Attributes; startTime: Date }, context: never): OtelSpan;
};

export type OtelMeter = {
  createCounter(name: string, options: InstrumentOptions): { add(value: number, attributes: Attributes): void };
  createHistogram(name: string, options: InstrumentOptions): { record(value: number, attributes: Attributes): void };
};

type InstrumentOptions = { description: string; unit: string };

/** `context` of that package: what is active where a run begins becomes the parent of its span. */
export type OtelContextApi = { active(): unknown };

/** `trace` of that package: it puts a span into a context, so that others can stand below it. */
export type OtelTraceApi = { setSpan(context: never, span: never): unknown };
