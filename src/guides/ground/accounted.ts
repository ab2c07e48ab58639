/**
 * Whether each word of a step is there for a reason: a word of its control's name, a value, where it is, what it is for, or one that
 * hangs these together. Whatever may be said is listed: a word that is in no list and in no name asks for something else.
 */
import type { GroundIndex } from "./ground-index.ts";
import type { Intent } from "./intent.ts";
import { isKnown, isNegation, isOfScreen } from "./known-words.ts";
import { classOf, stemsOf } from "./lexicon.ts";
import { roleOf } from "./role-of.ts";
import * as W from "./step-words.ts";
import { tokenise, visible } from "./tokenise.ts";
import { CHANGING, LABELS, NOUN_PHRASES, NOUNS, TURNING, VERBS, WRITING } from "./words.ts";

/** What is known of a part of a step besides its words. By the places of its tokens. */
export type Said = {
  readonly index: GroundIndex;
  readonly intent: Intent;
  /** Are words of the control's names. */
  readonly hit: ReadonlySet<number>;
  /** Stand in one of them letter by letter. */
  readonly named: readonly boolean[];
  /** Are what is typed, or what something is changed to. */
  readonly value: ReadonlySet<number>;
  /** Whether "it" is the control: the part before it named that. */
  readonly isMeant: boolean;
  /** The interface's word for the kind of control. */
  readonly role: string;
  /** The stems of the operator's task. */
  readonly task: ReadonlySet<string>;
  /** Whether a way of using a control stood in the part, and was taken out of it. */
  readonly isUsed: boolean;
  readonly isLast: boolean;
};

