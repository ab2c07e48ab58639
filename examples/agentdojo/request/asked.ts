/**
 * What the operator's own words order. Everything here reads the request alone: no word of a tool's result, of a record
 * or of the model can make a request ask for more. It is strict: an act counts only where a sentence orders it, and an
 * order that is asked about, denied, put off, reported or made conditional is none.
 */
import type { DecisionContext } from "signalbox";
import { isDeferred, isDoubtful, isRevoked, isStated, isStatement, plainly } from "./doubt.ts";
import { literal, tidy } from "./names.ts";
import { MARKS } from "./object.ts";
import { itemsOf, type Sentence } from "./sentences.ts";

/**
 * One order. An attacker's call may use whatever the request names, so what belongs to another act must not count for this
 * one: "cancel A and move B" does not order to cancel B.
 */
export type Order = {
  /** The verb as the request has it. */
  readonly verb: string;
  /** From the verb to where the next order begins, to its condition, or to the sentence's end. */
  readonly clause: string;
  /** What the sentence says before this order; what "it" and "there" may point back to. */
  readonly lead: string;
  /** The whole sentence. */
  readonly sentence: string;
  /** The sentence before, whatever it is; empty where there is none. */
  readonly before: string;
  /** Sentences beside it that state something and order nothing: the one before, and up to two after. */
  readonly beside: readonly string[];
  /** What it depends on, without the "if"; null where it depends on nothing. */
  readonly condition: string | null;
};

/** The request of this run. What was said earlier in the thread asked for what was done earlier. */
export function requestOf(context: DecisionContext): string {
  return tidy(context.requests.at(-1) ?? "");
}

/** The orders of the request by one of these verbs that depend on nothing. */
export function asked(context: DecisionContext, verbs: readonly string[]): readonly Order[] {
  return askedIf(context, verbs).filter(({ condition }) => condition === null);
}

/** The same, with those that depend on something: a rule that takes one has to see from its records that it is so. */
export function askedIf(context: DecisionContext, verbs: readonly string[]): readonly Order[] {
  return allOrders(requestOf(context)).flatMap((order) => {
    const form = new RegExp(`^(?:${longestFirst(verbs).map(literal).join("|")})(?![\\p{L}\\p{N}_'’-])`, "iu");
    const verb = form.exec(order.clause)?.[0];
    return verb === undefined ? [] : [{ ...order, verb }];
  });
}

/** The orders of the request that was read last: a run asks many times after the one request that it has. */
let last: { readonly request: string; readonly orders: readonly Omit<Order, "verb">[] } = { request: "", orders: [] };

function allOrders(request: string): readonly Omit<Order, "verb">[] {
  if (last.request !== request) last = { request, orders: readOrders(request) };
  return last.orders;
}

function readOrders(request: string): readonly Omit<Order, "verb">[] {
  const items = itemsOf(request);
  if (MARKS.test(request) || items.flat().some(({ masked }) => isRevoked(masked))) return [];
  return items.flatMap((sentences) => sentences.flatMap((_, i) => ordersOf(sentences, i)));
}

function longestFirst(verbs: readonly string[]): readonly string[] {
  return [...verbs].sort((a, b) => b.length - a.length);
}

/** All sentences of the request that neither refuse nor depend on anything; none where it takes something back. */
export function plainSentencesOf(context: DecisionContext): readonly string[] {
  const sentences = itemsOf(requestOf(context)).flat();
  return sentences.some(({ masked }) => isRevoked(masked)) ? [] : sentences.map(({ text }) => text);
}

/** Verbs of acts. A sentence with one of them, as an order or not, gives no value to another sentence's order. */
const ACTS = (
  "add announce answer append arrange ask ban block book cancel change congratulate create deactivate decrease delay delete " +
  "discard dm drop email erase expel extend forward generate give grant greet inform insert invite join kick lower mail message " +
  "modify move notify organise organize pay ping plan postpone post publish push put refund reimburse remind remove rent repay " +
  "reply reschedule reserve return schedule send share shift tell thank transfer trash update upload wire write"
).split(" ");

/** Verbs that begin an order: of acts, and of looking something up. */
const ORDERS =
  ACTS.join("|") +
  "|adjust|alter|bring|buy|call|check|choose|clear|collect|compare|compute|correct|count|decide|describe|determine|do|edit|" +
  "enter|explain|fetch|find|fix|follow|get|go|hire|identify|include|increase|let|list|look|make|mark|offboard|open|organise|perform|" +
  "pick|prepare|provide|raise|read|recommend|reduce|register|rename|replace|report|reset|respond|retrieve|review|save|say|search|" +
  "see|select|set|settle|show|start|state|suggest|summarise|summarize|take|text|throw|transcribe|translate|turn|use|view|visit|work";

const FILLER =
  "(?:and|then|also|now|next|first|second|third|finally|lastly|afterwards|additionally|furthermore|so|in addition|after that|okay|ok|thanks|great|well)";
const GREETING =
  "(?:(?:hi|hey|hello|good morning|good afternoon|good evening|dear assistant)(?: there| \\p{Lu}\\p{L}+)?[,!.:]? )";
const POLITE =
  "(?:please,? |kindly |just |also |then |now |again |(?:can|could|would|will) you (?:please |kindly |also |then |just |quickly |now )*|" +
  "(?:i|we)(?:['’]d| would)? (?:want|need|like) you to |(?:please )?help (?:me|us) (?:to )?|(?:make|be) sure to |" +
  "(?:do not|don['’]t|never) forget (?:also )?to |remember to |go ahead and |take care to )";
const VERB = `(?=(?:${ORDERS})(?![\\p{L}\\p{N}_'’-]))`;

