import { textStream } from "../domain/text-stream.ts";
import { textOf } from "./error.ts";
import type { Journal } from "./journal.ts";
import type { Parts } from "./parts.ts";

/** A piece of a conversation's text while it arrives. After `discarded` what was heard since the last event is void. */
export type TextPiece = { readonly kind: "text"; readonly text: string } | { readonly kind: "discarded" };

/** Hears the text of a conversation while it arrives. */
export type TextListener = (piece: TextPiece) => void;

/** One model call's text on its way to the operator. */
export type Draft = {
  /** For the model: content as it arrives; null voids it. null where nobody listens. */
  readonly onDelta: ((content: string | null) => void) | null;
  /** The call is over. `kept`: whether it came to the conversation that was heard. */
  readonly end: (kept: boolean) => void;
};

const SILENT: Draft = { onDelta: null, end: () => {} };

/** A draft of the next reply. It decides nothing: a listener that throws hears nothing more, and the outcome says so. */
export function draft(parts: Parts, journal: Journal): Draft {
  const listener = journal.onText;
  if (listener === null) return SILENT;
  let stream = textStream(journal.scope.mode, parts.redaction);
  let heard = false;
  let over = false;
  const tell = (piece: TextPiece): void => {
    if (journal.deaf !== null) return;
    try {
      listener(piece);
    } catch (error) {
      journal.deaf = textOf(error);
    }
  };
  const say = (text: string): void => {
    if (text === "") return;
    heard = true;
    tell({ kind: "text", text });
  };
  const discard = (): void => {
    if (heard) tell({ kind: "discarded" });
    heard = false;
  };
  return {
    onDelta: (content) => {
      // A model may go on talking after its deadline.
      if (over) return;
      if (content !== null) return say(stream.push(content));
      discard();
      stream = textStream(journal.scope.mode, parts.redaction);
    },
    end: (kept) => {
      if (over) return;
      over = true;
      if (kept) say(stream.end());
      else discard();
    },
  };
}
