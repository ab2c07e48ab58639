/** How an element is known again in another text of the same harvest. */
type Known = {
  /** What programs call it, or its class: the first so called in one text is the first in the next. */
  readonly name: string;
  /** Where it is on the screen; empty where the text does not say. */
  readonly place: string;
};

/**
 * The fields for passwords that were seen in one harvest, text by text. Who lets a screen show the password makes a common field of
 * it: here it stays what it was on an earlier screen. One that cannot be told from it is taken for it.
 */
export class Passwords {
  readonly #before = new Set<string>();
  readonly #now = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** What has been seen so far is earlier than what is seen from here on. */
  nextText(): void {
    for (const key of this.#now) this.#before.add(key);
    this.#now.clear();
    this.#counts.clear();
  }

  /** Whether this is one, or was. Asked once for each field of a text, in order. */
  has(isOne: boolean, { name, place }: Known): boolean {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const keys = [`${count} ${name}`, ...(place === "" ? [] : [`at ${place}`])];
    const is = isOne || keys.some((key) => this.#before.has(key));
    if (is) for (const key of keys) this.#now.add(key);
    return is;
  }
}