const CONDITION = "(?:if (?<condition>[^,;.?!]+), (?:then )?)?";
const START = new RegExp(
  `^\\s*(?:\\d+[.)]\\s+|[-*•]\\s+)?${GREETING}?(?:${FILLER},? )*${CONDITION}${POLITE}*${VERB}`,
  "iu",
);
/** In the middle of a sentence that states something, only "please" and "could you" turn to the assistant. */
const TURN = new RegExp(
  `[,;:–—] (?:${FILLER},? )*${CONDITION}(?:please,? |(?:can|could|would|will) you )${POLITE}*${VERB}|(?<![\\p{L}\\p{N}])so please ${POLITE}*${VERB}`,
  "iu",
);
/** The next order of a list of orders. */
const NEXT = new RegExp(`(?:[,;]|(?<![\\p{L}\\p{N}])(?:and|then))(?: ${FILLER},?)* ${POLITE}*${VERB}`, "giu");
/** An "and" behind one of these may go on with what somebody else does. */
const REPORTED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:that|which|who|whom|whose|where|how|what|why|when|whether|because|says?|said|saying|asks|asked|asking|` +
    `tells|told|wants?|wanted|wrote|writes|claims?|claimed|wishes|orders|ordered|demands?|urges?|begs?|suggests|according|reads|` +
    `instructs?|recommends|requests?|threatens?|(?:not )?to (?:${ORDERS}))(?![\\p{L}\\p{N}])`,
  "iu",
);
/** "…, if I am free", "… or at 16:00 if I have something at 10:00": at the end of a sentence. */
const AT_THE_END =
  /,? (?:or (?:at )?\d{1,2}(?::\d{2})?(?: ?[ap]m)? )?(?<![\p{L}\p{N}])if (?<condition>[^,;]+?)[.!?\s]*$/iu;

function ordersOf(sentences: readonly Sentence[], i: number): readonly Omit<Order, "verb">[] {
  const { text, masked } = sentences[i] ?? { text: "", masked: "" };
  const first = START.exec(masked) ?? turnIn(masked);
  if (first === null) return [];
  const opening = first.index + first[0].length;
  // A question orders nothing but where it asks the assistant to do something.
  if (/\?\W*$/.test(masked) && !/(?:can|could|would|will) you /i.test(masked.slice(0, opening))) return [];
  const end = first.groups?.condition === undefined ? AT_THE_END.exec(masked) : null;
  const condition = end === null ? (first.groups?.condition ?? null) : text.slice(end.index).trim();
  const until = end === null ? masked.length : end.index;
  const own = masked.slice(opening, until);
  const opened = stating(masked.slice(0, opening), first.groups?.condition);
  if (isDoubtful(own) || isDoubtful(opened) || isDeferred(opened) || isStatement(own)) return [];
  const starts = startsOf(masked.slice(0, until), opening);
  return starts.map((at, n) => ({
    clause: text.slice(at, starts[n + 1] ?? until).replace(/(?:[,;]|\s(?:and|then|also|please))*[\s,;]*$/i, ""),
    lead: text.slice(first.index === 0 ? opening : 0, at),
    sentence: text,
    before: sentences[i - 1]?.text ?? "",
    beside: besides(sentences, i),
    condition,
  }));
}

/** What a sentence says before its order, without the words that turn to the assistant and the condition that is kept apart. */
function stating(opening: string, condition: string | undefined): string {
  const without =
    condition === undefined ? opening : opening.replace(`if ${condition}`, " ").replace(`If ${condition}`, " ");
  return without.replace(new RegExp(`after that|${POLITE}`, "giu"), " ");
}

function turnIn(masked: string): RegExpExecArray | null {
  const turn = TURN.exec(masked);
  return turn === null || REPORTED.test(masked.slice(0, turn.index)) ? null : turn;
}

const TOLD = /^(?:describe|explain|list|state|show|translate|transcribe|tell me|suggest|recommend)(?![\p{L}])/iu;

function startsOf(masked: string, first: number): readonly number[] {
  const starts = [first];
  // "Describe the steps, open it, delete it": what is described there is a list of steps.
  const isTold = TOLD.test(masked.slice(first));
  NEXT.lastIndex = first + 1;
  for (let next = NEXT.exec(masked); next !== null; next = NEXT.exec(masked)) {
    if (isTold && !/(?:and|then)/i.test(next[0])) break;
    if (REPORTED.test(plainly(masked).slice(first, next.index))) break;
    starts.push(next.index + next[0].length);
  }
  return starts;
}

/** The neighbours that state something: without an order, a verb of an act, a question or a doubt. */
function besides(sentences: readonly Sentence[], i: number): readonly string[] {
  const isQuiet = ({ masked }: Sentence): boolean =>
    !ACT.test(masked.replace(THING, "")) && !/\?\W*$/.test(masked) && isStated(masked);
  const after = sentences.slice(i + 1, i + 3);
  const loud = after.findIndex((sentence) => !isQuiet(sentence));
  const before = sentences.slice(Math.max(0, i - 1), i).filter(isQuiet);
  return [...before, ...(loud === -1 ? after : after.slice(0, loud))].map(({ text }) => text);
}

const ACT = new RegExp(`(?<![\\p{L}\\p{N}_'’@./-])(?:${ACTS.join("|")})(?![\\p{L}\\p{N}_'’@/-]|\\.\\w)`, "iu");
/** A noun like a verb: "her email", "the rent". */
const THING = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:an?|the|my|your|his|her|their|our|its|this|these|those|[\\p{L}\\p{N}_-]+['’]s|and|new) (?:${ACTS.join("|")})(?![\\p{L}\\p{N}])(?= (?:is|are|costs|address|of|account)\\b)`,
  "giu",
);
