/** Some hundred operations on a few boxes over one store, each of them judged, and the whole of it verified at the end. */

import { plainText } from "../../spec/decision/plain-text.ts";
import type { ApprovalState } from "../../src/domain/approval.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type {
  CallContext,
  DecideOutcome,
  OutsideProposal,
  RunEvent,
  Settling,
  Signalbox,
  Store,
} from "../../src/index.ts";
import { countedIds, simulatedClock } from "../../src/testing/simulated-clock.ts";
import type { House } from "../crash/house.ts";
import type { Draw } from "../hostile/draw.ts";
import { type Counts, count } from "../hostile/tally.ts";
import {
  Books,
  type Effect,
  hasRoles,
  type Proposed,
  placeOf,
  type Staged,
  toolOf,
  type Variant,
  type Whose,
} from "./books.ts";
import type { Boxes, Stage } from "./boxes.ts";
import { DO_NOT_LOOK, drawHostile, drawName, drawParams, drawProposed } from "./draws.ts";
import { expectedOf } from "./expected.ts";
import { APPROVAL_MS, APPROVERS, CUSTOMERS, type FuzzTool, HOUR, START, TOOLS, WAITING_MAX } from "./world.ts";

const OPERATIONS = 150;
const STEPS = 9;
/** Lines of what was done before, in a report. */
const STORY = 40;

/** A proposal of somebody else's loop, and as which step. */
type At = { readonly whose: Whose; readonly step: number; readonly proposed: Proposed };
type Process = { readonly box: Signalbox; readonly variant: Variant };

const USUAL: Variant = { rules: "usual", tools: "usual", people: "usual" };
const OTHERS: readonly Variant[] = [
  { ...USUAL, rules: "changed" },
  { ...USUAL, tools: "changed" },
  { ...USUAL, people: "changed" },
];

/** A word about a step, and whether it was about its newest attempt. */
type About = { readonly run: string; readonly step: number };
/** What `guard` is at, and in which box. */
type Guarding = { readonly place: string; readonly box: Signalbox };

export class Batch {
  readonly books = new Books();
  readonly #draw: Draw;
  readonly #house: House;
  readonly #counts: Counts;
  readonly #stage: Stage;
  readonly #store: Store;
  readonly #clock = simulatedClock(START);
  readonly #boxes: Boxes;
  readonly #ids = countedIds();
  readonly #all: Process[];
  /** Runs of somebody else's loop, and ours. */
  readonly #theirs: Whose[];
  readonly #ours: Whose[] = [];
  /** What was proposed last as each step. */
  readonly #proposals = new Map<string, Proposed>();
  /** What was denied, so that each can be looked up in the rows. */
  readonly #denied: { readonly whose: Whose; readonly step: number; readonly code: string }[] = [];
  /** What a person put in the place of a staged proposal, by run. */
  readonly #edits = new Map<string, { readonly proposed: Proposed; readonly by: string }>();
  /** By which processes each run was written to. */
  readonly #writers = new Map<string, Set<Variant>>();
  readonly #favourite: FuzzTool;
  readonly #keys = new Map<string, string>();
  /** What was said of how steps came out, to be said again. */
  readonly #words: Settling[] = [];
  #guarding: Guarding | null = null;
  #said = "";
  readonly #story: string[] = [];

  constructor(house: House, boxes: Boxes, stage: Stage, draw: Draw, counts: Counts) {
    this.#house = house;
    this.#store = house.memory.openMemoryStore();
    this.#draw = draw;
    this.#counts = counts;
    this.#stage = stage;
    this.#favourite = draw.pick(TOOLS);
    stage.books = this.books;
    stage.replies = [];
    this.#boxes = boxes;
    this.#all = [USUAL, USUAL, draw.pick(OTHERS)].map((variant) => this.#opened(variant));
    // Two of them are runs of one conversation, and so is now and then one of ours.
    const shared = {
      thread: "thread-a",
      principal: "desk",
      customer: CUSTOMERS[draw.below(CUSTOMERS.length)] ?? null,
      outside: true,
    };
    const alone = Array.from({ length: 3 }, (_, i) => ({
      run: `their-${i + 2}`,
      thread: `their-${i + 2}`,
      principal: draw.pick(["desk", "clerk", "user:sue"]),
      customer: CUSTOMERS[draw.below(CUSTOMERS.length)] ?? null,
      outside: true,
    }));
    this.#theirs = [{ ...shared, run: "their-0" }, { ...shared, run: "their-1" }, ...alone];
  }

  #opened(variant: Variant): Process {
    return { variant, box: this.#boxes.open(variant, this.#store, this.#clock, this.#ids) };
  }

  async carry(): Promise<number> {
    let done = 0;
    while (done < OPERATIONS && this.books.faults.length === 0) {
      done += 1;
      try {
        await this.#one();
      } catch (error) {
        this.#judgeThrown(error);
      }
    }
    if (this.books.faults.length === 0) await this.#verify();
    for (const { box } of this.#all) await box.close();
    return done;
  }

  #fault(what: string): void {
    this.books.fault(`${what}\n    at ${this.#said}`);
  }