const set = (words: readonly string[]): ReadonlySet<string> => new Set(words);
const [ORDER, REPEAT, HEAD] = [set(W.ORDERING), set(W.REPEATING), set(W.HEADS)];
const [STANDS, WAYS, WHERE, POSITION] = [set(W.STANDING), set(W.DIRECTIONS), set(W.PREPOSITIONS), set(W.POSITIONS)];
const [PLACE, PURPOSE, PURPOSED, USE] = [
  set([...W.PLACE_WORDS, ...NOUN_PHRASES]),
  set(W.PURPOSES),
  set(W.PURPOSE_WORDS),
  set(W.USES),
];
const LABEL: ReadonlySet<string> = stemsOf(LABELS);
const TAKES_VALUE: ReadonlySet<string> = stemsOf([...CHANGING, ...WRITING]);
const VERB: ReadonlySet<string> = stemsOf(VERBS);
const MOVES: ReadonlySet<string> = stemsOf(["scroll", "swipe", "drag", "drop", "move", "flick"]);
const TURNS: ReadonlySet<string> = set([...TURNING, "set", "toggle"]);
const BACK: ReadonlySet<string> = set(["it"]);
/** "the Wi-Fi switch off" ends with two words that are read as one. */
const OFF: ReadonlySet<string> = set(["off", "switch on", "switch off"]);
const APPEARS: ReadonlySet<string> = set(["appears", "appear"]);
const IS: ReadonlySet<string> = set(["is", "are", "be", "that", "which"]);
const MANY: ReadonlySet<string> = set(W.MANY);
const INTO: ReadonlySet<string> = set(["into", "in", "to", "as"]);
const TOWARD: ReadonlySet<string> = set(W.TOWARDS);
const INSTRUMENT: ReadonlySet<string> = set(W.INSTRUMENTS);
const OPENS: ReadonlySet<string> = set(W.OPENING);
const PERSON: ReadonlySet<string> = set(W.PERSONS);
const BESIDE: ReadonlySet<string> = set(W.BESIDE);
const GOES: ReadonlySet<string> = set(W.GOING);
const KIND: ReadonlySet<string> = set([...NOUNS, ...NOUN_PHRASES]);
const KIND_WORD: ReadonlySet<string> = set(W.KIND_WORDS);
/** Kinds of controls: what else is called by a verb before it is what the verb is done to. */
const CONTROL: ReadonlySet<string> = set([...W.CONTROL_KINDS, ...NOUN_PHRASES]);
const [ACTS, HOLDS] = [set(W.ACTING), set(W.HELD)];
const GRAVE: ReadonlySet<string> = stemsOf(W.GRAVE);
const FIELD_WORD: ReadonlySet<string> = set(W.FIELD_WORDS);
/** What it is for stands behind these; and where what is moved goes. */
const [FOR, ONTO] = [set(["to", "for"]), set(["to", "into", "in", "onto", "on", "over", "at", "toward", "towards"])];
const SECONDS: ReadonlySet<string> = set(W.HOW_LONG);
const COUNT = /^(?:[2-9]|two|three|four|five)$/;
const SENTENCE_MARKS = /^[.,:;!?'"()\u2026-]$/u;

/** The tokens of a part that are there for nothing that is listed, in their order. */
export function unaccounted(said: Said, tokens: readonly number[]): readonly number[] {
  const starts = tokens.flatMap((i, k) =>
    isPlain(said, i) && (isListed(said, i, WHERE) || isListed(said, i, INSTRUMENT)) ? [k] : [],
  );
  const object = tokens.slice(0, starts[0] ?? tokens.length);
  const phrases = starts.map((from, k) => tokens.slice(from, starts[k + 1] ?? tokens.length));
  const names = tokens.some((i) => !isPlain(said, i));
  const verb = verbIn(said, object);
  if (!names && goesToScreen(said, tokens, verb)) return [];
  const moves = MOVES.has(said.intent.tokens[verb ?? -1]?.stem ?? "");
  const left = [
    ...tokens.filter((i) => isPlain(said, i) && MANY.has(textOf(said, i))),
    ...[object, ...phrases.filter(([head]) => FOR.has(textOf(said, head)))].flat().filter((i) => isGrave(said, i)),
    ...objectLeft(said, object, verb, names),
    ...elsewhere(said, tokens, phrases, verb),
    ...phrases.flatMap((phrase, k) => {
      // "to go to print": what is gone to is not what it is for.
      const isPurpose = !phrases
        .slice(0, k)
        .some(([head, next]) => textOf(said, head) === "to" && HOLDS.has(textOf(said, next)));
      if (moves) return movedOnto(said, phrase) ?? phraseLeft(said, phrase, k === 0 ? verb : null, false);
      return phraseLeft(said, phrase, k === 0 ? verb : null, isPurpose);
    }),
  ];
  // "tap on it".
  const onIt = phrases.filter((phrase) => phrase.length === 2 && textOf(said, phrase[0]) === "on").flat();
  if (left.length > 0 || names || refersBack(said, [...object, ...onIt], verb)) {
    return [...new Set(left)].sort((a, b) => a - b);
  }
  return object.filter((i) => tells(said, i));
}

/** "tap Email and type ... into message": not into what was named before, but into another. */
function elsewhere(
  said: Said,
  tokens: readonly number[],
  phrases: readonly (readonly number[])[],
  verb: number | null,
): readonly number[] {
  const writes = said.value.size > 0 && TAKES_VALUE.has(said.intent.tokens[verb ?? -1]?.stem ?? "");
  if (!writes || tokens.some((i) => said.hit.has(i))) return [];
  return phrases.flatMap(([head, ...rest]) =>
    INTO.has(textOf(said, head))
      ? rest.filter((i) => isPlain(said, i) && !isMarkOrArticle(said, i) && !FIELD_WORD.has(textOf(said, i)))
      : [],
  );
}

/** "drag ... to Trash": another control that something is done to. Null where it is a direction, a place on the screen, a number. */
function movedOnto(said: Said, [head = -1, ...rest]: readonly number[]): readonly number[] | null {
  const isOwn = rest.some((i) => !isPlain(said, i) && !said.value.has(i));
  if (!ONTO.has(textOf(said, head)) || isOwn) return null;
  const onto = rest.filter((i) => {
    const text = textOf(said, i);
    if (isMarkOrArticle(said, i) || said.intent.tokens[i]?.kind === "number") return false;
    return isCapital(said, i) || !(WAYS.has(text) || POSITION.has(text) || PLACE.has(text) || isSentence(said, i));
  });
  if (onto.length > 0) return onto;
  return rest.some((i) => said.intent.tokens[i]?.kind === "number") ? [] : null;
}

/** What a row of a list is called. */
function isOne(said: Said, i: number): boolean {
  return ["item", "entry", "row", "record", "selection"].includes(textOf(said, i));
}

function isMarkOrArticle(said: Said, i: number): boolean {
  return said.intent.tokens[i]?.kind === "symbol" || ["the", "a", "an"].includes(textOf(said, i));
}

function isGrave(said: Said, i: number): boolean {
  const stem = said.intent.tokens[i]?.stem ?? "";
  return isPlain(said, i) && GRAVE.has(stem) && !said.task.has(stem);
}

function textOf({ intent }: Said, i: number | undefined): string {
  return intent.tokens[i ?? -1]?.text ?? "";
}

function classAt({ intent }: Said, i: number | undefined) {
  const token = intent.tokens[i ?? -1];
  return token === undefined ? "symbol" : classOf(token);
}

/** Neither of the name, nor a value, nor quoted. A word that hangs others together is of the name only where that stands there. */
function isPlain(said: Said, i: number): boolean {
  const isOwn = said.named[i] === true || (said.hit.has(i) && classAt(said, i) !== "stop");
  return said.intent.quotes[i] === -1 && !said.value.has(i) && !isOwn;
}

/** Hangs others together: such a word, a mark of a sentence, or one around a quotation. */
function isSentence({ intent: { tokens, quotes } }: Said, i: number): boolean {
  const token = tokens[i];
  if (token?.kind !== "symbol") return token !== undefined && classOf(token) === "stop";
  return SENTENCE_MARKS.test(token.text) || [i - 1, i + 1].some((k) => (quotes[k] ?? -1) !== -1);
}

/** In the middle of a step that is a name, and a name has to be a control's. */
function isCapital({ intent }: Said, i: number): boolean {
  const token = intent.tokens[i];
  return i > 0 && /^\p{Lu}/u.test(intent.shown.slice(token?.from, token?.to));
}

function isListed(said: Said, i: number | undefined, list: ReadonlySet<string>): boolean {
  return i !== undefined && list.has(textOf(said, i)) && !isCapital(said, i);
}

function isKind(said: Said, i: number): boolean {
  return (classAt(said, i) === "noun" && KIND.has(textOf(said, i))) || KIND_WORD.has(textOf(said, i));
}

/** A word that says something, of which something has to be said back. */
function tells(said: Said, i: number): boolean {
  if (isSentence(said, i)) return false;
  const again = REPEAT.has(textOf(said, i)) || (ORDER.has(textOf(said, i)) && !said.isLast);
  return !again || isCapital(said, i);
}

/** The word at the head of a part that says what is done, behind what says when. */
function verbIn(said: Said, object: readonly number[]): number | null {
  const at = object.find((i) => !isSentence(said, i) && !(isPlain(said, i) && ORDER.has(textOf(said, i))));
  if (at === undefined || !isPlain(said, at) || isNegation(textOf(said, at))) return null;
  const stem = said.intent.tokens[at]?.stem ?? "";
  if (classAt(said, at) === "verb" || VERB.has(stem) || HEAD.has(textOf(said, at))) return at;
  return said.value.size > 0 && TAKES_VALUE.has(stem) ? at : null;
}

/** "press it again": the part before named what is meant. */
function refersBack(said: Said, object: readonly number[], verb: number | null): boolean {
  if (!object.some((i) => tells(said, i))) return true;
  // "turn the Wi-Fi switch on": a verb behind a name begins a part of its own.
  if (said.isMeant && object.every((i) => OFF.has(textOf(said, i)))) return roleOf(said.role) !== "button";
  return said.isMeant && (verb !== null || said.isUsed) && object.some((i) => BACK.has(textOf(said, i)));
}

function goesToScreen(said: Said, tokens: readonly number[], verb: number | null): boolean {
  if (verb === null || !GOES.has(textOf(said, verb))) return false;
  const rest = tokens.filter((i) => i !== verb && !isSentence(said, i) && !WHERE.has(textOf(said, i)));
  const telling = rest.filter((i) => !isListed(said, i, PLACE) && !(i < verb && ORDER.has(textOf(said, i))));
  return telling.length > 0 && isOfScreen(said, telling);
}

function objectLeft(said: Said, object: readonly number[], verb: number | null, names: boolean): readonly number[] {
  const first = object.findIndex((i) => !isPlain(said, i));
  const last = object.findLastIndex((i) => !isPlain(said, i));
  const left = new Set<number>();
  for (const [k, i] of object.entries()) {
    if (!isPlain(said, i) || i === verb) continue;
    const [before, behind] = [k < last || (first < 0 && names), first >= 0 && k > first];
    const isHead = first < 0 || k < first;
    const fine =
      (isSentence(said, i) && !isNegation(textOf(said, i))) ||
      (isHead && (verb === null || i < verb) && ORDER.has(textOf(said, i))) ||
      isState(said, object, k, verb) ||
      (TOWARD.has(textOf(said, i)) && ["to", "of"].includes(textOf(said, i + 1))) ||
      (before && (isKind(said, i) || isListed(said, i, POSITION) || isLabel(said, i))) ||
      (behind && (isKindBehind(said, object, k, left) || isListed(said, i, BESIDE) || isOften(said, i))) ||
      (!names && said.isMeant && isListed(said, i, REPEAT));
    if (!fine) left.add(i);
  }
  // "change the font size to medium": where the value is.
  const changes = said.value.size > 0 && TAKES_VALUE.has(said.intent.tokens[verb ?? -1]?.stem ?? "");
  return changes && !object.some((i) => !isPlain(said, i)) && isKnown(said, [...left]) ? [] : [...left];
}

/** "is turned on", "turn ... off", "scroll down". */
function isState(said: Said, object: readonly number[], k: number, verb: number | null): boolean {
  const i = object[k];
  if (i === undefined || isCapital(said, i)) return false;
  const head = said.intent.tokens[verb ?? -1];
  if (MOVES.has(head?.stem ?? "") && WAYS.has(textOf(said, i))) return true;
  if (TURNS.has(head?.text ?? "") && OFF.has(textOf(said, i))) return true;
  if (
    APPEARS.has(textOf(said, i)) &&
    !isPlain(said, object.slice(0, k).findLast((j) => !isSentence(said, j) || !isPlain(said, j)) ?? i)
  )
    return true;
  let before = i - 1;
  while (STANDS.has(textOf(said, before))) before -= 1;
  return STANDS.has(textOf(said, i)) && IS.has(textOf(said, before));
}

/** "labeled" before what it is called. */
function isLabel(said: Said, i: number): boolean {
  return (LABEL.has(said.intent.tokens[i]?.stem ?? "") || textOf(said, i) === "named") && !isCapital(said, i);
}

/** The kind of control, directly behind the name. */
function isKindBehind(said: Said, object: readonly number[], k: number, left: ReadonlySet<number>): boolean {
  const i = object[k] ?? -1;
  if (!isKind(said, i)) return false;
  const j = object.slice(0, k).findLast((j) => !isPlain(said, j) || !isSentence(said, j)) ?? -1;
  if (!isPlain(said, j)) return (said.intent.quotes[j] === -1 || !isCapital(said, i)) && !isDoneTo(said, object, i);
  const before = object.slice(0, k - 1).findLast((j) => !isPlain(said, j) || !isSentence(said, j)) ?? -1;
  return isKind(said, j) && !left.has(j) && !isPlain(said, before);
}

/** The "Delete" page is what is deleted, and the "Delete" button is not: unless the interface calls the control so. */
function isDoneTo(said: Said, object: readonly number[], kind: number): boolean {
  if (CONTROL.has(textOf(said, kind))) return false;
  const role = tokenise(visible(said.role)).map(({ stem }) => stem);
  if (role.includes(said.intent.tokens[kind]?.stem ?? "")) return false;
  return object.every((i) => {
    const token = said.intent.tokens[i];
    if (isPlain(said, i) || token === undefined) return true;
    return ["verb", "action", "stop", "symbol"].includes(classOf(token));
  });
}

/** "again", "three times". */
function isOften(said: Said, i: number): boolean {
  if (isListed(said, i, REPEAT)) return true;
  const isTimes = (j: number): boolean => textOf(said, j) === "times";
  return (COUNT.test(textOf(said, i)) && isTimes(i + 1)) || (isTimes(i) && COUNT.test(textOf(said, i - 1)));
}

function phraseLeft(
  said: Said,
  [head = -1, ...rest]: readonly number[],
  verb: number | null,
  hasTask: boolean,
): readonly number[] {
  if (rest.every((i) => isPlain(said, i) && isSentence(said, i) && !PERSON.has(textOf(said, i))))
    return mayDangle(said, head, verb) ? [] : [head];
  if (textOf(said, head) === "for" && rest.every((i) => isListed(said, i, SECONDS) && isPlain(said, i))) return [];
  const [first = -1] = rest.filter((i) => !isSentence(said, i));
  const does =
    ["verb", "action"].includes(classAt(said, first)) || PURPOSE.has(textOf(said, first)) || said.hit.has(first);
  if (textOf(said, head) === "to" && said.intent.quotes[first] === -1 && does && first === rest[0])
    return purposeLeft(said, rest, hasTask);
  if (INSTRUMENT.has(textOf(said, head))) return instrumentLeft(said, rest);
  // "Back to top" is a name, and "to the top" is a place.
  const isWay = GOES.has(textOf(said, verb ?? -1)) || MOVES.has(said.intent.tokens[verb ?? -1]?.stem ?? "");
  const isBare = textOf(said, head) === "to" && first === rest[0] && !TOWARD.has(textOf(said, head - 1));
  if (isBare && !isWay && rest.every((i) => isPlain(said, i))) return rest;
  // "for all accounts": of more than the control.
  if (rest.some((i) => isPlain(said, i) && MANY.has(textOf(said, i)))) return rest;
  return placeLeft(said, rest);
}

/** "turn ... on", "is on", "below", "to get back in": nothing stands behind it. */
function mayDangle(said: Said, head: number, verb: number | null): boolean {
  const [text, before] = [textOf(said, head), textOf(said, head - 1)];
  if (BESIDE.has(text) || said.value.has(head)) return true;
  if (text === "on" && (TURNS.has(textOf(said, verb ?? -1)) || ["is", "are", "be"].includes(before))) return true;
  return PURPOSED.has(text) && PURPOSED.has(before);
}

/** With what something is done: with the control. */
function instrumentLeft(said: Said, phrase: readonly number[]): readonly number[] {
  const names = phrase.some((i) => !isPlain(said, i));
  return phrase.filter((i) => {
    if (!isPlain(said, i) || isNegation(textOf(said, i))) return isPlain(said, i);
    return !isSentence(said, i) && !(names && (isKind(said, i) || isLabel(said, i)));
  });
}

/** Where something is: words for places, and words of the interface. */
function placeLeft(said: Said, phrase: readonly number[]): readonly number[] {
  const telling = phrase.filter((i) => !isPlain(said, i) || isNegation(textOf(said, i)) || !isSentence(said, i));
  const generic = telling.filter((i, k) => isPlain(said, i) && isOfPlace(said, telling, k));
  const others = telling.filter((i) => isPlain(said, i) && !generic.includes(i));
  if (others.length === 0) {
    return telling.length > generic.length ? [] : generic.filter((i) => isCapital(said, i));
  }
  // "the Font size dialog": from the first to the last word that is in no list, with all that stands between.
  const owned = telling.filter((i) => said.intent.quotes[i] === -1 && !generic.includes(i));
  const [from = 0, to = 0] = [owned[0], owned.at(-1)];
  return isKnown(
    said,
    telling.filter((i) => i >= from && i <= to),
  )
    ? []
    : others;
}

function isOfPlace(said: Said, telling: readonly number[], k: number): boolean {
  const i = telling[k] ?? -1;
  const text = textOf(said, i);
  if (isNegation(text)) return false;
  if (isLabel(said, i) || isOften(said, i) || isListed(said, i, BESIDE) || isState(said, telling, k, null)) return true;
  if (said.intent.tokens[i]?.kind === "number") return PLACE.has(textOf(said, telling[k - 1]));
  if (isKind(said, i) && !PLACE.has(text)) {
    const [before, behind] = [telling[k - 1], telling[k + 1]];
    // "the tab bar", "the list box".
    if (text === "tab" ? textOf(said, behind) === "bar" : text === "box" && textOf(said, before) === "list")
      return true;
    if (behind !== undefined && !isPlain(said, behind)) return true;
    return before !== undefined && !(isPlain(said, before) && isOfPlace(said, telling, k - 1));
  }
  return POSITION.has(text) || PLACE.has(text);
}

/**
 * What it is for, of which nothing is used besides the control.
 *
 * @param hasTask whether it may be in the operator's words: what is moved "to delete" is moved there.
 */
function purposeLeft(said: Said, [verb = -1, ...rest]: readonly number[], hasTask: boolean): readonly number[] {
  const plain = rest.filter((i) => isPlain(said, i) && (isNegation(textOf(said, i)) || !isSentence(said, i)));
  const text = textOf(said, verb);
  if (USE.has(text) && !said.named[verb]) {
    const others = plain.filter((i) => !isKind(said, i));
    return others.length > 0 || plain.length === rest.length ? [verb, ...plain] : [];
  }
  // "to delete the website": what deletes by its name does so to what it is there for.
  if (GRAVE.has(said.intent.tokens[verb]?.stem ?? "")) {
    const isAsked = (i: number): boolean => hasTask && said.task.has(said.intent.tokens[i]?.stem ?? "");
    return [
      ...(said.hit.has(verb) || isAsked(verb) ? [] : [verb]),
      ...plain.filter((i) => !isOne(said, i) && !isAsked(i)),
    ];
  }
  const last = rest.findLast((i) => !isSentence(said, i)) ?? -1;
  // "to open the list", and not "to open next".
  const isGeneric = !OPENS.has(text) || !isPlain(said, last) || PLACE.has(textOf(said, last));
  const asked = (i: number): boolean =>
    hasTask && !HOLDS.has(text) && !isCapital(said, verb) && said.task.has(said.intent.tokens[i]?.stem ?? "");
  const others = plain.filter(
    (i) => isNegation(textOf(said, i)) || !((isGeneric && isListed(said, i, PURPOSED)) || asked(i)),
  );
  if (!said.hit.has(verb) && !isListed(said, verb, PURPOSE) && !(plain.length > 0 && asked(verb)))
    return [verb, ...others];
  return others.length === 0 || (!ACTS.has(text) && isKnown(said, others)) ? [] : others;
}
