/** Budgets: the structural bounds of one run. Every counter is checked before what it counts. */
export type Budgets = {
  /** Model replies that lead to something; a re-ask is not a turn of its own. */
  readonly turns: number;
  /** Calls to the model, re-asks included. */
  readonly modelCalls: number;
  /** Steps handed to a tool or actor. */
  readonly steps: number;
  /** Prompt plus completion tokens as the server counts them; estimated where it does not. */
  readonly tokens: number;
  /** Cost of the model calls in millionths of a currency unit, where the model has a price. */
  readonly costMicro: number;
  /** Wall-clock time of the run, measured between its events. */
  readonly wallMs: number;
  /** One call to the model. */
  readonly modelCallMs: number;
  /** One load of a record, one probe or one effect, unless the tool names its own. */
  readonly toolMs: number;
  /** UTF-8 bytes of one tool result in canonical JSON; a larger one fails the step. */
  readonly resultBytes: number;
};

/** The platform's timers overflow beyond it and fire at once. */
export const TIMER_MS_MAX = 2_147_483_647;

export const DEFAULT_BUDGETS: Budgets = {
  turns: 10,
  modelCalls: 20,
  steps: 30,
  tokens: 400_000,
  costMicro: Number.MAX_SAFE_INTEGER,
  wallMs: 15 * 60_000,
  modelCallMs: 120_000,
  toolMs: 30_000,
  resultBytes: 4_000_000,
};
