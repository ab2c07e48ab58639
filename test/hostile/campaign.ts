/** Runs a hostile model against a house, batch after batch, and judges whatever came of it. */
import { setImmediate } from "node:timers/promises";
import { plainText } from "../../spec/decision/plain-text.ts";
import { faultOf, unrecordedFault } from "../../spec/rails.ts";
import type { Json, Model, RunEvent, RunOutcome, Signalbox, TextPiece } from "../../src/index.ts";
import { countedIds } from "../../src/testing/simulated-clock.ts";
import { type Draw, drawFrom } from "./draw.ts";
import { type Hostile, hostileModel, MOODS, type Scene } from "./model.ts";
import { SAID_AGAIN } from "./said-again.ts";
import { Stopwatch } from "./stopwatch.ts";
import { type Counts, count, countEvent } from "./tally.ts";
import { SECRET } from "./texts.ts";
import { type Door, openPolicies, openTools } from "./tools.ts";
import { CUSTOMERS, PRINCIPALS, type PrincipalId, REQUEST, type Weather, World } from "./world.ts";

export type Order = {
  readonly door: Door;
  readonly seed: number;
  readonly inputs: number;
  readonly untilFault: boolean;
  readonly progress: (batch: number, inputs: number) => void;
};

export type Report = {
  readonly inputs: number;
  readonly counts: Counts;
  /** The first of them, each with what is needed to see it again. */
  readonly faults: readonly string[];
  /** Most bytes that were kept after a collection, beyond what was kept after the first batches. */
  readonly heapGrowth: number;
};

const RUNS_PER_BATCH = 160;
/** Every so many batches the whole ledger is verified, and some of its runs are replayed and read again. */
const VERIFY_EVERY = 60;
const REPLAYED = 16;
const FAULTS_MAX = 20;
/** Batches until everything has been compiled and every list has its length. */
const WARM = 12;
const HEAP_EVERY = 60;

const TIGHT = [
  ...[{ modelCalls: 3 }, { steps: 2 }, { tokens: 3_000 }, { wallMs: 4_000 }, { turns: 2 }, { costMicro: 4_000 }],
] as const;
const WHO: readonly PrincipalId[] = ["desk", "desk", "desk", "desk", "desk", "desk", "clerk", "clerk", "auditor"];
const RUNS_PER_THREAD = [...Array<number>(14).fill(1), 2, 3];
const WIDE = { turns: 25, modelCalls: 50, steps: 60 } as const;

export async function campaign(order: Order): Promise<Report> {
  const counts: Counts = new Map();
  const faults: string[] = [];
  const before = prototypes();
  let inputs = 0;
  let base = 0;
  let heapGrowth = 0;
  const look = (): void => {
    globalThis.gc?.();
    const { heapUsed } = process.memoryUsage();
    if (base === 0) base = heapUsed;
    heapGrowth = Math.max(heapGrowth, heapUsed - base);
  };
  for (let n = 0; inputs < order.inputs; n++) {
    const done = await carryBatch(order, n, counts);
    inputs += done.inputs;
    faults.push(...done.faults.map((fault) => `batch ${n}: ${fault}`));
    if (prototypes() !== before) faults.push(`batch ${n}: a prototype was changed`);
    if (faults.length >= (order.untilFault ? 1 : FAULTS_MAX)) break;
    if (n === WARM || (n > WARM && n % HEAP_EVERY === 0)) look();
    order.progress(n, inputs);
    // What has died is only cleared away when the process comes back to its event loop.
    await setImmediate();
  }
  if (base > 0) look();
  return { inputs, counts, faults: faults.slice(0, FAULTS_MAX), heapGrowth };
}

/** Nothing of a batch is kept but this. */
async function carryBatch(
  order: Order,
  n: number,
  counts: Counts,
): Promise<Pick<Batch, "faults"> & { inputs: number }> {
  const batch = new Batch(order, n, counts);
  const inputs = await batch.carry();
  return { inputs, faults: batch.faults };
}

function prototypes(): string {
  const { approved } = {} as { readonly approved?: unknown };
  const all = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise.prototype];
  return `${all.map((one) => Reflect.ownKeys(one).map(String).join()).join(";")} ${approved}`;
}

