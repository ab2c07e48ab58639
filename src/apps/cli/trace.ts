import type { Run, RunEvent, Signalbox } from "../../index.ts";
import { showCall, showSent } from "../../runtime/index.ts";
import { printHead } from "./framed.ts";
import { commandOf, type Io, paint } from "./io.ts";
import { callTitle, printCame, printExact, printSent, printWire } from "./print-call.ts";
import { printProbed } from "./print-probed.ts";

/**
 * Prints each model call of a run while it happens: what is sent when it is sent, what came back when it is there. In the
 * sections that `signalbox show` has.
 */
export class Trace {
  readonly #io: Io;
  readonly #box: Pick<Signalbox, "parts">;
  /** Whether the rows of the run are printed as well, with what the model says to the operator. */
  readonly #answered: boolean;
  /** The state in which the call was made that is waited for; null where it was made before anything was heard. */
  #before: Run | null = null;
  /** The user text that was printed as sent. */
  #user: string | null = null;
  #system: { readonly text: string; readonly turn: number } | null = null;

  constructor(io: Io, box: Pick<Signalbox, "parts">, answered: boolean) {
    this.#io = io;
    this.#box = box;
    this.#answered = answered;
  }

  /** Before the row of an event: what came back from the model. */
  came(event: RunEvent): void {
    if (event.kind === "probed") printProbed(this.#io, event);
    if (event.kind !== "replied" && event.kind !== "model_failed") return;
    const { parts } = this.#box;
    const call = this.#before === null ? null : showCall(parts, this.#before, event);
    if (call === null)
      printHead(this.#io, "sent", [`before this command began: ${commandOf(this.#io)} show prints it`], "dim");
    else {
      // What was measured by the server's tokeniser, or by a canary in between, was built again, smaller.
      if (this.#user !== null && call.sent.user !== null && call.sent.user !== this.#user) {
        printHead(this.#io, "sent in its place", ["what is above did not fit the server's window"], "dim");
        printSent(this.#io, call.sent, this.#system === null ? null : `in turn ${this.#system.turn}`);
      }
      printWire(this.#io, call.sent, false, []);
      if (call.sent.exact === false) printExact(this.#io, call.sent);
    }
    const { at } = event;
    if (event.kind === "replied") printCame(this.#io, { came: { kind: "replied", at, reply: event } }, this.#answered);
    else
      printCame(this.#io, {
        came: { kind: "failed", at, code: event.code, detail: event.detail, promptBytes: event.promptBytes },
      });
  }

  /** After the row of an event: what the model is sent now. */
  sent(event: RunEvent, run: Run): void {
    // What a canary found out leads to no further call: the one that is waited for is still to come.
    if (event.kind === "probed") return;
    const next = showSent(this.#box.parts, run);
    this.#before = next === null ? null : run;
    if (next === null) return;
    const { turn, sent } = next;
    this.#io.stdout.write(`\n${paint(this.#io, "cyan", `turn ${turn}, ${callTitle(next, next.call)}`)}\n`);
    const systemSeen =
      this.#system !== null && this.#system.text === sent.system ? `in turn ${this.#system.turn}` : null;
    if (systemSeen === null && sent.system !== null) this.#system = { text: sent.system, turn };
    this.#user = sent.user;
    printSent(this.#io, sent, systemSeen);
  }
}
