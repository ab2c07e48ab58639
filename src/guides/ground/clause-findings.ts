/** Whether everything that a step of a guide says to do is done with its one control. */
import { unaccounted } from "./accounted.ts";
import { isLiteral, type NameHits, unsaidEffect } from "./exactly-named.ts";
import { type GroundFinding, groundFinding, listed, quoted } from "./findings.ts";
import { freeTokens, keyTokens, usingTokens } from "./free-clauses.ts";
import type { GroundIndex } from "./ground-index.ts";
import type { Intent } from "./intent.ts";
import { judge } from "./judge.ts";
import { isNegation } from "./known-words.ts";
import { classOf, stemsOf } from "./lexicon.ts";
import { hitsOf, wantedBy } from "./match.ts";
import { type Name, namesOf } from "./names-of.ts";
import { readIntent } from "./read-intent.ts";
import { roleOf } from "./role-of.ts";
import { isLinking, type Segment, segmentsOf, verbOf, WRITES } from "./segments.ts";
import { VALUE_STATES } from "./step-words.ts";
import { fold, tokenise, visible } from "./tokenise.ts";
import { typedBehind, valueIn } from "./values.ts";
import { PLACES, POINTING, QUOTED_KINDS } from "./words.ts";

/** Say when and how often, and name nothing. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    ...["again", "once", "twice", "time", "times", "please", "finally", "next", "wait", "afterwards", "only", "also"],
    ...["just", "after", "before", "if", "needed", "necessary", "simply", "directly", ...POINTING],
  ].map(fold),
);
const IN: ReadonlySet<string> = new Set(["in", "on", "at", "from", "within", "inside", "under", "of"]);
const PLACE: ReadonlySet<string> = new Set(PLACES);
const KINDS: ReadonlySet<string> = stemsOf(QUOTED_KINDS);
const STATES: ReadonlySet<string> = new Set(VALUE_STATES);
/** What nobody types into, and what is set to nothing. */
const PRESSED: ReadonlySet<string> = new Set(["button", "link", "tab", "image"]);
const GOING: ReadonlySet<string> = new Set(["go", "navigate", "open", "visit", "get", "move"]);

type Step = {
  readonly text: string;
  readonly id: string;
  readonly screen: string | null;
  readonly where: string;
  /** What the operator asked for. */
  readonly task: string;
};
/** A part of a step, without the clauses of it in which no control is used. */
type Part = Segment & {
  readonly isUsed: boolean;
  readonly value: ReadonlySet<number>;
  /** Whether "it" is the control: the part before named that. */
  readonly isMeant: boolean;
};
type Read = Step & {
  readonly index: GroundIndex;
  readonly intent: Intent;
  readonly names: readonly Name[];
  readonly role: string;
};

/**
 * Of a step whose control is known. Each part that says something to do has to mean that control: `two_controls` where it means
 * another, `unbound_clause` where it means none, and where a quotation is in no name.
 */
