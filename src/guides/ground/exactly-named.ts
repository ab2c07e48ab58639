/** Whether a step names its control as that is called, and not another of which it is the nearest. */
import type { Intent } from "./intent.ts";
import { stemsOf } from "./lexicon.ts";
import type { Hit } from "./match.ts";
import type { Name } from "./names-of.ts";
import { GRAVE } from "./step-words.ts";
import { OWN_EFFECTS } from "./words.ts";

/** What a step says of each name of its control. */
export type NameHits = ReadonlyMap<Name, readonly Hit[]>;

/** Done by a control that is called so, and by none that a step names without it. */
const HEAVY: ReadonlySet<string> = stemsOf([...OWN_EFFECTS, ...GRAVE]);
const SWITCHED: ReadonlySet<string> = new Set(["turn off", "switch off", "turn on", "switch on"]);

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Words in quotation marks, or a word with a capital letter, that are in a name letter by letter, but for an s of the plural. */
export function isLiteral(names: readonly Name[], { shown, tokens }: Intent, places: readonly number[]): boolean {
  const texts = new Set(names.flatMap((name) => name.tokens.map(({ text }) => single(text))));
  const [first, last] = [tokens[places[0] ?? -1], tokens[places.at(-1) ?? -1]];
  const whole = letters(shown.slice(first?.from ?? 0, last?.to ?? 0));
  if (names.some((name) => letters(name.shown).includes(whole))) return true;
  return places.every((i) => tokens[i]?.kind === "symbol" || texts.has(single(tokens[i]?.text ?? "")));
}

function single(text: string): string {
  return text.length > 3 ? text.replace(/s$/, "") : text;
}

/** The name of a control that does away with something, where the step has only the thing: "Files" of "Delete files". */
export function unsaidEffect(hitsOf: NameHits, isSwitch: boolean): string | null {
  let unsaid: string | null = null;
  for (const [name, hits] of hitsOf) {
    if (name.field === "resource_id" || hits.length === 0) continue;
    const effect = name.tokens.findIndex(({ stem, text }) => HEAVY.has(stem) || (!isSwitch && SWITCHED.has(text)));
    if (effect !== 0 || hits.some(({ named }) => named === effect)) return null;
    unsaid ??= name.shown;
  }
  return unsaid;
}
