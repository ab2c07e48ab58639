import type { Control } from "../../domain/control-map.ts";
import { classOf, isPunctuation, joinedKeys, joinPhrases, LIGHT, stemsOf, weightOf } from "./lexicon.ts";
import { SCORE_1 } from "./score-1.ts";
import { fold, type Token, tokenise, visible } from "./tokenise.ts";
import { EFFECTS } from "./words.ts";

/** What of a control gives a name. `all` is everything that is read out, as one. */
export type NameField = "text" | "desc" | "child_text" | "all" | "resource_id";

/** One name of a control. What it holds now is none. */
export type Name = {
  readonly field: NameField;
  /** As it is written, but for what `visible` takes out. */
  readonly shown: string;
  readonly literal: string;
  /** At most `nameTokensMax`. */
  readonly tokens: readonly Token[];
  /** By token, before how rare it is. */
  readonly weights: readonly number[];
  /** By token: it and the next as one, in the forms in which that may be said. */
  readonly joins: readonly (readonly string[])[];
  /** Neither letter nor digit. */
  readonly symbols: boolean;
  /** The token that says what its control does and leaves something other than it was, or -1. */
  readonly effect: number;
  /** Only words that say little, such as "Open", numbers, and symbols. */
  readonly light: boolean;
};

/** A control's names, each once. */
export function namesOf(control: Control): readonly Name[] {
  const names = new Map<string, Name>();
  const add = (field: NameField, text: string): void => {
    const name = nameFrom(field, text);
    if (name !== null && !names.has(name.literal)) names.set(name.literal, name);
  };
  add("text", control.text);
  add("desc", control.desc);
  for (const text of control.childText) add("child_text", text);
  const all = [control.text, control.desc, ...control.childText].filter((text) => text !== "");
  if (all.length > 1) add("all", all.join(" "));
  // `com.android.settings:id/add_language` is add_language.
  add("resource_id", control.resourceId.replace(/^.*[:/]/su, ""));
  return [...names.values()];
}

/** A name that says what its control does begins with that. */
function effectIn(tokens: readonly Token[]): number {
  const first = tokens.findIndex((token) => classOf(token) !== "stop");
  return EFFECT.has(tokens[first]?.stem ?? "") ? first : -1;
}
const EFFECT: ReadonlySet<string> = stemsOf(EFFECTS);

function nameFrom(field: NameField, text: string): Name | null {
  const shown = visible(text);
  const all = joinPhrases(tokenise(shown));
  const symbols = all.every(({ kind }) => kind === "symbol");
  const tokens = (symbols ? all : all.filter((token) => !isPunctuation(token))).slice(0, SCORE_1.nameTokensMax);
  if (tokens.length === 0) return null;
  return {
    ...{ field, shown, literal: fold(shown), tokens, symbols, effect: effectIn(tokens) },
    weights: tokens.map((token) => (symbols ? 1 : weightOf(token, classOf(token)))),
    joins: tokens.map((token, i) => joinedKeys(token, tokens[i + 1])),
    light: tokens.every((token) => (token.kind !== "word" && token.kind !== "pair") || LIGHT.has(classOf(token))),
  };
}
