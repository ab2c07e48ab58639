import type { WordClass } from "./lexicon.ts";
import type { Asked } from "./role-of.ts";
import type { Token } from "./tokenise.ts";

/** Why a token is no evidence of its own: it is said of another control, of a place, or of what was there before. */
export type Aside = "landmark" | "place" | "old";

/** A part of an intent that says one thing to do, or what it is done for. Tokens are named by their places in the intent. */
export type Clause = {
  readonly tokens: readonly number[];
  /** `purpose`: what it is done for. `means`: by doing what. `beside`: how it is asked for, where, when or why. */
  readonly kind: "main" | "purpose" | "means" | "beside";
  /** Says something that may be a name. */
  readonly telling: boolean;
  /** Says what the control is called ("click Save all"), and not what is done ("save all that was written"). */
  readonly naming: boolean;
  /** The word that says what is done, where that says more than "use it". */
  readonly action: number | null;
  /** The word that says what is done, of EFFECTS. */
  readonly effect: number | null;
  /** What is done is to look at something. */
  readonly looks: boolean;
  /** A quotation that is the control's name. */
  readonly designated: readonly number[] | null;
  /** The kind of control that it speaks of. */
  readonly asked: Asked | null;
  readonly ordinals: readonly number[];
};

/** Some tokens of an intent that are compared with names by themselves. */
export type Reading = {
  readonly kind: "whole" | "clause" | "object" | "value" | "part" | "quotation" | "with_landmark";
  readonly tokens: readonly number[];
  readonly within: ReadonlySet<number>;
  /** The place of the clause; -1: it goes over several. */
  readonly clause: number;
  readonly naming: boolean;
  /** Only for names that have these words. */
  readonly needs: readonly number[];
};

/** An Intent as `score/1` reads it. All arrays but the last two go by token. */
export type Intent = {
  readonly shown: string;
  readonly literal: string;
  /** There were more than `intentTokensMax`. */
  readonly overlong: boolean;
  readonly tokens: readonly Token[];
  /** The place of the quotation that it stands in, or -1. */
  readonly quotes: readonly number[];
  readonly asides: readonly (Aside | null)[];
  readonly classes: readonly WordClass[];
  /** Before how rare it is. */
  readonly weights: readonly number[];
  readonly clauses: readonly Clause[];
  readonly readings: readonly Reading[];
};
