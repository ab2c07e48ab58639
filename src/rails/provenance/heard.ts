import { folded, plainText } from "./normalise.ts";

/**
 * Texts of one tool that anybody may have written: a value that occurs anywhere inside one of them was seen there. They lie
 * in one text with line breaks between them, which no normalised value holds, so that one search asks them all.
 */
export class Heard {
  readonly #texts = new Set<string>();
  readonly #paths: string[] = [];
  #all: { readonly text: string; readonly starts: readonly number[] } | null = null;

  /** Keeps a text. Returns the characters that it takes; 0 where the same text is here already. */
  add(text: string, path: string): number {
    const kept = folded(plainText(text));
    if (kept === "" || this.#texts.has(kept)) return 0;
    this.#texts.add(kept);
    this.#paths.push(path);
    this.#all = null;
    return kept.length + path.length;
  }

  /** The path of a text that holds `needle`, which is folded; null where none does. */
  find(needle: string): string | null {
    this.#all ??= joined(this.#texts);
    const { text, starts } = this.#all;
    const at = text.indexOf(needle);
    if (at === -1) return null;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return this.#paths[low] ?? null;
  }

  /** Whether one of the texts is this, as a whole. */
  has(whole: string): boolean {
    return this.#texts.has(whole);
  }
}

function joined(texts: ReadonlySet<string>): { readonly text: string; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length + 1;
  }
  return { text: [...texts].join("\n"), starts };
}