export function clauseFindings(index: GroundIndex, step: Step): readonly GroundFinding[] {
  const control = index.byId.get(step.id);
  if (control === undefined) return [];
  const names = namesOf(control);
  const read: Read = { ...step, index, names, role: control.role, intent: readIntent(step.text) };
  const free = freeTokens(read.intent);
  const hits = hitsByName(read);
  const hit = hitTokens(hits);
  const parts = partsIn(read, hit, free);
  const counts = parts.map(({ tokens }) => tokens.filter((i) => hit.has(i)).length);
  const primary = counts.indexOf(Math.max(...counts));
  const others = new Set<string>();
  const unbound: string[] = [];
  parts.forEach((part, i) => {
    const found = ofQuotations(read, part, hit) ?? (parts.length > 1 ? ofWords(read, part, i === primary) : null);
    if (found === null) return;
    if (found.length > 0) for (const id of found) others.add(id);
    else unbound.push(meansNothing(read, part.tokens));
  });
  const odd = parts.find((part) => !takes(read, part));
  if (odd !== undefined) unbound.push(meansNothing(read, odd.tokens));
  const unsaid = unsaidEffect(hits, roleOf(read.role) === "check");
  if (unsaid !== null) unbound.push(`the control is called ${quoted(unsaid)}, and the step does not say that`);
  const rest = others.size + unbound.length > 0 ? [] : restOf(read, parts, hit);
  if (rest.length > 0) {
    const ids = keepsFrom(read, rest) ? [] : judged(read, rest).filter((id) => id !== step.id);
    if (ids.length === 0) unbound.push(meansNothing(read, rest));
    for (const id of ids) others.add(id);
  }
  const findings = unbound.slice(0, 1).map((message) => groundFinding("unbound_clause", step.where, message));
  if (others.size === 0) return findings;
  const ids = [...new Set([step.id, ...others])].sort();
  return [
    groundFinding("two_controls", step.where, `is several steps in one, of the controls ${listed(ids)}`, ids),
    ...findings,
  ];
}

/** Whether the control can have the value that a part gives it. */
function takes({ intent, role }: Read, { tokens, value }: Part): boolean {
  if (value.size === 0 || tokens.some((i) => SEEKS.has(intent.tokens[i]?.stem ?? ""))) return true;
  const kind = roleOf(role);
  if (kind !== "check") return !PRESSED.has(kind);
  return [...value].every((i) => STATES.has(intent.tokens[i]?.text ?? "") || intent.tokens[i]?.kind === "symbol");
}
const SEEKS: ReadonlySet<string> = new Set(["search", "filter"]);

function meansNothing(read: Read, tokens: readonly number[]): string {
  const words = quoted(shownOf(read, tokens));
  return keepsFrom(read, tokens)
    ? `${words} keeps from something, and a step says what is done`
    : `no control is meant by ${words}`;
}

function keepsFrom({ intent }: Read, tokens: readonly number[]): boolean {
  return tokens.some((i) => intent.quotes[i] === -1 && isNegation(intent.tokens[i]?.text ?? ""));
}

/** The parts of a step that use a control. */
function partsIn(read: Read, hit: ReadonlySet<number>, free: ReadonlySet<number>): readonly Part[] {
  const { intent } = read;
  const isField = roleOf(read.role) === "field";
  const [using, keys] = [usingTokens(intent, isField), keyTokens(intent)];
  let [meant, wrote, left] = [-1, false, false];
  return segmentsOf(intent, inNames(read)).flatMap((segment) => {
    const own = segment.tokens.filter((i) => !free.has(i));
    // "it" is the control only where nothing else was spoken of in between.
    const isMeant = meant >= 0 && !left && !intent.tokens.some((_, i) => i > meant && i < (own[0] ?? 0) && free.has(i));
    const pressed = isMeant && wrote ? keys : NONE;
    const tokens = own.filter((i) => !using.has(i) && !pressed.has(i));
    if (tokens.every((i) => intent.tokens[i]?.kind === "symbol") && !own.some((i) => pressed.has(i))) return [];
    const told = valueIn(intent, { tokens });
    const value = told.size === 0 && isMeant && isField ? typedBehind(intent, { tokens }) : told;
    if (own.some((i) => hit.has(i) || value.has(i) || pressed.has(i))) meant = own.at(-1) ?? meant;
    // Behind the tabulator another control has the keyboard.
    left ||= own.some((i) => pressed.has(i) && intent.tokens[i]?.text === "tab");
    wrote = own.some((i) => pressed.has(i)) || (isField && value.size > 0 && writes(intent, tokens));
    return [{ tokens, isUsed: tokens.length < own.length, value, isMeant }];
  });
}
const NONE: ReadonlySet<number> = new Set();

function writes({ tokens }: Intent, part: readonly number[]): boolean {
  return part.some((i) => WRITES.has(tokens[i]?.stem ?? "") || tokens[i]?.text === "search");
}

