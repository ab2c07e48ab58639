import {
  type Budgets,
  type Clock,
  type Config,
  createSignalbox,
  DEFAULT_BUDGETS,
  defineTool,
  type RunEvent,
  type RunOutcome,
  type Signalbox,
  type TextPiece,
  z,
} from "../../src/index.ts";
import {
  type HonestReply,
  type MisbehavingServer,
  type MisbehavingServerOptions,
  misbehavingServer,
  simulatedClock,
  type TrialProposal,
} from "../../src/testing/index.ts";

/** A mode and whether the answer is streamed. */
export type Wire = { readonly mode: "flat" | "tools"; readonly stream: boolean };

export const WIRES: readonly Wire[] = [
  { mode: "flat", stream: false },
  { mode: "flat", stream: true },
  { mode: "tools", stream: false },
  { mode: "tools", stream: true },
];

/** Not ASCII, so that a text that was decoded wrongly is another one. */
export const TEXT: { readonly [proposal in TrialProposal]: string } = {
  before: "première",
  bent: "déjà vu",
  after: "dernière",
};

export const API_KEY = "sk-trial-5f0e9c1b7a";

/** Long enough that a prompt with it has something to leave out. */
const PAGE = "All work and no play. ".repeat(600);

export function noted(text: string, { mode }: Pick<Wire, "mode">): HonestReply {
  return mode === "tools"
    ? { calls: [{ name: "note", args: { text } }] }
    : { kind: "action", tool: "note", params: { text } };
}

export function said(text: string, { mode }: Pick<Wire, "mode">): HonestReply {
  return mode === "tools" ? text : { kind: "conversation", text };
}

/** A clock on which a pause before a request that is sent again takes no time, and a deadline passes only when it is told to. */
export type TrialClock = Clock & {
  /** The pauses so far, in milliseconds. */
  readonly pauses: readonly number[];
  /** Lets the deadline of a model call pass. */
  expire(): void;
};

/** Longer than any pause here, and shorter than any deadline. */
const PAUSE_MS_MAX = 1_500;

export function trialClock(): TrialClock {
  const clock = simulatedClock(1_000_000);
  const pauses: number[] = [];
  return {
    now: clock.now,
    sleep: async (ms, signal) => {
      if (ms > PAUSE_MS_MAX) return clock.sleep(ms, signal);
      pauses.push(ms);
      clock.advance(ms);
    },
    pauses,
    expire: () => clock.advance(DEFAULT_BUDGETS.modelCallMs),
  };
}

export type TrialRun = {
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
  readonly effects: readonly string[];
  readonly server: MisbehavingServer;
  /** What the operator was shown while it streamed. */
  readonly shown: string;
};

/** One run of a box with one tool, against a server by this script. */
export async function runAgainst(
  options: MisbehavingServerOptions,
  wire: Wire,
  more: { readonly clock?: Clock; readonly budgets?: Partial<Budgets>; readonly config?: Partial<Config> } = {},
): Promise<TrialRun> {
  await using server = await misbehavingServer({ windowTokens: 4_096, ...options });
  const effects: string[] = [];
  const box: Signalbox = createSignalbox({
    model: {
      baseUrl: server.baseUrl,
      name: "trial",
      apiKey: API_KEY,
      ...(wire.mode === "tools" ? { mode: wire.mode } : {}),
    },
    tools: [noteTool(effects)],
    store: "memory",
    window: { tokens: 4_096 },
    clock: more.clock ?? trialClock(),
    ...(more.budgets === undefined ? {} : { budgets: more.budgets }),
    ...more.config,
  });
  let shown = "";
  const onText = (piece: TextPiece): void => {
    shown = piece.kind === "text" ? shown + piece.text : "";
  };
  const outcome = await box.run("Note what there is to note.", wire.stream ? { onText } : {});
  const events = await box.events(outcome.run);
  const replayed = await box.replay(outcome.run);
  if (!replayed.same) throw new Error(`the replay differs: ${JSON.stringify(replayed.differences)}`);
  await box.close();
  return { outcome, events, effects, server, shown };
}

function noteTool(effects: string[]) {
  return defineTool({
    name: "note",
    description: "Notes a text.",
    placement: "internal",
    effect: "idempotent",
    params: z.strictObject({ text: z.string().max(100) }),
    execute: ({ params }) => {
      effects.push(params.text);
      return { noted: params.text, page: PAGE };
    },
    summarise: (result) => `noted ${result.noted}`,
  });
}

export function ofKind<K extends RunEvent["kind"]>(
  events: readonly RunEvent[],
  kind: K,
): readonly Extract<RunEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<RunEvent, { kind: K }> => event.kind === kind);
}
