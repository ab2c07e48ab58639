import { type Io, isLive, paint, widthOf } from "./io.ts";
import { clip } from "./text.ts";

const EVERY_MS = 1_000;

/** What is being waited for and for how long, on one line of a terminal that is written over; nowhere else, nor for null. */
export class WaitingLine {
  readonly #io: Io;
  #timer: NodeJS.Timeout | null = null;

  constructor(io: Io, what: string | null) {
    this.#io = io;
    if (what === null || !isLive(io)) return;
    let seconds = 0;
    const show = (): void => {
      const text = clip(seconds === 0 ? what : `${what} · ${seconds} s`, widthOf(io) - 1);
      io.stdout.write(`\r\u001b[K${paint(io, "dim", text)}`);
      seconds += EVERY_MS / 1_000;
    };
    show();
    this.#timer = setInterval(show, EVERY_MS);
    this.#timer.unref();
  }

  clear(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#io.stdout.write("\r\u001b[K");
  }
}