/** The first words that stand together and that nothing accounts for. */
function restOf(read: Read, parts: readonly Part[], hit: ReadonlySet<number>): readonly number[] {
  const { index, intent, role } = read;
  const named = inNames(read);
  const task = wordsOf(read.task);
  for (const [k, { tokens, ...part }] of parts.entries()) {
    const said = { index, intent, role, task, hit, named, ...part, isLast: k === parts.length - 1 };
    const left = unaccounted(said, tokens);
    if (left.length > 0) return together(intent, left);
  }
  return [];
}

/** The stems of what a task says, without what only hangs it together; none where it also says what is not to be done. */
function wordsOf(task: string): ReadonlySet<string> {
  const tokens = tokenise(visible(task));
  if (tokens.some(({ text }) => isNegation(text))) return new Set();
  return new Set(tokens.flatMap((token) => (isLinking(token) ? [] : [token.stem])));
}

function together({ tokens }: Intent, left: readonly number[]): readonly number[] {
  const end = left.findIndex((i, k) => {
    const next = left[k + 1];
    return next === undefined || tokens.slice(i + 1, next).some((token) => !isLinking(token));
  });
  return left.slice(0, end + 1);
}

function shownOf({ intent }: Read, tokens: readonly number[]): string {
  const [first, last] = [intent.tokens[tokens[0] ?? -1], intent.tokens[tokens.at(-1) ?? -1]];
  // With the marks around a quotation, so that it is read as one again.
  const from = (first?.from ?? 0) - (intent.quotes[tokens[0] ?? -1] === -1 ? 0 : 1);
  const to = (last?.to ?? 0) + (intent.quotes[tokens.at(-1) ?? -1] === -1 ? 0 : 1);
  return intent.shown.slice(Math.max(0, from), to);
}

/** By token: whether it stands in a name of the control that is said letter by letter. */
function inNames({ intent, names }: Read): readonly boolean[] {
  const spans = names.flatMap(({ literal, symbols, field }) => {
    const found: [number, number][] = [];
    if (symbols || field === "resource_id") return found;
    for (let at = intent.literal.indexOf(literal); at !== -1; at = intent.literal.indexOf(literal, at + literal.length))
      found.push([at, at + literal.length]);
    return found;
  });
  return intent.tokens.map(({ from, to }) => spans.some(([start, end]) => from >= start && to <= end));
}

function hitsByName({ index, intent, names }: Read): NameHits {
  const wanted = wantedBy(index, intent);
  return new Map(names.map((name) => [name, hitsOf(index, intent, wanted, name)]));
}

/** By the names that people see; by the program's own id only where none of these is said. */
function hitTokens(hits: NameHits): ReadonlySet<number> {
  const hitsIn = (own: boolean): ReadonlySet<number> => {
    const some = [...hits].filter(([{ field }]) => (field === "resource_id") === own);
    return new Set(some.flatMap(([, found]) => found.map(({ said }) => said)));
  };
  const seen = hitsIn(false);
  return seen.size > 0 ? seen : hitsIn(true);
}

/** The other controls that a part means, none of them where it means nothing, and null where nothing is to be said of it. */
type Other = readonly string[] | null;

