import { type Io, paint, widthOf } from "./io.ts";
import { HEAD_COLUMNS, printNote } from "./print-row.ts";
import { visibleLines, wrap } from "./text.ts";

/**
 * The text of a conversation on the screen while it arrives: laid out as the whole of it would be, and harmless for a
 * terminal. A draft, until the reply is there that says the same.
 */
export class Draft {
  readonly #io: Io;
  #text = "";
  #begun = false;
  /** The half of a character or of a line break that may be completed by the next piece. */
  #half = "";
  /** The line that is being written: its margin, all of its text, and what of that stands there. */
  #margin = "";
  #line = "";
  #shown = "";

  constructor(io: Io) {
    this.#io = io;
  }

  /** `head` is asked for once, for the margin of the first line. */
  push(text: string, head: () => string): void {
    this.#text += text;
    if (this.#begun) this.#add(text);
    else if (this.#text.trim() !== "") {
      this.#begun = true;
      this.#margin = head();
      this.#io.stdout.write(this.#margin);
      this.#add(`"${this.#text.trimStart()}`);
    }
  }

  /** Whether anything stands on the screen that is not closed. */
  get isOpen(): boolean {
    return this.#begun;
  }

  /** The reply is there, or there is none (null). Whether its text stands on the screen now; else the draft is void. */
  close(text: string | null): boolean {
    const same = this.#begun && text !== null && text.trim() === this.#text.trim();
    if (this.#begun) {
      if (same) this.#add('"');
      this.#io.stdout.write("\n");
      if (!same) printNote(this.#io, "this draft was discarded", "dim");
    }
    this.#text = "";
    this.#begun = false;
    this.#half = "";
    this.#line = "";
    this.#shown = "";
    return same;
  }

  #add(piece: string): void {
    const joined = this.#half + piece;
    this.#half = HALF_AT_END.exec(joined)?.[0] ?? "";
    visibleLines(joined.slice(0, joined.length - this.#half.length)).forEach((part, i) => {
      if (i > 0) this.#nextLine();
      this.#line += part;
      const lines = wrap(this.#line, widthOf(this.#io) - HEAD_COLUMNS);
      lines.forEach((line, j) => {
        if (j > 0) this.#nextLine();
        this.#put(line);
      });
      this.#line = lines.at(-1) ?? "";
    });
  }

  #put(line: string): void {
    const { stdout } = this.#io;
    const grows = line.startsWith(this.#shown);
    // A word that has become too long for its line goes to the next one.
    if (!grows) stdout.write(`\r\u001b[K${this.#margin}`);
    stdout.write(paint(this.#io, "bold", grows ? line.slice(this.#shown.length) : line));
    this.#shown = line;
  }

  #nextLine(): void {
    this.#margin = " ".repeat(HEAD_COLUMNS);
    this.#io.stdout.write(`\n${this.#margin}`);
    this.#line = "";
    this.#shown = "";
  }
}

const HALF_AT_END = /[\r\ud800-\udbff]$/;
