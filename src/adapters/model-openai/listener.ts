import { wellFormed } from "../../domain/text.ts";
import type { ModelRequest } from "../../ports/model.ts";

/** Who hears the content of a reply as it comes. After the call was aborted, nobody does. */
export class Listener {
  readonly #request: ModelRequest;
  #heard = false;
  /** The first half of a surrogate pair whose second one is in the next piece. */
  #half = "";

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  hear(content: string): void {
    const text = this.#half + content;
    const cut = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#half = text.slice(cut);
    this.#give(text.slice(0, cut));
  }

  /** The reply is whole. */
  end(): void {
    this.#give(this.#half);
    this.#half = "";
  }

  /** What was heard is no reply. */
  void(): void {
    this.#half = "";
    if (!this.#heard || this.#request.signal.aborted) return;
    this.#heard = false;
    this.#request.onDelta?.(null);
  }

  #give(content: string): void {
    if (content === "" || this.#request.signal.aborted) return;
    this.#heard = true;
    this.#request.onDelta?.(wellFormed(content));
  }
}