function ofQuotations(read: Read, segment: Part, hit: ReadonlySet<number>): Other {
  const { intent, index } = read;
  const found: string[] = [];
  for (const quote of new Set(segment.tokens.map((i) => intent.quotes[i] ?? -1))) {
    const tokens = quote === -1 ? [] : segment.tokens.filter((i) => intent.quotes[i] === quote);
    const telling = tokens.filter((i) => intent.tokens[i]?.kind !== "symbol");
    const isNamed = telling.length > 0 && telling.every((i) => hit.has(i));
    const isTyped = tokens.every((i) => segment.value.has(i));
    if (tokens.length === 0 || (isNamed && (isLiteral(read.names, intent, tokens) || isTyped))) continue;
    if (isNamed) return [];
    if (telling.length === 0 || (tokens.some((i) => hit.has(i)) && judged(read, tokens).includes(read.id))) continue;
    if (isTyped && !isKind(read, tokens.at(-1) ?? -1)) continue;
    const ids = judged(read, tokens);
    const isPlace = isScreen(read, telling) || ids.length > 0;
    if (isPlace && (standsIn(read, segment, tokens[0] ?? 0) || tokens.every((i) => intent.asides[i] !== null)))
      continue;
    if (isScreen(read, telling) && GOING.has(intent.tokens[verbOf(intent, segment) ?? -1]?.text ?? "")) continue;
    if (ids.length === 0) return [];
    found.push(...ids.filter((id) => index.byId.has(id)));
  }
  return found.length > 0 ? found : null;
}

/** Another control that the words of a part mean. Whether they mean anything is seen word by word. */
function ofWords(read: Read, part: Part, isPrimary: boolean): Other {
  const { intent, id } = read;
  const typed = part.value;
  const verb = verbOf(intent, part);
  const telling = part.tokens.filter((i) => tells(read, i) && i !== verb && !typed.has(i));
  if (isPrimary || telling.length === 0 || isWhere(read, part, verb)) return null;
  const ids = judged(read, part.tokens);
  return ids.length === 0 || ids.includes(id) ? null : ids;
}

function tells(read: Read, i: number): boolean {
  const { tokens, asides, quotes } = read.intent;
  const token = tokens[i];
  if (token === undefined || token.kind === "symbol" || token.kind === "number" || asides[i] !== null) return false;
  if (quotes[i] !== -1) return false;
  return ["content", "action"].includes(classOf(token)) && !FILLERS.has(token.text);
}

/** The controls that some words mean by themselves: one, several as well as each other, or none. */
function judged(read: Read, tokens: readonly number[]): readonly string[] {
  const { bound, close } = judge(read.index, shownOf(read, tokens), { screen: read.screen });
  return bound === null ? close.flatMap(({ ids }) => ids) : bound.ids;
}

function isKind({ intent }: Read, last: number): boolean {
  const behind = intent.tokens.slice(last + 1).find(({ kind }) => kind !== "symbol");
  return behind !== undefined && KINDS.has(behind.stem);
}

/** Whether the words are those of the step's screen, else of any. */
function isScreen({ index, intent, screen }: Read, telling: readonly number[]): boolean {
  const screens = index.map.screens.filter(({ id }) => screen === null || id === screen);
  return screens.some(({ id, title }) => {
    const stems = new Set(tokenise(visible(`${title} ${id}`)).map(({ stem }) => stem));
    return telling.every((i) => stems.has(intent.tokens[i]?.stem ?? "") || PLACE.has(intent.tokens[i]?.text ?? ""));
  });
}

/** "Medium in ...": something was named before, so that this says where it is. */
function standsIn({ intent }: Read, { tokens }: Segment, quote: number): boolean {
  const before = tokens.filter((i) => i < quote && intent.tokens[i]?.kind !== "symbol");
  const at = before.findLastIndex((i) => intent.quotes[i] === -1 && IN.has(intent.tokens[i]?.text ?? ""));
  if (at < 0 || before.length - at > 2) return false;
  const named = before
    .slice(0, at)
    .filter((i) => intent.tokens[i] !== undefined && classOf(intent.tokens[i]) !== "stop");
  return at === 0 || named.length > 1;
}

/** "on the Account page", or what it is done for. */
function isWhere(read: Read, { tokens }: Segment, verb: number | null): boolean {
  const words = tokens.flatMap((i) =>
    read.intent.tokens[i]?.kind === "symbol" ? [] : [read.intent.tokens[i]?.text ?? ""],
  );
  const [first = "", second = ""] = words;
  if (first === "to") return verb !== null || second !== "";
  return IN.has(first) && verb === null && PLACE.has(words.at(-1) ?? "");
}