  /** What was done before with the runs that a fault speaks of. */
  storyOf(fault: string): string {
    const runs = [...this.#theirs, ...this.#ours].filter(({ run }) => fault.includes(run)).map(({ run }) => run);
    const told = this.#story.filter((line) => runs.some((run) => line.includes(run)));
    return [fault, ...told.slice(-STORY)].join("\n      ");
  }

  /** Whatever is wrong is said in one way: anything else that is thrown is a crash. */
  #judgeThrown(error: unknown): void {
    if (error instanceof this.#house.door.SignalboxError) {
      this.#told(error.code);
      count(this.#counts, `refused ${error.code}`);
    } else {
      this.#fault(`it threw ${error instanceof Error ? error.stack : String(error)}`);
    }
  }

  async #one(): Promise<void> {
    const draw = this.#draw;
    this.books.loads = draw.odds(1, 25) ? draw.pick(["throws", "missing"]) : "fine";
    const kinds = [
      ...Array<() => Promise<void>>(16).fill(() => this.#decide()),
      ...Array<() => Promise<void>>(10).fill(() => this.#guard()),
      ...Array<() => Promise<void>>(9).fill(() => this.#settle()),
      ...Array<() => Promise<void>>(9).fill(() => this.#approve()),
      ...Array<() => Promise<void>>(2).fill(() => this.#reject()),
      ...Array<() => Promise<void>>(2).fill(() => this.#edit()),
      ...Array<() => Promise<void>>(4).fill(() => this.#run()),
      ...Array<() => Promise<void>>(6).fill(() => this.#resume()),
      ...Array<() => Promise<void>>(3).fill(() => this.#resolve()),
      ...Array<() => Promise<void>>(5).fill(() => this.#pass()),
      ...Array<() => Promise<void>>(3).fill(() => this.#race()),
      ...Array<() => Promise<void>>(2).fill(() => this.#look()),
      ...Array<() => Promise<void>>(2).fill(() => this.#nonsense()),
      () => this.#restart(),
    ];
    await (draw.odds(1, 2_500) ? this.#crowd() : draw.pick(kinds)());
  }

  #say(what: string, ...about: readonly unknown[]): void {
    this.#said = `${what} ${about.map((one) => shown(one)).join(" ")}`;
    this.#story.push(this.#said);
    count(this.#counts, `did ${what}`);
  }

  #told(what: string): void {
    this.#story.push(`  ${this.#said.slice(0, 60)}: ${what}`);
  }

  // --- Somebody else's loop

  #place(): At {
    const draw = this.#draw;
    const ripe = draw.odds(1, 3) ? this.#ripe() : [];
    const { whose, step } =
      ripe.length > 0 ? draw.pick(ripe) : { whose: draw.pick(this.#theirs), step: 1 + draw.below(STEPS) };
    const before = this.#proposals.get(placeOf(whose.run, step));
    const known = [...this.#proposals.values()];
    // What another step proposes too may be done there already.
    const fresh = known.length > 0 && draw.odds(1, 8) ? draw.pick(known) : drawProposed(draw, this.#favourite);
    // The same again, as a loop that was told to wait does; or nearly the same, as one that would slip something in.
    const proposed =
      before === undefined || draw.odds(1, 8)
        ? fresh
        : draw.odds(1, 8) && typeof before.params === "object" && toolOf(before.tool) !== null
          ? draw.odds(1, 4)
            ? { ...before, evidence: fresh.evidence }
            : { ...before, params: drawParams(draw, { name: before.tool as "pay" }) }
          : before;
    return { whose, step, proposed: draw.odds(1, 4) ? { ...proposed, retry: draw.odds(7, 8) } : proposed };
  }

  /** Steps that have something before them: approved, tried in vain, or begun and to be begun again. */
  #ripe(): readonly { readonly whose: Whose; readonly step: number }[] {
    const staged = [...this.books.staged.values()].filter(
      ({ whose, state, over }) => whose.outside && (state === "approved" || (state === "used" && over)),
    );
    const begun = this.books.effects.filter(
      ({ whose, came, tool }) => whose.outside && came === "open" && tool.effect !== "once",
    );
    return [...staged, ...begun];
  }

  #proposalOf(
    { run, thread, principal, customer }: Whose,
    step: number,
    { tool, params, evidence, retry }: Proposed,
  ): OutsideProposal {
    const context = { promptVersion: "theirs", ...(customer === null ? {} : { customer }) };
    const again = retry === undefined ? {} : { retry };
    return { run, step, thread, principal, tool, params, evidence, ...again, context };
  }

  #begin(variant: Variant, whose: Whose, step: number, proposed: Proposed): void {
    this.books.propose(whose, step, proposed);
    this.#wrote(whose.run, variant);
  }

  #wrote(run: string, variant: Variant): void {
    this.#writers.set(run, (this.#writers.get(run) ?? new Set()).add(variant));
  }

  async #decide(process = this.#draw.pick(this.#all), at = this.#place(), alone = true): Promise<void> {
    const { whose, step, proposed } = at;
    const { box, variant } = process;
    this.#say("decide", variant, whose, step, proposed);
    this.#begin(variant, whose, step, proposed);
    const expected = alone ? expectedOf(this.books, variant, whose, step, proposed) : null;
    const said = await box.decide(this.#proposalOf(whose, step, proposed));
    this.#compare(expected, said);
    if (said.outcome === "deny") this.#receiptFits(whose, step, proposed, said.receipt, said.code);
    if (said.outcome === "allow") {
      const place = placeOf(whose.run, step);
      this.#key(place, said.idempotencyKey);
      if (this.books.lastOf(place)?.came === "open") count(this.#counts, "begun again");
      if (alone && said.attempt !== this.books.attemptsOf(place) + 1) this.#fault(`it is attempt ${said.attempt}`);
      const effect = this.books.perform(variant, whose, step, { ...proposed, params: said.params }, proposed);
      const wanted = plainText((effect?.wanted ?? []) as unknown as Json);
      if (wanted !== plainText(said.reservations as unknown as Json))
        this.#fault(`it reserved ${shown(said.reservations)}`);
    }
    this.#heard(variant, whose, step, proposed, said, alone);
  }

  /** What is done already names the step that did it. */
  #receiptFits(
    whose: Whose,
    step: number,
    proposed: Proposed,
    receipt: { readonly run: string; readonly step: number } | null,
    code: string,
  ): void {
    if ((receipt === null) !== (code !== "already_done")) this.#fault(`${code} with the receipt ${shown(receipt)}`);
    if (receipt === null) return;
    const place = placeOf(whose.run, step);
    const isOwn = this.books.standingOf(place) === "done";
    const by = isOwn ? this.books.lastOf(place) : this.books.doneElsewhere(proposed, whose, place);
    if (by?.place !== placeOf(receipt.run, receipt.step))
      this.#fault(`its receipt is of ${shown(receipt)}, and it was done as ${by?.place ?? "nothing"}`);
  }

  async #guard(process = this.#draw.pick(this.#all), at = this.#place(), alone = true): Promise<void> {
    const draw = this.#draw;
    const { whose, step, proposed } = at;
    const { box, variant } = process;
    this.#say("guard", variant, whose, step, proposed);
    this.#begin(variant, whose, step, proposed);
    const expected = alone ? expectedOf(this.books, variant, whose, step, proposed) : null;
    const weather = draw.pick(["fine", "fine", "fine", "failed", "broken", "unreadable"]);
    const place = placeOf(whose.run, step);
    const meddled = alone && this.#guarding === null && draw.odds(1, 6);
    const guarding: Guarding = { place, box };
    let called = 0;
    let effect = null as Effect | null;
    const outcome = await box.guard(
      this.#proposalOf(whose, step, proposed),
      async ({ params, idempotencyKey, run, step: at }) => {
        called += 1;
        if (run !== whose.run || at !== step) this.#fault(`it was called as ${run}-${at}`);
        this.#key(place, idempotencyKey);
        effect = this.books.perform(variant, whose, step, { ...proposed, params }, proposed);
        if (meddled) await this.#meddle(guarding, whose, step, proposed);
        return this.#weather(weather);
      },
    );
    this.#said = `guard ${place}`;
    if (called > 1) this.#fault("it was called twice");
    const { kind } = outcome;
    count(this.#counts, `guard ${kind}`);
    this.#told(kind);
    if (kind === "denied" || kind === "staged") {
      if (called > 0) this.#fault(`it was called, and is ${kind}`);
      if (kind === "denied" && outcome.code === "already_done") this.#fault("what was done before is refused");
      const said = { ...outcome, outcome: kind === "denied" ? "deny" : "stage" } as DecideOutcome;
      this.#compare(expected, said);
      this.#heard(variant, whose, step, proposed, said, alone);
      return;
    }
    if (kind === "done" && outcome.receipt !== null) {
      const { receipt } = outcome;
      if (called > 0) this.#fault("it was called, and has a receipt of before");
      if (expected !== null && expected !== "deny already_done") this.#fault(`it is done, and slowly ${expected}`);
      if (alone) this.#receiptFits(whose, step, proposed, receipt, "already_done");
      count(this.#counts, "guard done before");
      this.#deniedSo(whose, step, "already_done", alone);
      return;
    }
    if (alone && called === 0) this.#fault(`it is ${kind}, and was not called`);
    if (expected !== null && expected !== "allow") this.#fault(`it was allowed, and slowly it is ${expected}`);
    const word = wordOf(kind, kind === "done" ? outcome.result : outcome.error);
    if (effect === null) return;
    if (!alone || (effect.came === "open" && this.books.lastOf(place) === effect)) {
      this.books.came(place, kind, word);
      return;
    }
    // Somebody said how it came out, or that this attempt is over, while it was being done.
    count(this.#counts, "guard came too late");
    const isSame = this.books.lastOf(place) === effect && effect.came === kind && [word, null].includes(effect.word);
    if (kind !== "outcome_unknown" && !isSame) this.#fault(`it is ${kind}, and somebody said otherwise meanwhile`);
  }

  /** What others do with a step while `guard` calls something for it. */
  async #meddle(guarding: Guarding, whose: Whose, step: number, proposed: Proposed): Promise<void> {
    const draw = this.#draw;
    const about = { run: whose.run, step };
    this.#guarding = guarding;
    const other = { ...proposed, retry: true };
    const ways: readonly (() => Promise<void>)[] = [
      () => this.#resolve(draw.pick(this.#all), this.books.lastOf(guarding.place)),
      () => this.#settle(draw.pick(this.#all), true, about),
      () => this.#decide(draw.pick(this.#all), { whose, step, proposed: other }),
      () => this.#guard(draw.pick(this.#all), { whose, step, proposed: { ...other, params: { meddled: true } } }),
    ];
    try {
      await draw.pick(ways)();
    } catch (error) {
      this.#judgeThrown(error);
    } finally {
      this.#guarding = null;
    }
    count(this.#counts, "did meddle");
  }

  #weather(weather: string): unknown {
    if (weather === "failed") throw new this.#house.door.EffectFailed("not today");
    if (weather === "broken") throw new Error("it broke off");
    return weather === "unreadable" ? { n: 1n } : { receipt: this.books.effects.length };
  }

  /** The same action has one key, and another action another. */
  #key(place: string, key: string): void {
    const known = this.#keys.get(key) ?? place;
    if (known !== place) this.#fault(`${place} has the key of ${known}`);
    this.#keys.set(key, place);
  }

  #compare(expected: string | null, said: DecideOutcome): void {
    if (expected === null) return;
    const real =
      said.outcome === "deny" ? `deny ${said.code}` : said.outcome === "stage" ? `stage ${said.role}` : "allow";
    const same = expected === "deny" ? real.startsWith("deny") : real === expected;
    if (!same) this.#fault(`it is ${real}, and slowly ${expected}`);
    count(this.#counts, "expected");
  }

  #heard(variant: Variant, whose: Whose, step: number, proposed: Proposed, said: DecideOutcome, alone: boolean): void {
    const place = placeOf(whose.run, step);
    this.#told(`${place} is ${said.outcome} ${said.outcome === "deny" ? said.code : said.rule}`);
    if (said.outcome === "deny") {
      count(this.#counts, `denial ${said.code}`);
      if (this.books.standingOf(place) === "fresh" && said.code !== "approval_mismatch")
        this.#proposals.set(place, proposed);
      this.#deniedSo(whose, step, said.code, alone);
      return;
    }
    count(this.#counts, `outcome ${said.outcome}`);
    const { retry: _, ...first } = proposed;
    this.#proposals.set(place, first);
    if (said.outcome !== "stage") return;
    const { role, digest, approval } = said;
    if (approval !== place) this.#fault(`${place} is to be approved as ${approval}`);
    this.books.stage(variant, whose, step, proposed, { role, digest, proposer: whose.principal });
  }

  /** What a denial does to a step: nothing, but where it waits in vain, or was approved and is decided on. */
  #deniedSo(whose: Whose, step: number, code: string, alone: boolean): void {
    const place = placeOf(whose.run, step);
    const standing = this.books.standingOf(place);
    const staged = this.books.staged.get(place);
    const isUnwritten = code === "record_failed" && (standing !== "fresh" || !alone);
    // Nothing is written where what stands cannot be decided at this moment: it stays for the next.
    if (!isUnwritten) this.#denied.push({ whose, step, code });
    if (staged === undefined || isUnwritten || code === "approval_mismatch") return;
    if (standing === "waiting" && code === "approval_expired") staged.state = "expired";
    if (standing === "approved") Object.assign(staged, { state: committedAs(code), over: true });
  }

  async #settle(process = this.#draw.pick(this.#all), alone = true, about: About | null = null): Promise<void> {
    const draw = this.#draw;
    const settling = this.#settling(about);
    const { run, step, outcome, attempt } = settling;
    const place = placeOf(run, step);
    const last = this.books.lastOf(place);
    const before = last?.came ?? null;
    const newest = attempt === undefined || attempt === this.books.attemptsOf(place);
    const word = wordOf(outcome, outcome === "done" ? settling.result : (settling.error ?? otherwiseOf(outcome)));
    const isSame = last !== null && before === outcome && last.word !== null && last.word === word;
    this.#say("settle", process.variant, settling);
    try {
      await process.box.settle(settling);
    } catch (error) {
      // What has begun can be settled, by whoever began it, until it is; and the same word twice is one.
      if (alone && newest && before === "open") this.#fault(`it is open, and cannot be settled as ${outcome}`);
      if (alone && newest && isSame && before !== "failed") this.#fault("the same word twice is not one");
      throw error;
    }
    if (last === null) {
      if (alone) this.#fault("what was never begun is settled");
      return;
    }
    this.#told("taken");
    this.#wrote(run, process.variant);
    if (alone && !newest) this.#fault(`it was settled by its attempt ${attempt}, which is not the newest`);
    if (before === "open") {
      if (last.came === "open" && this.books.lastOf(place) === last) this.books.came(place, outcome, word);
      if (draw.odds(1, 2)) this.#words.push(settling);
      count(this.#counts, `settled ${outcome}`);
      // What cannot be kept of a read's result is a read that failed.
      if (alone && last.tool.effect === "read" && outcome === "done") await this.#reread([run]);
    } else if (alone) {
      const isOther = last.word !== null && word !== null && last.word !== word;
      const isReadThatFailed = last.tool.effect === "read" && outcome === "done" && before === "failed";
      if (isOther || (before !== outcome && !isReadThatFailed))
        this.#fault(`it was ${before}, and is settled as ${outcome}`);
      count(this.#counts, "settled again");
    }
  }

  /** What is said of how something came out: mostly of what is open, and sometimes what was said before. */
  #settling(about: About | null): Settling {
    const draw = this.#draw;
    if (about === null && this.#words.length > 0 && draw.odds(1, 7)) return draw.pick(this.#words);
    const open = this.books.effects.filter(({ came, whose }) => came === "open" && whose.outside);
    const known = about === null && open.length > 0 && draw.odds(5, 6) ? draw.pick(open) : null;
    const [run, step] =
      about !== null
        ? [about.run, about.step]
        : known === null
          ? [draw.pick(this.#theirs).run, 1 + draw.below(STEPS)]
          : [known.whose.run, known.step];
    const newest = this.books.attemptsOf(placeOf(run, step));
    const attempt = draw.odds(1, 2) ? {} : { attempt: draw.odds(3, 4) ? newest : newest + draw.pick([-1, 1]) };
    const outcome = draw.pick(["done", "done", "failed", "outcome_unknown"] as const);
    const result =
      outcome !== "done" ? {} : { result: draw.odds(1, 8) ? drawHostile(draw) : { receipt: draw.below(9) } };
    return { run, step, ...attempt, outcome, ...result, ...(draw.odds(1, 2) ? { error: "as it came" } : {}) };
  }

  // --- People

  #pickStaged(): Staged | null {
    const all = [...this.books.staged.values()];
    const waiting = all.filter(({ state }) => state === "waiting");
    if (waiting.length > 0 && this.#draw.odds(4, 5)) return this.#draw.pick(waiting);
    return all.length > 0 ? this.#draw.pick(all) : null;
  }

  #approver(): string {
    const draw = this.#draw;
    return draw.odds(1, 30)
      ? draw.pick(["desk", "", "__proto__", "toString", "user:sue "])
      : draw.pick(Object.keys(APPROVERS.usual ?? {}));
  }

  #digest(staged: Staged | null): { readonly digest?: string } {
    const draw = this.#draw;
    if (staged === null || draw.odds(1, 2)) return {};
    if (draw.odds(2, 3)) return { digest: draw.odds(1, 2) ? staged.digest : staged.digest.slice(0, 8) };
    return {
      digest: draw.pick([
        "",
        staged.digest.slice(0, 7),
        "0".repeat(64),
        `${staged.digest}0`,
        this.#pickStaged()?.digest ?? "f",
      ]),
    };
  }

  async #approve(process = this.#draw.pick(this.#all), staged = this.#pickStaged(), alone = true): Promise<void> {
    const as = this.#approver();
    const id = staged?.place ?? "their-0-1";
    const digest = this.#digest(staged);
    this.#say("approve", id, as, digest);
    if (staged !== null) this.books.approving.set(id, as);
    const entry = await process.box.approvals
      .approve(id, { as, ...digest })
      .finally(() => this.books.approving.delete(id));
    if (staged === null) {
      this.#fault("what was never staged is approved");
      return;
    }
    const isUsed = !alone && staged.state === "used" && staged.by === as;
    if (staged.state !== "waiting" && !isUsed) this.#fault(`it is ${staged.state}, and was approved`);
    if (!this.books.mayApprove(staged, as, process.variant)) this.#fault(`${as} may not approve it`);
    if (this.books.now >= staged.expiresAt) this.#fault("it was approved too late");
    if (digest.digest !== undefined && (digest.digest.length < 8 || !staged.digest.startsWith(digest.digest))) {
      this.#fault("it was approved by another digest");
    }
    if (entry.digest !== staged.digest) this.#fault("another digest was approved");
    if (entry.by !== as) this.#fault(`it says that ${entry.by} approved it`);
    if (this.#theirs.every(({ run }) => run !== staged.whose.run)) count(this.#counts, "approved in a run");
    this.#bindingFits(staged, entry.text, entry.params);
    if (!isUsed) Object.assign(staged, { by: as, state: "approved" });
    this.#told("taken");
    this.#wrote(staged.whose.run, process.variant);
    count(this.#counts, "approved");
  }

  /** What was shown is what was proposed, and its digest is of exactly that. */
  #bindingFits(staged: Staged, text: string, params: JsonObject): void {
    if (plainText(params) !== staged.stands.params) this.#fault("other params are shown than were proposed");
    const said = JSON.parse(text) as JsonObject;
    const { place, whose, role, expiresAt, proposer } = staged;
    const ours = {
      run: whose.run,
      step: staged.step,
      principal: whose.principal,
      customer: whose.customer,
      role,
      expiresAt,
      proposer,
    };
    for (const [part, value] of Object.entries(ours)) {
      if (said[part] !== value) this.#fault(`${place} binds ${part} as ${String(said[part])}, not ${String(value)}`);
    }
    if (plainText(said.params ?? null) !== staged.stands.params) this.#fault(`${place} binds other params`);
    const digest = this.#all[0]?.box.parts.hash(text);
    if (digest !== staged.digest) this.#fault(`${place} has not the digest of its text`);
  }

  async #reject(): Promise<void> {
    const { box, variant } = this.#draw.pick(this.#all);
    const staged = this.#pickStaged();
    const as = this.#approver();
    const why = this.#draw.odds(1, 6) ? {} : { why: "no" };
    this.#say("reject", staged?.place, as);
    await box.approvals.reject(staged?.place ?? "their-0-1", { as, ...why });
    if (staged === null || !["waiting", "approved"].includes(staged.state)) {
      this.#fault(`it is ${staged?.state}, and was refused`);
      return;
    }
    if (!hasRoles(as, staged.role, variant) || why.why === undefined) this.#fault(`${as} may not refuse it like this`);
    Object.assign(staged, { state: "rejected", by: as });
    this.#wrote(staged.whose.run, variant);
    count(this.#counts, "rejected");
  }

  async #edit(): Promise<void> {
    const draw = this.#draw;
    const { box, variant } = draw.pick(this.#all);
    const waiting = [...this.books.staged.values()].filter(({ state, whose }) => state === "waiting" && !whose.outside);
    const staged = waiting.length > 0 && draw.odds(5, 6) ? draw.pick(waiting) : this.#pickStaged();
    const before = staged === null ? null : (this.#proposals.get(staged.place) ?? null);
    const as = this.#approver();
    const params =
      before === null || draw.odds(1, 8) ? drawHostile(draw) : drawParams(draw, { name: before.tool as "pay" });
    this.#say("edit", staged?.place, as, params);
    await box.approvals.edit(staged?.place ?? "run-1", { as, params });
    if (staged === null || before === null || staged.state !== "waiting" || staged.whose.outside) {
      this.#fault("what cannot be edited was edited");
      return;
    }
    if (!this.books.takes(before.tool, params)) this.#fault("what the output rail refuses was taken for an edit");
    Object.assign(staged, { state: "edited", by: as });
    this.#edits.set(staged.whose.run, { proposed: { ...before, params }, by: as });
    this.#wrote(staged.whose.run, variant);
    count(this.#counts, "edited");
  }

  async #resolve(process = this.#draw.pick(this.#all), about: Effect | null = null): Promise<void> {
    const draw = this.#draw;
    const { box, variant } = process;
    const unknown = this.books.effects.filter(({ came }) => came === "outcome_unknown");
    const effect =
      about ??
      (unknown.length > 0 && draw.odds(4, 5)
        ? draw.pick(unknown)
        : this.books.effects.at(draw.below(this.books.effects.length || 1)));
    const as = this.#approver();
    const outcome = draw.pick(["done", "failed"] as const);
    const why = draw.odds(1, 8) ? " " : "seen in the statement";
    const gone = draw.odds(1, 2) ? {} : { gone: draw.odds(7, 8) };
    const last = effect === undefined ? null : this.books.lastOf(effect.place);
    const isLeft = last?.came === "open" && last.whose.outside && gone.gone === true;
    const isGuarded = this.#guarding?.box === box && this.#guarding.place === last?.place;
    const isWellSaid = Object.hasOwn(APPROVERS.usual ?? {}, as) && why !== " ";
    const mayBe = (last?.came === "outcome_unknown" || isLeft) && !isGuarded && isWellSaid;
    this.#say("resolve", effect?.place, as, outcome, gone);
    try {
      await box.outcomes.resolve(effect?.place ?? "their-0-1", { as, outcome, why, ...gone });
    } catch (error) {
      if (mayBe) this.#fault(`it is ${last?.came}, and cannot be resolved`);
      throw error;
    }
    if (last === null) this.#fault("what was never begun is resolved");
    if (last === null) return;
    if (!mayBe) this.#fault(`it was ${last.came}${isGuarded ? " and being done" : ""}, and was resolved by ${as}`);
    this.#told("taken");
    if (isLeft) count(this.#counts, "resolved as gone");
    this.books.came(last.place, outcome, wordOf(outcome, outcome === "done" ? null : why));
    this.#wrote(last.whose.run, variant);
    count(this.#counts, "resolved");
  }

  // --- Our own loop

  async #run(): Promise<void> {
    const draw = this.#draw;
    const { box, variant } = draw.pick(this.#all);
    const proposed =
      draw.pick([0, 1, 1, 1]) === 0
        ? drawProposed(draw, this.#favourite)
        : { ...drawProposed(draw, this.#favourite), evidence: ["evt_1", "evt_6"] };
    const theirs = draw.odds(1, 3) ? this.#theirs[0] : undefined;
    const principal = theirs?.principal ?? draw.pick(["desk", "desk", "clerk", "user:sue"]);
    const customer = theirs === undefined ? (CUSTOMERS[draw.below(CUSTOMERS.length)] ?? null) : theirs.customer;
    const thread = theirs?.thread ?? `${principal}.${customer ?? "nobody"}.${draw.below(4)}`;
    this.#say("run", variant, principal, customer, thread, proposed);
    const whose = (run: string): Whose => ({ run, thread, principal, customer, outside: false });
    const reply = textOf(proposed);
    this.#stage.replies = reply === null ? [] : [reply];
    let mine: Whose | null = null;
    const hears = this.#hears(variant, () => mine, {
      proposed: JSON.parse(reply ?? "null") as Proposed | null,
      by: principal,
    });
    const who = { as: principal, id: thread, ...(customer === null ? {} : { customer }) };
    const outcome = await box.run("Please.", {
      ...who,
      onEvent: (event) => {
        if (event.kind === "began") {
          mine = whose(event.run);
          this.#ours.push(mine);
        }
        hears(event);
      },
    });
    this.#ended(outcome.ending);
  }

  async #resume(): Promise<void> {
    const draw = this.#draw;
    const { box, variant } = draw.pick(this.#all);
    const approved = [...this.books.staged.values()].filter(
      ({ state, whose }) => state === "approved" && !whose.outside,
    );
    const edited = this.#ours.filter(({ run }) => this.#edits.has(run));
    const wanted = [...approved.map(({ whose }) => whose), ...edited];
    const whose =
      wanted.length > 0 && draw.odds(4, 5) ? draw.pick(wanted) : this.#ours.length > 0 ? draw.pick(this.#ours) : null;
    const run = whose?.run ?? draw.pick(["their-0", "nothing", "__proto__"]);
    this.#say("resume", variant, run);
    this.#stage.replies = [];
    const edit = this.#edits.get(run) ?? null;
    const hears = this.#hears(variant, () => whose, edit === null ? null : { proposed: edit.proposed, by: edit.by });
    const isCancelled = draw.odds(1, 8);
    const effects = this.books.effects.length;
    const before = approved.filter((staged) => staged.whose === whose);
    let isDecided = false;
    const onEvent = (event: RunEvent): void => {
      isDecided ||= event.kind === "decided";
      hears(event);
    };
    const outcome = await box.resume(run, { onEvent, ...(isCancelled ? { signal: AbortSignal.abort() } : {}) });
    this.#ended(outcome.ending);
    if (isCancelled && this.books.effects.length > effects) this.#fault("it was cancelled before, and acts");
    if (isCancelled) count(this.#counts, "cancelled before it was resumed");
    // What could not be loaded at this moment says nothing of what was approved.
    const isKept = before.every(({ state }) => state === "approved");
    if ((isCancelled || this.books.loads === "throws") && !isKept)
      this.#fault("it was not begun, and its approval is gone");
    if (edit !== null && (isDecided || !isCancelled)) this.#edits.delete(run);
  }

  #ended(ending: string): void {
    count(this.#counts, `ending ${ending}`);
    if (ending === "failed") this.#fault("a run failed");
  }

  /** What is known of a run of ours from its events: only what was decided of which step, and how it came out. */
  #hears(
    variant: Variant,
    whose: () => Whose | null,
    next: { readonly proposed: Proposed | null; readonly by: string } | null,
  ): (event: RunEvent) => void {
    let left = next;
    return (event) => {
      const mine = whose();
      if (mine === null) return;
      this.#wrote(mine.run, variant);
      if (!("step" in event)) return;
      const place = placeOf(mine.run, event.step);
      const staged = this.books.staged.get(place);
      if (event.kind === "decided") {
        if (!this.#proposals.has(place) && left !== null && left.proposed !== null) {
          this.#proposals.set(place, left.proposed);
          this.books.propose(mine, event.step, left.proposed);
          if (left.by !== mine.principal) count(this.#counts, "decided on what a person edited");
        }
        count(this.#counts, event.denial === null ? `outcome ${event.outcome}` : `denial ${event.denial.code}`);
        if (event.denial !== null && staged?.state === "approved")
          Object.assign(staged, { state: committedAs(event.denial.code), over: true });
      } else if (event.kind === "settled_before" && staged?.state === "approved") {
        Object.assign(staged, { state: "used", over: true });
      } else if (event.kind === "staged") {
        const proposed = this.#proposals.get(place);
        const by = left?.by ?? mine.principal;
        if (proposed === undefined) this.#fault(`${place} is staged, and nobody proposed it`);
        else
          this.books.stage(variant, mine, event.step, proposed, {
            role: event.role,
            digest: event.digest,
            proposer: by,
          });
      } else if (event.kind === "rejected" && staged !== undefined) staged.state = "expired";
      else if (event.kind === "finished") {
        left = null;
        const effect = this.books.lastOf(place);
        if (effect === null) this.#fault(`${place} finished, and never began`);
        else this.books.came(place, event.outcome);
      }
    };
  }

  /** A tool of a run of ours acts. */
  act(variant: Variant, { run, step, idempotencyKey, principal, customer }: CallContext, proposed: Proposed): unknown {
    const mine = this.#ours.find((one) => one.run === run);
    if (mine === undefined) {
      this.#fault(`${run} acts, and is no run of ours`);
      return null;
    }
    if (principal.id !== mine.principal || customer !== mine.customer) this.#fault(`${run} acts for somebody else`);
    this.#key(placeOf(run, step), idempotencyKey);
    this.books.perform(variant, mine, step, proposed);
    return this.#weather(this.#draw.pick(["fine", "fine", "fine", "failed", "broken"]));
  }

  // --- The world, and whatever else

  async #pass(): Promise<void> {
    const draw = this.#draw;
    const { books } = this;
    if (draw.odds(1, 3)) {
      const paid = draw.odds(1, 2) ? draw.pick([400, 600]) : books.record.paid;
      books.record = { ...books.record, paid, status: draw.odds(1, 6) ? "shut" : "open" };
      this.#say("record", paid, books.record.status);
      return;
    }
    const ends = [...books.staged.values()]
      .filter(({ expiresAt }) => expiresAt > books.now)
      .map(({ expiresAt }) => expiresAt);
    const border = ends.length > 0 && draw.odds(1, 5) ? draw.pick(ends) + draw.pick([-1, 0]) - books.now : 0;
    const by = border > 0 ? border : draw.pick([1, 60_000, HOUR / 24, HOUR, HOUR, 3 * HOUR, APPROVAL_MS, 25 * HOUR]);
    this.#say("pass", by);
    this.#clock.advance(by);
    books.now = this.#clock.now();
  }

  /** Two processes at once, at the same step. */
  async #race(): Promise<void> {
    const draw = this.#draw;
    const [first, second] = [draw.pick(this.#all), draw.pick(this.#all)];
    const staged = this.#pickStaged();
    const again = staged === null ? undefined : this.#proposals.get(staged.place);
    const isOfIt = staged?.whose.outside === true && again !== undefined && draw.odds(1, 2);
    const at = isOfIt ? { whose: staged.whose, step: staged.step, proposed: again } : this.#place();
    const other = this.#otherThan(at);
    const ways: readonly (() => Promise<void>)[] = [
      () => this.#decide(first, at, false),
      () => this.#guard(first, at, false),
      () => this.#decide(second, other, false),
      () => this.#guard(second, other, false),
      () => this.#settle(second, false),
      () => this.#settle(first, false, { run: at.whose.run, step: at.step }),
      ...(staged === null ? [] : [() => this.#approve(second, staged, false)]),
    ];
    this.books.isRace = true;
    const running = [draw.pick(ways), draw.pick(ways)].map((way) => way());
    const came = await Promise.allSettled(running);
    this.books.isRace = false;
    this.#said = `race of ${shown(at)} and ${shown(other)}`;
    for (const one of came) if (one.status === "rejected") this.#judgeThrown(one.reason);
    count(this.#counts, "did race");
    await this.#reread(this.#theirs.map(({ run }) => run));
    await this.#restage();
  }

  /** The same step once more, with the same or with other words; or another step. */
  #otherThan(at: At): At {
    const draw = this.#draw;
    if (draw.odds(1, 3)) return this.#place();
    const { tool, params, evidence } = at.proposed;
    const isTool = toolOf(tool) !== null;
    if (isTool && draw.odds(1, 3))
      return { ...at, proposed: { tool, evidence, params: drawParams(draw, { name: tool as "pay" }) } };
    return { ...at, proposed: { tool, params, evidence, ...(draw.odds(1, 2) ? { retry: true } : {}) } };
  }

  /** Where what is staged stands after two were at it is what the house says: that it may be so is held against the effects. */
  async #restage(): Promise<void> {
    const { box } = this.#draw.pick(this.#all);
    for (const entry of await box.approvals.list({ state: "all", limit: 10_000 })) {
      const staged = this.books.staged.get(entry.id);
      if (staged?.whose.outside !== true) continue;
      const { state, by, decided, digest } = entry;
      const isLate = state === "expired" && this.books.now >= staged.expiresAt && decided === null;
      const wasLapsed = isLate && !["waiting", "approved"].includes(staged.state);
      if (digest !== staged.digest) this.#fault(`${staged.place} is staged anew, and nobody was told`);
      staged.by = by;
      if (!isLate || wasLapsed) staged.state = state;
      const isFailed = this.books.cameOf(staged.place) === "failed";
      const isUsed = state === "used" && (decided === "already_done" || isFailed);
      staged.over = isUsed || state === "stale" || state === "denied" || (state === "expired" && decided !== null);
    }
  }

  /** How something came out that two were at is what the rows say last. */
  async #reread(runs: readonly string[]): Promise<void> {
    for (const run of new Set(runs)) {
      if ((await this.#store.readRun(run)) === null) continue;
      const events = await this.#all[0]?.box.events(run);
      const came = new Map<number, Effect["came"][]>();
      for (const event of events ?? []) {
        if (event.kind === "started") {
          const all = came.get(event.step) ?? [];
          if (all.at(-1) === "open") all[all.length - 1] = "again";
          came.set(event.step, [...all, "open"]);
        } else if (event.kind === "finished") came.get(event.step)?.splice(-1, 1, event.outcome);
      }
      for (const [step, all] of came) this.books.allCame(placeOf(run, step), all);
    }
  }

  async #look(): Promise<void> {
    const { box } = this.#draw.pick(this.#all);
    this.#say("look");
    const waiting = await box.approvals.list({ limit: 10_000 });
    const ours = [...this.books.staged.values()].filter(
      ({ state, expiresAt }) => state === "waiting" && this.books.now < expiresAt,
    );
    const [said, known] = [
      waiting
        .map(({ id }) => id)
        .sort()
        .join(),
      ours
        .map(({ place }) => place)
        .sort()
        .join(),
    ];
    if (said !== known) this.#fault(`what waits is ${said}, and should be ${known}`);
    const unknown = (await box.outcomes.list()).filter(({ state }) => state === "outcome_unknown").map(({ id }) => id);
    const open = this.books.effects.filter(({ came }) => came === "outcome_unknown").map(({ place }) => place);
    if (unknown.sort().join() !== open.sort().join())
      this.#fault(`unknown are ${unknown.join()}, and should be ${open.join()}`);
    await this.#lookAtPeople(box);
    await box.caps();
  }

  /** What became of everything that was staged. */
  async #lookAtPeople(box: Signalbox): Promise<void> {
    const staged = [...this.books.staged.values()];
    const stateOf = ({ state, expiresAt }: Staged): string =>
      (state === "waiting" || state === "approved") && this.books.now >= expiresAt ? "expired" : state;
    const wanted = this.#draw.pick([
      "all",
      "approved",
      "rejected",
      "expired",
      "edited",
      "used",
      "stale",
      "denied",
    ] as const);
    const said = await box.approvals.list({ state: wanted, limit: 10_000 });
    const known = staged.filter((one) => wanted === "all" || stateOf(one) === wanted);
    const [theirs, ours] = [
      said.map(({ id, state, by }) => `${id} ${state} ${by ?? ""}`),
      known.map((one) => `${one.place} ${stateOf(one)} ${one.by ?? ""}`),
    ];
    const isBy = wanted === "all" || wanted === "approved" || wanted === "used";
    const bare = (line: string): string => line.replace(/ [^ ]*$/, "");
    const [told, held] = [theirs, ours].map((lines) =>
      lines
        .map((line) => (isBy ? line : bare(line)))
        .sort()
        .join("; "),
    );
    if (told !== held) this.#fault(`${wanted} are ${told}, and should be ${held}`);
    for (const { id, state, outcome } of said) {
      if (state !== "used") continue;
      const came = this.books.cameOf(id);
      if (outcome !== came) this.#fault(`what was approved as ${id} came to ${outcome}, and did to ${came}`);
    }
  }

  /** More than may wait: the rest is refused until somebody has looked at one of them. */
  async #crowd(): Promise<void> {
    const [process = this.#draw.pick(this.#all)] = this.#all;
    const run = `their-crowd-${this.#theirs.length}`;
    const whose: Whose = { run, thread: run, principal: "desk", customer: null, outside: true };
    this.#theirs.push(whose);
    this.books.loads = "fine";
    const proposed: Proposed = { tool: "wipe", params: { ref: "AB12" }, evidence: ["evt_1", "evt_6"] };
    const ask = (step: number): Promise<void> => this.#decide(process, { whose, step, proposed });
    for (let step = 1; step <= WAITING_MAX + 2; step++) await ask(step);
    const [freed] = [placeOf(run, 1 + this.#draw.below(WAITING_MAX))];
    await process.box.approvals.reject(freed, { as: "user:max", why: "no" });
    const staged = this.books.staged.get(freed);
    if (staged !== undefined) Object.assign(staged, { state: "rejected", by: "user:max" });
    for (const step of [WAITING_MAX + 1, WAITING_MAX + 2, 1]) await ask(step);
    count(this.#counts, "did crowd");
  }

  /** A process ends, and another takes its place: it knows nothing but what the rows say. */
  async #restart(): Promise<void> {
    const at = this.#draw.below(this.#all.length);
    const [gone] = this.#all.splice(at, 1);
    if (gone !== undefined) this.#all.splice(at, 0, this.#opened(gone.variant));
    this.#say("restart", at);
  }

  /** What no program should ever say. It may be refused, and nothing may come of it. */
  async #nonsense(): Promise<void> {
    const draw = this.#draw;
    const { box } = draw.pick(this.#all);
    const odd = (): never => (draw.odds(1, 2) ? drawName(draw) : drawHostile(draw)) as never;
    const { whose, step, proposed } = this.#place();
    // No tool, so that nothing can come of it where it is taken all the same.
    const good = this.#proposalOf(whose, step, { ...proposed, tool: "nothing" });
    const field = draw.pick(["run", "step", "thread", "principal", "context", "approved", "retry"] as const);
    const { [draw.pick(["run", "step", "tool", "params"] as const)]: _, ...lacking } = good;
    const ways: readonly (() => Promise<unknown>)[] = [
      () => box.decide({ ...good, run: `odd-${draw.below(3)}`, [field]: odd() }),
      () => box.guard({ ...good, run: "odd-9", [field]: odd() }, () => this.#fault("nonsense was performed")),
      () => box.decide(odd()),
      () => this.#mustBe("bad_proposal", box.decide(lacking as OutsideProposal)),
      () => box.settle({ run: whose.run, step: 999, outcome: "done", attempt: odd() }),
      () => box.outcomes.resolve("their-0-999", { as: "user:max", outcome: "done", why: "so", gone: odd() }),
      () => box.settle({ run: "nothing", step: odd(), outcome: "done" }),
      () => box.settle({ run: whose.run, step: 999, outcome: odd() }),
      () => box.settle({ run: odd(), step, outcome: "done" }),
      () => box.approvals.show(odd()),
      () => box.approvals.approve(odd(), { as: "user:max" }),
      () => box.approvals.approve("their-0-1", { as: odd() }),
      () => box.approvals.approve(`nothing-${step}`, { as: "user:max", digest: odd() }),
      () => box.approvals.reject(odd(), { as: "user:max", why: odd() }),
      () => box.outcomes.resolve(odd(), { as: "user:max", outcome: "done", why: "so" }),
      () => box.outcomes.resolve("their-0-1", { as: odd(), outcome: odd(), why: odd() }),
      () => box.resume(odd()),
    ];
    const way = draw.below(ways.length);
    this.#say("nonsense", way, field);
    try {
      await ways[way]?.();
      count(this.#counts, "nonsense taken");
    } catch (error) {
      // What throws when it is looked at is the caller's own error.
      if (!(error instanceof Error) || error.message !== DO_NOT_LOOK) throw error;
    }
  }

  async #mustBe(code: string, work: Promise<unknown>): Promise<void> {
    const came = await work.then(
      () => "taken",
      (error: unknown) => (error instanceof this.#house.door.SignalboxError ? error.code : String(error)),
    );
    if (came !== code) this.#fault(`it is ${came}, and should be ${code}`);
    count(this.#counts, `refused ${code}`);
  }

  // --- At the end

  async #verify(): Promise<void> {
    this.#said = "the end";
    const box = this.#all[0]?.box;
    if (box === undefined) return;
    const verdict = await box.verifyLedger();
    if (!verdict.ok) this.#fault(`the ledger does not verify: ${shown(verdict.faults.slice(0, 3))}`);
    await this.#verifyCaps();
    const runs = new Map<string, readonly RunEvent[]>();
    for (const { run } of await box.runs({ limit: 1_000 })) {
      runs.set(run, await box.events(run));
      const writers = this.#writers.get(run);
      if (writers !== undefined && [...writers].every((one) => one === USUAL)) {
        const { differences } = await box.replay(run);
        if (differences.length > 0) this.#fault(`${run} is replayed otherwise: ${shown(differences[0])}`);
        count(this.#counts, "replayed");
      }
    }
    for (const { whose, step, code } of this.#denied) {
      if (!(runs.get(whose.run) ?? []).some((event) => isRowOf(event, step, code)))
        this.#fault(`${placeOf(whose.run, step)}: no row says ${code}`);
    }
    for (const { place, whose, step, params } of this.books.effects) {
      const events = runs.get(whose.run) ?? [];
      const text = plainText(params);
      const begun = events.some(
        (event) => event.kind === "started" && event.step === step && plainText(event.params) === text,
      );
      const allowed = events.some(
        (event) =>
          event.kind === "decided" &&
          event.step === step &&
          event.outcome === "permit" &&
          plainText(event.checked ?? null) === text,
      );
      if (!begun || !allowed) this.#fault(`${place}: no row says that it was allowed and begun`);
    }
  }

  async #verifyCaps(): Promise<void> {
    const sums = new Map(this.books.sums());
    for (const { cap, key, window, settled, reserved, kept } of await this.#store.readCaps({ limit: 10_000 })) {
      const name = `${cap} ${key} ${window}`;
      const used = settled + reserved + kept;
      if ((sums.get(name) ?? 0) !== used) this.#fault(`${name} holds ${used}, and should hold ${sums.get(name) ?? 0}`);
      sums.delete(name);
    }
    for (const [name, sum] of sums) if (sum !== 0) this.#fault(`${name} holds nothing, and should hold ${sum}`);
  }
}

/** What an approval has become where its commit was denied. */
function committedAs(code: string): ApprovalState {
  switch (code) {
    case "approval_stale":
      return "stale";
    case "approval_expired":
      return "expired";
    case "already_done":
      return "used";
    default:
      return "denied";
  }
}

/** What was said of how something came out, as text; null where it is no data, so that nobody can tell it from another. */
function wordOf(outcome: string, said: unknown): string | null {
  const isText = typeof said === "string" && said.isWellFormed();
  const isData = isText || said === null || (typeof said === "object" && "receipt" in said);
  const text = isData ? shown(said) : "";
  return isData && text.length < 400 ? `${outcome} ${text}` : null;
}

function otherwiseOf(outcome: string): string {
  return outcome === "failed" ? "it failed" : "nobody can tell whether it happened";
}

/** The row by which a denial is known: the decision itself, or what stood in its way before. */
function isRowOf(event: RunEvent, step: number, code: string): boolean {
  if (!("step" in event) || event.step !== step) return false;
  switch (event.kind) {
    case "decided":
      return event.denial?.code === code || (code === "outcome_open" && event.outcome === "permit");
    case "finished":
      return code === "already_done" || (code === "outcome_open" && event.outcome === "outcome_unknown");
    case "settled_before":
      return code === "already_done";
    case "rejected":
      return event.code === code;
    default:
      return false;
  }
}

/** The reply of a model that proposes this, or null where it cannot be written as one. */
function textOf({ tool, params, evidence }: Proposed): string | null {
  try {
    const text = JSON.stringify({ kind: "action", tool, params, evidence });
    return typeof params === "object" && text.length < 5_000 ? text : null;
  } catch {
    // A bigint or a circle, a getter that throws: no text says it.
    return null;
  }
}

function shown(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_k, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) ?? String(value)
    ).slice(0, 500);
  } catch {
    return "something that cannot be shown";
  }
}
