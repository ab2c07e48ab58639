/**
 * The public door `signalbox/otel`: OpenTelemetry for runs. It leans on no package: the tracer and the meter are those of the
 * user's `@opentelemetry/api`, taken by their shape.
 */
export type { Attributes, OtelContextApi, OtelMeter, OtelSpan, OtelTraceApi, OtelTracer } from "./api.ts";
export { type OtelListener, type OtelOptions, otelListener } from "./listener.ts";
export { SEMCONV_GENAI } from "./otel-map.ts";
