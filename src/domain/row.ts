import { canonicalJson } from "./canonical.ts";
import type { Json } from "./json.ts";
import { jsonFrom } from "./json-text.ts";

/** A Row: one link of a run's chain in the ledger (design 8). `hash` covers every other field, so no column can be edited alone. */
export type Row = {
  readonly run: string;
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  readonly kind: string;
  readonly body: Json;
  /** The hash of row `seq - 1`; for the first row, 64 zeros. */
  readonly prev: string;
  readonly hash: string;
};

/** What a row hangs on: the row before it, or what is known of that row's end. */
export type RowEnd = { readonly run: string; readonly seq: number; readonly hash: string };

/** The text that a row's hash covers: the canonical JSON of all of its other fields. */
export function rowText(row: Omit<Row, "hash" | "body">, bodyText: string): string {
  return `{"at":${row.at},"body":${bodyText},"kind":${JSON.stringify(row.kind)},"prev":"${row.prev}","run":${JSON.stringify(row.run)},"seq":${row.seq}}`;
}

/**
 * A Row whose canonical text and hash are worked out when somebody first asks for them: a store on disk does so when it
 * writes the row, a store in memory when the row is read. What it holds is frozen, so the answer is the same whenever it is
 * asked. Whether it hangs on another row can be told without any hash.
 *
 * It is for stores that say that they take it (`Store.lazyRows`): a spread or a structured clone has not all of its fields.
 */
export class ChainedRow implements Row {
  readonly run: string;
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly #hashText: (text: string) => string;
  /** Where the body is from, until its text is known. */
  #bodyOf: (() => Json) | null;
  /** The row before, until this row's own hash is known. */
  #before: RowEnd | null;
  #prev = "";
  #hash = "";
  #text = "";

  /** `bodyOf` gives plain JSON, and must give the same whenever it is asked: what it reads from is frozen. */
  constructor(
    before: RowEnd,
    { at, kind }: { readonly at: number; readonly kind: string },
    bodyOf: () => Json,
    hashText: (text: string) => string,
  ) {
    this.run = before.run;
    this.seq = before.seq + 1;
    this.at = at;
    this.kind = kind;
    this.#bodyOf = bodyOf;
    this.#hashText = hashText;
    this.#before = before;
  }

  get body(): Json {
    return jsonFrom(this.text);
  }

  /** The body as canonical JSON. @throws TypeError where the body is none. */
  get text(): string {
    if (this.#bodyOf !== null) {
      this.#text = canonicalJson(this.#bodyOf());
      this.#bodyOf = null;
    }
    return this.#text;
  }

  /** The body to look at, without its text being worked out for that. Nobody changes it. */
  get said(): Json {
    return this.#bodyOf === null ? this.body : this.#bodyOf();
  }

  get prev(): string {
    if (this.#before !== null) this.#seal();
    return this.#prev;
  }

  get hash(): string {
    if (this.#before !== null) this.#seal();
    return this.#hash;
  }

  /** Whether it was made to hang on exactly this end. False says nothing: then the hashes have to be compared. */
  hangsOn(end: { readonly seq: number; readonly hash: string }): boolean {
    const before = this.#before;
    if (before === null || before === end) return before === end;
    // What is known by its hash alone is compared by it; nothing has to be worked out for that.
    return !(before instanceof ChainedRow) && !(end instanceof ChainedRow) && before.hash === end.hash;
  }

  /** The same as a plain value, which can be copied and written down in any way. */
  toJSON(): Row {
    const { run, seq, at, kind, body, prev, hash } = this;
    return { run, seq, at, kind, body, prev, hash };
  }

  /** From the oldest row that is still open to this one: a chain can be longer than the stack is deep. */
  #seal(): void {
    const open: ChainedRow[] = [];
    let row: RowEnd = this;
    while (row instanceof ChainedRow && row.#before !== null) {
      open.push(row);
      row = row.#before;
    }
    for (const next of open.reverse()) {
      next.#prev = next.#before?.hash ?? "";
      next.#hash = next.#hashText(
        rowText({ run: next.run, seq: next.seq, at: next.at, kind: next.kind, prev: next.#prev }, next.text),
      );
      next.#before = null;
    }
  }
}

/** The body of a row as canonical JSON. */
export function bodyText(row: Row): string {
  return row instanceof ChainedRow ? row.text : canonicalJson(row.body);
}

/** The body of a row, to look at and not to keep. */
export function saidBy(row: Row): Json {
  return row instanceof ChainedRow ? row.said : row.body;
}

/** The row as a plain value. */
export function plainRow(row: Row): Row {
  return row instanceof ChainedRow ? row.toJSON() : row;
}
