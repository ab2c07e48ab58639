/** Whether words are the interface's: of a name of a control, of a screen's or of the application's. */
import type { GroundIndex } from "./ground-index.ts";
import type { Intent } from "./intent.ts";
import { classOf, isPunctuation } from "./lexicon.ts";
import { NEGATIONS } from "./step-words.ts";
import { type Token, tokenise, visible } from "./tokenise.ts";

/** What words are looked up in. */
type Where = { readonly index: GroundIndex; readonly intent: Intent };

const NOT: ReadonlySet<string> = new Set(NEGATIONS);

export function isNegation(text: string): boolean {
  return text === "do not" || NOT.has(text);
}

/** Whether the words stand together, in their order, in one name of a control, in a screen's or in the application's. */
export function isKnown({ index, intent }: Where, tokens: readonly number[]): boolean {
  if (tokens.length === 0 || isOfScreen({ index, intent }, tokens)) return true;
  if (tokens.some((i) => isNegation(intent.tokens[i]?.text ?? ""))) return false;
  const stems = tokens.map((i) => intent.tokens[i]?.stem ?? "");
  if (stems.some((stem) => !index.rarities.has(stem))) return false;
  return index.entries.some(({ name }) => name.field !== "resource_id" && isIn(stems, name.tokens));
}

export function isOfScreen({ index, intent }: Where, tokens: readonly number[]): boolean {
  const stems = tokens.map((i) => intent.tokens[i]?.stem ?? "");
  const texts = [index.map.app ?? "", ...index.map.screens.flatMap(({ id, title }) => [id, title])];
  return texts.some((text) => isIn(stems, tokenise(visible(text))));
}

function isIn(stems: readonly string[], tokens: readonly Token[]): boolean {
  const own = tokens.filter((token) => classOf(token) !== "stop" && !isPunctuation(token)).map(({ stem }) => stem);
  return own.some((_, from) => stems.every((stem, k) => own[from + k] === stem));
}
