import type { Needles } from "./needles.ts";
import { folded, plainText } from "./normalise.ts";

/**
 * Texts of one tool that anybody may have written: a value that occurs anywhere inside one of them was seen there. They lie
 * in one text with line breaks between them, which no normalised value holds, so that one search asks them all.
 */
export class Heard {
  /** Each text once, with its path. */
  readonly #texts = new Map<string, string>();
  #all: Joined | null = null;

  /** Keeps a text. Returns the characters that it takes; 0 where the same text is here already. */
  add(text: string, path: string): number {
    const kept = folded(plainText(text));
    if (kept === "" || this.#texts.has(kept)) return 0;
    this.#texts.set(kept, path);
    this.#all = null;
    return kept.length + path.length;
  }

  /** Calls `found` once for each needle, which are folded, that one of the texts holds, with the path of the first such text. */
  find(needles: Needles, found: (needle: number, path: string) => void): void {
    this.#all ??= joined(this.#texts);
    const all = this.#all;
    needles.pass(all.text, (needle, end) => {
      found(needle, pathAt(all, end - 1));
      return true;
    });
  }

  /** The path of the text that is this as a whole; null where none is. */
  whole(value: string): string | null {
    return this.#texts.get(value) ?? null;
  }
}

type Joined = { readonly text: string; readonly starts: readonly number[]; readonly paths: readonly string[] };

function joined(texts: ReadonlyMap<string, string>): Joined {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts.keys()) {
    starts.push(length);
    length += text.length + 1;
  }
  return { text: [...texts.keys()].join("\n"), starts, paths: [...texts.values()] };
}

function pathAt({ starts, paths }: Joined, at: number): string {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return paths[low] ?? "";
}
