/** Which class each token of an intent has where it stands. */
import { classOf, type WordClass } from "./lexicon.ts";
import type { Token } from "./tokenise.ts";
import { LINKS, TURNING } from "./words.ts";

/** The words between which a clause goes on, and where none of them are quoted. */
export type Words = { readonly tokens: readonly Token[]; readonly quotes: readonly number[] };

/** A word for what one does is one at the head of its clause; elsewhere it is part of a name, such as "a Switch node". */
export function classesOf(
  { tokens, quotes }: Words,
  clauses: readonly { readonly tokens: readonly number[] }[],
): readonly WordClass[] {
  const classes = tokens.map(classOf);
  for (const { tokens: clause } of clauses) {
    const head = clause.find((i) => quotes[i] === -1 && !["stop", "symbol"].includes(classes[i] ?? ""));
    const turns = clause.some((i) => TURNS.has(tokens[i]?.text ?? ""));
    for (const [k, i] of clause.entries()) {
      const [token, before] = [tokens[i], tokens[i - 1]];
      if (token === undefined || quotes[i] !== -1) continue;
      if (turns && (token.text === "on" || token.text === "off")) classes[i] = "stop";
      else if (classes[i] === "noun" && classes[i + 1] === "noun" && quotes[i + 1] === -1 && clause[k + 1] === i + 1)
        classes[i] = "content";
      else if (classes[i] === "verb" && i !== head && !LINK.has(before?.text ?? "")) classes[i] = "content";
    }
  }
  return classes;
}

const TURNS: ReadonlySet<string> = new Set(TURNING);
const LINK: ReadonlySet<string> = new Set(LINKS);