/** One box with its own world: so what a campaign holds does not grow with its length. */
class Batch {
  readonly faults: string[] = [];
  readonly #n: number;
  readonly #order: Order;
  readonly #counts: Counts;
  readonly #world = new World();
  readonly #model: Hostile;
  readonly #box: Signalbox;
  readonly #watch: Stopwatch;
  readonly #heard = new Map<string, RunEvent[]>();
  readonly #runs: string[] = [];
  #carried = 0;

  constructor(order: Order, n: number, counts: Counts) {
    this.#n = n;
    this.#order = order;
    this.#counts = counts;
    const draw = drawFrom(order.seed, n * 1_000);
    this.#model = hostileModel(
      this.#world,
      n % 2 === 0 ? "flat" : "tools",
      this.#scene(draw, { customer: CUSTOMERS[0], principal: "desk", before: null }),
    );
    this.#watch = new Stopwatch(this.#model);
    const { door } = order;
    this.#box = door.createSignalbox({
      model: withSides(this.#watch.model, n, draw),
      tools: openTools(door, this.#world),
      policies: openPolicies(door),
      principals: Object.fromEntries(Object.entries(PRINCIPALS).map(([id, tools]) => [id, { tools }])),
      store: "memory",
      clock: this.#world.clock,
      ids: countedIds(),
      memory: { search: async (query) => searched(query) },
      ...(n % 10 === 1 ? { redact: { values: [SECRET] } } : {}),
      ...(n % 18 === 4 ? { window: { tokens: 9_000, outputTokens: 1_000 } } : {}),
    });
  }

  async carry(): Promise<number> {
    try {
      while (this.#carried < RUNS_PER_BATCH && !this.#isOver()) await this.#thread();
      if (this.#isVerified() && !this.#isOver()) await this.#verify();
    } catch (error) {
      this.#fault(`it threw: ${error instanceof Error ? error.stack : String(error)}`);
    }
    this.faults.push(...(await this.#watch.slowOnes(this.#order.door)));
    await this.#box.close();
    for (const [form, times] of this.#model.forms) count(this.#counts, `form ${form}`, times);
    return this.#model.inputs;
  }

  #isOver(): boolean {
    return this.faults.length > 0;
  }

  #isVerified(): boolean {
    return this.#n % VERIFY_EVERY < 2;
  }

  #fault(why: string): void {
    const said = this.#model.scene.said.map(({ form, text, calls }) =>
      JSON.stringify({ form, text, calls }).slice(0, 600),
    );
    this.faults.push(`run ${this.#carried}: ${why}\n    said: ${said.slice(-2).join("\n          ")}`);
  }

  #scene(draw: Draw, { customer, principal, before }: Whose): Scene {
    const last = before === null || draw.odds(1, 3) ? undefined : before.said.at(-1);
    // A run after another one of its thread begins with what was said last, and mostly stays with it.
    const mood = last === undefined || draw.odds(1, 4) ? draw.pick(MOODS) : "stuck";
    const said = last === undefined ? [] : [last];
    return { draw, customer, principal, runs: this.#runs.slice(-6), mood, cancel: new AbortController(), said };
  }

  /** A few runs of one conversation. */
  async #thread(): Promise<void> {
    const draw = drawFrom(this.#order.seed, this.#n * 1_000 + this.#carried + 1);
    // Over a batch the day changes, and once in its night the clocks of the caps' zone do.
    if (draw.odds(1, 10)) this.#world.clock.advance(draw.below(3 * 3_600_000));
    const customer = draw.pick(CUSTOMERS);
    const principal = draw.pick(WHO);
    const thread = this.#box.thread({ as: principal, customer });
    let left = draw.pick(RUNS_PER_THREAD);
    for (let before: Scene | null = null; left > 0 && !this.#isOver(); left--) {
      const said = draw.odds(1, 400) ? REQUEST.repeat(500) : REQUEST;
      const whose = { customer, principal, before };
      const outcome = await this.#one(draw, whose, (options) => thread.run(said, options));
      const { run, ending } = outcome;
      this.#runs.push(run);
      before = this.#model.scene;
      // What nobody knows the end of is what a model asks for again.
      if (ending === "outcome_unknown") left += 1;
      const { continuable } = this.#order.door.ENDINGS[ending];
      if (continuable && draw.odds(1, 24)) {
        await this.#one(draw, whose, (options) => this.#box.continue(run, options));
      } else if (draw.odds(1, 60)) {
        const again = await this.#box.resume(run);
        if (again.ending !== ending) this.#fault(`a run that ended as ${ending} was resumed to ${again.ending}`);
      }
    }
  }

  async #one(draw: Draw, whose: Whose, run: (options: Options) => Promise<RunOutcome>): Promise<RunOutcome> {
    const { door } = this.#order;
    const scene = this.#scene(draw, whose);
    const world = this.#world;
    this.#model.scene = scene;
    world.weather = () => drawWeather(draw);
    world.nests = () => draw.odds(1, 30);
    const [from, inputs] = [world.performed.length, this.#model.inputs];
    let events: RunEvent[] = [];
    let deaf = false;
    let draft = "";
    const onText = (piece: TextPiece): void => {
      draft = piece.kind === "text" ? draft + piece.text : "";
      deaf = draw.odds(1, 400);
      if (deaf) throw new Error("a listener that throws");
    };
    const special = draw.odds(1, 12) ? draw.pick(TIGHT) : draw.odds(1, 2) ? WIDE : {};
    const budgets = { ...door.DEFAULT_BUDGETS, ...special };
    const onEvent = (event: RunEvent): void => {
      events.push(event);
      countEvent(this.#counts, event);
      if (event.kind === "replied" && event.reply?.kind !== "conversation" && draft !== "") {
        this.#fault("text of what was no conversation was left standing");
      }
    };
    const outcome = await run({
      onEvent,
      budgets,
      signal: scene.cancel.signal,
      ...(draw.odds(1, 10) ? { onText } : {}),
    });
    this.#watch.stop();
    this.#carried += 1;
    if (deaf) events = lastPart(await this.#box.events(outcome.run));
    const known = this.#isVerified() ? (this.#heard.get(outcome.run) ?? []) : [];
    const all = [...known, ...events];
    if (this.#isVerified()) this.#heard.set(outcome.run, all);
    this.#judgeEnding(outcome, events);
    const calls = this.#model.inputs - inputs;
    if (calls > budgets.modelCalls) this.#fault(`${calls} calls of ${budgets.modelCalls}`);
    const turns = new Set(events.flatMap((event) => (event.kind === "replied" ? [event.turn] : []))).size;
    if (turns > budgets.turns) this.#fault(`${turns} turns of ${budgets.turns}`);
    const steps = world.performed.length - from;
    if (steps > budgets.steps) this.#fault(`${steps} steps of ${budgets.steps}`);
    await this.#judgeEffects(outcome.run, from, events);
    return outcome;
  }

  #judgeEnding({ ending, exitCode, text, detail }: RunOutcome, events: readonly RunEvent[]): void {
    const { ENDINGS } = this.#order.door;
    if (!Object.hasOwn(ENDINGS, ending)) this.#fault(`it ended as ${ending}`);
    if (text.trim() === "") this.#fault(`it ended as ${ending} without a text`);
    if ((exitCode === 0) !== (ending === "answered" || ending === "retrieved")) this.#fault(`${ending}: ${exitCode}`);
    // Whatever a model says or is, it is no bug of the house.
    if (ending === "failed") this.#fault(`it failed: ${detail}`);
    const last = events.at(-1);
    const ends = events.filter(({ kind }) => kind === "ended").length;
    if (last?.kind !== "ended" || last.ending !== ending || ends !== 1) this.#fault(`its last row is ${last?.kind}`);
  }

  async #judgeEffects(run: string, from: number, events: readonly RunEvent[]): Promise<void> {
    const { performed, faults } = this.#world;
    for (const fault of faults.splice(0)) this.#fault(fault);
    // What a continued run had begun before is among its rows, and a nested run is heard by nobody.
    const rows = new Map(events[0]?.kind === "began" ? [[run, events]] : []);
    for (let i = from; i < performed.length; i++) {
      const done = performed[i];
      if (done === undefined) continue;
      const wrong = faultOf(done, performed.slice(0, i), SAID_AGAIN);
      if (wrong !== null) this.#fault(`${done.tool} ${plainText(done.params)} for ${done.customer}: ${wrong}`);
      const heard = rows.get(done.run) ?? (await this.#box.events(done.run));
      rows.set(done.run, heard);
      const unrecorded = unrecordedFault(done, heard);
      if (unrecorded !== null) this.#fault(`${done.tool} ${plainText(done.params)}: ${unrecorded}`);
      count(this.#counts, "performed");
    }
  }

  async #verify(): Promise<void> {
    const verdict = await this.#box.verifyLedger();
    if (!verdict.ok) this.#fault(`the ledger does not verify: ${JSON.stringify(verdict.faults.slice(0, 3))}`);
    count(this.#counts, "verified batches");
    const draw = drawFrom(this.#order.seed, this.#n * 1_000 + 999);
    for (let i = 0; i < REPLAYED; i++) {
      const run = draw.pick(this.#runs);
      const { differences } = await this.#box.replay(run);
      if (differences.length > 0) this.#fault(`${run} is replayed otherwise: ${JSON.stringify(differences[0])}`);
      const text = plainText((await this.#box.events(run)) as unknown as Json);
      if (text !== plainText((this.#heard.get(run) ?? []) as unknown as Json)) {
        this.#fault(`the events of ${run} are read as others than were heard`);
      }
      if (this.#n % 10 === 1 && text.includes(SECRET)) this.#fault(`the secret stands in the rows of ${run}`);
      count(this.#counts, "verified replays");
    }
  }
}

/** A run's events since it was last taken up: what a listener hears. */
function lastPart(events: readonly RunEvent[]): RunEvent[] {
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ kind }) => kind === "continued"),
    ),
  );
}

type Whose = {
  readonly customer: string;
  readonly principal: PrincipalId;
  /** The run before it in its thread, or null. */
  readonly before: Scene | null;
};
type Options = NonNullable<Parameters<Signalbox["continue"]>[1]>;

function drawWeather(draw: Draw): Weather {
  if (draw.odds(9, 10)) return "fine";
  return draw.pick(["failed", "failed", "failed", "unreadable", "broken", "late"]);
}

type Memory = NonNullable<Parameters<Door["createSignalbox"]>[0]["memory"]>;

/** What the memory finds; or it is down, or gives what is no list. */
function searched(query: string): Awaited<ReturnType<Memory["search"]>> {
  if (query === "nothing") return [];
  if (query === "down") throw new Error("the memory is down");
  if (query === "wrong") return 7 as unknown as [];
  return [{ source: "handbook", text: "Refunds take a day." }];
}

const PROBED = { schema: "ignored", tools: "unasked", tokeniser: true, windowTokens: null, detail: "" } as const;
/** What an adapter that breaks its type finds out. */
const NO_PROBES: readonly unknown[] = [
  ...[null, 7, "no", undefined, {}, { ...PROBED, windowTokens: Number.NaN }, { ...PROBED, windowTokens: 1n }],
  ...[
    { ...PROBED, schema: {} },
    { ...PROBED, tools: "\ud800" },
    { ...PROBED, detail: 7 },
    { ...PROBED, tokeniser: () => 1 },
  ],
];

/** A server's own word on itself, true or not; most have none. */
function withSides(model: Model, n: number, draw: Draw): Model {
  switch (n % 16) {
    case 3:
      return { ...model, probe: async () => ({ ...PROBED, windowTokens: draw.pick([4_096, 1, 0, -5, 900, 1e9]) }) };
    case 5:
      return {
        ...model,
        probe: async () => PROBED,
        countTokens: async (text) => draw.pick([0, text.length, 1e12, Number.NaN, null, -1]),
      };
    case 6:
      return { ...model, probe: async () => draw.pick<unknown>(NO_PROBES) as typeof PROBED };
    case 7:
      return { ...model, probe: async () => PROBED, countTokens: () => Promise.reject(new Error("no tokeniser")) };
    default:
      return model;
  }
}
