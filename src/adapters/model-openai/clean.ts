import { wellFormed } from "../../domain/text.ts";

/** Takes secrets out of a text. */
export type Clean = (text: string) => string;

/** The start of a text for a message. It is cleaned before it is cut: half of a secret would not be found. */
export function excerpt(text: string, unitsMax: number, clean: Clean): string {
  return wellFormed(clean(text).slice(0, unitsMax));
}
