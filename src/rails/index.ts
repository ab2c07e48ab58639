/** The rails: whether a proposal may touch the world. Pure and synchronous. */
export { type Authorised, isAuthorised } from "./authorised.ts";
export { slidingLength, slidingPartMs, windowAt } from "./cap-window.ts";
export { capDemand, checkCaps, describeCap } from "./caps.ts";
export { openings } from "./closed-schema.ts";
export { type DecideInput, type Decision, decide, type Facts } from "./decide.ts";
export { checkEvidence } from "./evidence.ts";
export { type RailRow, railMatrix } from "./matrix.ts";
export { type Checked, checkOutput, PARAMS_BYTES_MAX } from "./output.ts";
export { checkDeclarations } from "./placement.ts";
export { Seen } from "./provenance/seen.ts";
export { traceParams } from "./provenance/trace.ts";
export { type Reviewed, reviewPolicy } from "./review.ts";
