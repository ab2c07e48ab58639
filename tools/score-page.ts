/** Writes docs/score-1.md from the code's tables. `node tools/score-page.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import { GROUND_RULES } from "../src/guides/ground/findings.ts";
import { FREE_CLAUSES, FREE_SLOTS } from "../src/guides/ground/free-clauses.ts";
import { ASKED, MEANT, ROLE_WORDS } from "../src/guides/ground/role-of.ts";
import { SCORE_1 } from "../src/guides/ground/score-1.ts";
import * as step from "../src/guides/ground/step-words.ts";
import { VALUE_LIMITS } from "../src/guides/ground/step-words.ts";
import * as words from "../src/guides/ground/words.ts";

/** Every number, in the order of the table. */
const MEANINGS: Readonly<Record<Exclude<keyof typeof SCORE_1, "version">, string>> = {
  content: "weight of a word of none of the other classes",
  action: "weight of an action word",
  verb: "weight of a word of use",
  noun: "weight of a word for a kind of control or place",
  stop: "weight of a word that hangs others together",
  symbol: "weight of a symbol that is no punctuation; punctuation weighs 0",
  unsaid: "what is left of the weight of a light word in a description that the name has not; in a naming nothing is",
  unsaidQuote: "what is left of the weight of a quotation that the name has not",
  inflected: "strength of the same stem in another form",
  typo: "strength of a stem that is a typo away",
  synonym: "strength of a synonym",
  typoLettersMin: "letters from which another letter is a typo",
  missLettersMin: "letters from which a letter more or less is a typo",
  swapLettersMin: "letters from which two neighbours that are swapped are a typo",
  verbLettersMin: "letters from which a word of VERBS or ACTIONS less one letter is a typo",
  typoLettersMax: "letters up to which typos are looked for",
  betaNaming: "beta of the F-measure in a naming",
  betaDescribing: "beta of the F-measure in a description: the name counts more than the words",
  coveredMin: "the least that the greater of the two shares covers, or it is half said",
  namingShareMin: "the least share of the words in a naming, or it is half said",
  lightShareMin: "the least share of the words for a name of light words only, or it is half said",
  quoteShareMin: "the least share of a quotation, or it is not matched at all",
  halfSaid: "factor of what is half said: it is near, and is never bound",
  value: "factor of a reading of the value that something is changed to",
  part: "factor of a reading of what stands behind one preposition of a description",
  childText: "factor of a name from a text inside the control",
  resourceId: "factor of a name from the program's own id",
  notClickable: "factor of a control that the interface does not say can be clicked",
  notClickableText: "the same, of one that is a text",
  text: "factor of a text or an image that can be clicked",
  otherRole: "factor of a control of another kind than the words speak of",
  missedAction: "factor of a name without the action word that begins the clause",
  missedEffect:
    "factor of a name without the word of OWN_EFFECTS that begins the clause: it is near, and is never bound",
  unsaidEffect: "factor of a control that does what was not said, and is never bound",
  opposite: "factor of a name with a word whose opposite was said instead",
  otherNumber: "factor of a name with a number that was not said, where another was said",
  missedOrdinal: "factor in a naming of a name without the ordinal that was said",
  bind: "the score from which a control is bound",
  lead: "how far the score of every other control must be behind",
  near: "the score from which a control is a near miss: the words are to be mended, not the map",
  nearest: "how many near misses are named",
  places: "decimals to which scores are rounded before they are compared",
  verbPlacesMax: "tokens of a clause within which its verb begins",
  designationPlacesMax: "tokens before a quotation within which a word makes it a designation",
  placeWordsMax: "words behind a word of WHERE within which a place is",
  intentTokensMax: "tokens of an intent that are read; a longer one is `overlong`",
  nameTokensMax: "tokens of a name that are read",
};

const LISTS: readonly (readonly [string, string, readonly (string | readonly string[])[]])[] = [
  ["STOP", "hang words together (class stop)", words.STOP],
  ["VERBS", "what one does with any control (class verb)", words.VERBS],
  ["ACTIONS", "what one does with a thing (class action)", words.ACTIONS],
  ["EFFECTS", "leave something other than it was", words.EFFECTS],
  ["OWN_EFFECTS", "those that no control does which is called by the thing alone", words.OWN_EFFECTS],
  ["EMPTYING", "those of OWN_EFFECTS that one does with a field, which is called by what stands in it", words.EMPTYING],
  ["LOOKING", "leave a thing as it was", words.LOOKING],
  ["NOUNS", "kinds of controls and places (class noun)", words.NOUNS],
  ["PHRASES", "two words that are one (class content)", words.PHRASES],
  ["VERB_PHRASES", "the same (class verb)", words.VERB_PHRASES],
  ["NOUN_PHRASES", "the same (class noun)", words.NOUN_PHRASES],
  ["SYNONYMS", "groups of synonyms", words.SYNONYMS],
  ["OPPOSITES", "pairs of opposites", words.OPPOSITES],
  ["STATES", "how a switch stands", words.STATES],
  ["NAMING", "behind these a name is said", words.NAMING],
  ["CHANGING", "behind these `to` begins a value", words.CHANGING],
  ["WRITING", "behind these stands what is typed, and then into what", words.WRITING],
  ["TYPING", "with these at its head a clause speaks of a field", words.TYPING],
  ["LANDMARKS", "behind these another control is said", words.LANDMARKS],
  ["WHERE", "before a place", words.WHERE],
  ["PLACES", "places", words.PLACES],
  ["POINTING", "point, and name nothing", words.POINTING],
  ["ORDINALS", "ordinals", words.ORDINALS],
  ["NO_PURPOSE", "before a `to` that begins no purpose", words.NO_PURPOSE],
  ["COURTESIES", "ask for what follows, at the beginning of a clause", words.COURTESIES],
  ["REQUESTS", "the same", words.REQUESTS],
  ["MODALS", "the same, with one of PERSONS beside it", words.MODALS],
  ["PERSONS", "who asks, and whom", words.PERSONS],
  ["OWN", "with PERSONS, what begins what somebody tells", words.OWN],
  ["ASKING", "before a `to` with what is asked for behind it", words.ASKING],
  ["ORDER", "which of several things to do", words.ORDER],
  ["AIR", "with ORDER and POINTING, say nothing alone before something else to do", words.AIR],
  ["FRONTED", "with WHERE, begin what is said of when, where and why before something else to do", words.FRONTED],
  ["REASONS", "before a reason", words.REASONS],
  ["REASONS_OF", "the same, with one of PERSONS or OWN behind it", words.REASONS_OF],
  ["LABELS", "before a quotation that is a name", words.LABELS],
  ["QUOTED_KINDS", "behind a quotation that is a name", words.QUOTED_KINDS],
  ["TURNING", "with these in a clause, on and off say nothing by themselves", words.TURNING],
  ["LINKS", "behind these a verb is one, although it does not begin its clause", words.LINKS],
  ["WHOLE", "are their own stems", words.WHOLE],
];

const STEP_LISTS: readonly (readonly [keyof typeof step, string, readonly string[]])[] = [
  ["NEGATIONS", "keep from doing something", step.NEGATIONS],
  ["ORDERING", "when and how, before the verb", step.ORDERING],
  ["REPEATING", "how often, behind the name", step.REPEATING],
  ["USING", "ways of using a control, in more than a word", step.USING],
  ["CLEARING", "the same of a field: taking out what stands there", step.CLEARING],
  ["KEY_PRESSES", "press a key in the field that was just typed into", step.KEY_PRESSES],
  ["KEYS", "the keys", step.KEYS],
  ["HEADS", "further verbs that may begin a part", step.HEADS],
  ["STANDING", "how something stands", step.STANDING],
  ["DIRECTIONS", "which way", step.DIRECTIONS],
  ["PREPOSITIONS", "begin what says where, from where or what for", step.PREPOSITIONS],
  ["INSTRUMENTS", "begin what says with what", step.INSTRUMENTS],
  ["POSITIONS", "where on a screen", step.POSITIONS],
  ["TOWARDS", "with `to` or `of`, the same", step.TOWARDS],
  ["BESIDE", "the same, behind the name", step.BESIDE],
  ["PERSONS", "may stand behind a preposition by themselves", step.PERSONS],
  ["PLACE_WORDS", "kinds of places, and of what is shown", step.PLACE_WORDS],
  ["KINDS", "kinds of controls, which are no places by themselves", step.KINDS],
  ["KIND_WORDS", "other words for what has a name and is pressed", step.KIND_WORDS],
  ["CONTROL_KINDS", "kinds of controls, behind a name that is a verb", step.CONTROL_KINDS],
  ["MANY", "of more than the control", step.MANY],
  ["GRAVE", "of something else, where they are neither of the name nor of the task", step.GRAVE],
  ["FIELD_WORDS", "into which one may type, besides the name", step.FIELD_WORDS],
  ["HOW_LONG", "behind `for`", step.HOW_LONG],
  ["GOING", "go to a screen, by its name", step.GOING],
  ["PURPOSES", "what a step may be for", step.PURPOSES],
  ["ACTING", "purposes that do something to what is the control's own or in the task", step.ACTING],
  ["HELD", "purposes that take no word from the task", step.HELD],
  ["OPENING", "purposes that need a thing", step.OPENING],
  ["USES", "purposes that need the control", step.USES],
  ["PURPOSE_WORDS", "what a purpose may speak of", step.PURPOSE_WORDS],
  ["VALUE_ENDS", "end a value", step.VALUE_ENDS],
  ["VALUE_VERBS", "begin no value without quotation marks", step.VALUE_VERBS],
  ["TYPED", "end what is entered without quotation marks in the field that was named before", step.TYPED],
  ["VALUE_STATES", "are a whole value", step.VALUE_STATES],
];

export function scorePage(): string {
  const numbers = Object.entries(MEANINGS).map(
    ([name, meaning]) => `| \`${name}\` | ${SCORE_1[name as keyof typeof MEANINGS]} | ${meaning} |`,
  );
  const rules = Object.entries(GROUND_RULES).map(
    ([rule, { severity, when }]) => `| \`${rule}\` | ${severity} | ${when} |`,
  );
  const lists = LISTS.map(([name, meaning, list]) => `**${name}**: ${meaning}.\n${listed(list)}`);
  const stepLists = STEP_LISTS.map(([name, meaning, list]) => `**${name}**: ${meaning}.\n${listed(list)}`);
  const slots = Object.entries(FREE_SLOTS).map(([name, forms]) => `**${name}**:\n${listed(forms)}`);
  return `${PROSE.trim()}

## Findings

| rule | severity | when |
| --- | --- | --- |
${rules.join("\n")}

A guide passes the gate if and only if it has no finding of severity error. Neither the severities nor a threshold can be set.

## The numbers

| name | value | what it is |
| --- | --- | --- |
${numbers.join("\n")}

## The lists

${lists.join("\n\n")}

## The lists of what a step may say

${stepLists.join("\n\n")}

**FREE_CLAUSES**, in which \`x?\` is with or without, \`x*\` any number of times or never, \`x|y\` either, \`x_y\` both words, and a word in
capitals any form of its list:

${FREE_CLAUSES.map((form) => `- \`${form}\``).join("\n")}

${slots.join("\n\n")}

## Kinds of controls

The kind of a control is the first in this table of which its role in the interface has a word; one without is \`other\`.

| kind | words |
| --- | --- |
${ROLE_WORDS.map(([role, known]) => `| ${role} | ${[...known].join(", ")} |`).join("\n")}

What the words of an intent (by stem) speak of, and the kinds that it may be:

| words | kinds |
| --- | --- |
${Object.entries(MEANT)
  .map(
    ([asked, roles]) =>
      `| ${[...ASKED]
        .filter(([, to]) => to === asked)
        .map(([stem]) => stem)
        .join(", ")} | ${[...roles].join(", ")} |`,
  )
  .join("\n")}
`;
}

/** In pairs and groups with slashes, the others with commas; broken at the width of the page. */
function listed(list: readonly (string | readonly string[])[]): string {
  const entries = list.map((entry) => (typeof entry === "string" ? entry : entry.join(" / ")));
  const lines: string[] = [];
  for (const entry of entries.map((entry, i) => (i < entries.length - 1 ? `${entry},` : entry))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + entry.length <= WIDTH) lines[lines.length - 1] = `${last} ${entry}`;
    else lines.push(entry);
  }
  return lines.join("\n");
}
const WIDTH = 124;

/** Precision, recall, and negatives left unbound, on the core pairs; test/ground-pairs.test.ts compares them with what is so. */
export const ON_PAIRS = {
  all: [0.974, 0.833, 0.983],
  numbers: [0.942, 0.793, 0.971],
  lists: [0.978, 0.789, 0.989],
} as const;

function shown(rates: readonly number[]): string {
  return rates.map((rate) => rate.toFixed(3).slice(1)).join(" | ");
}

const PROSE = `
# score/1: which control the words of a step mean

Generated from \`src/guides/ground/\` by \`npm run docs\`. Do not edit; the prose is in \`tools/score-page.ts\`.

Grounding binds the intent of a step ("Change the font size to medium") to a control of a harvested interface, or to none. It is
a deterministic score. This page is its contract: every rule, number and word of it. A change of any of them is another version,
and a score means something only beside scores of the same version in the same map, whose SHA-256 it carries.

What is bound exists. Whether doing it does what the guide wants is not known from this: that is measured by trials.

Laws, tested in \`test/laws/ground.test.ts\`: the order of the controls in the map changes nothing; the same text gives the same
result, composed or decomposed, with or without hidden characters; no text is a pattern; no text throws; the work is in
proportion to the intents and to the controls.

## Texts

1. A text is composed (NFKC). Hidden characters, controls, private use (the glyphs of icon fonts) and lone surrogates are taken
   out; white space becomes single spaces; typographic apostrophes become \`'\`.
2. It is cut into words (letters and marks), numbers (digits), and single symbols. A word is cut at its humps: \`addToCart\`,
   \`HTTPServer\`, but not \`GIFs\`. Scripts that leave no space between words (Han, Kana, Thai, Lao, Khmer, Myanmar) are cut into
   overlapping pairs of characters; a single character stays one.
3. Case is folded (upper, then lower, in no locale). \`Bob's\` is \`bob\`; \`don't\` is one word.
4. The stem of a word of basic Latin letters is the word without plural (-ies, -es, -s), then without -ing or -ed where at least
   four letters with a vowel are left (and one of two equal ones off the end), then without a last -e of more than four letters.
   Words of WHOLE and all others are their own stems.
5. A word of an intent that neither a name of the map nor a list has is taken for the one word of the lists that is a typo away, if
   no other is and no other word of a name: "buton" is button. So is a word of VERBS or ACTIONS less one letter but the first, from
   \`verbLettersMin\` letters on.
6. Two words of PHRASES (VERB_PHRASES, NOUN_PHRASES) that follow each other, a hyphen between them or none, are one token.

## Names

The names of a control are its text, its description, each text inside of it, these together, and the last part of its
resource id. What it holds (its value) is no name. In a name with any letter or digit punctuation is left out. A name is *light*
if it has only words of the classes verb, noun and stop, numbers and symbols; a name of nothing but symbols is compared by them alone.
At most \`nameTokensMax\` tokens of a name are read.

## Intents

**Quotations** are between \`" "\`, \`' '\`, backticks, typographic marks or the brackets of Chinese and Japanese; a mark within a word is an apostrophe. Words in
quotation marks weigh \`content\`. A quotation of which less than \`quoteShareMin\` is in a name is not matched by it at all. It
is a *designation* if a word of NAMING or LABELS stands before it, or one of QUOTED_KINDS behind it (the "Delete" button): then
only names that have it come into question, and no other clause does.

**Clauses** end at commas, semicolons, colons and full stops (but not within a number or a name), before \`and\` or \`then\` with a
verb behind it, before \`to\` with a verb behind it (a *purpose*, but for behind words of NO_PURPOSE), and before \`by\` with a
word in -ing (*means*). A word of VERBS that does not begin its clause and does not follow a word of LINKS is part of a name
and weighs \`content\`; so does a word of NOUNS before another ("the menu icon"). In a clause with a word of TURNING, on and off have the class stop.

**Beside** what is to be done an intent may say how it is asked for, where, when and why. Such clauses mean nothing:

- At the beginning of a clause, words of COURTESIES and REQUESTS, one of MODALS with one of PERSONS ("could you please"), and one of
  ORDER before a word of NAMING ("first click"); and what somebody tells up to "you should".
- What stands before \`to\` and ends with a word of ASKING, with \`you\`, \`me\` or \`us\` behind it or without ("I would like you to"),
  unless it begins with another verb, or with a word of FRONTED or WHERE.
- From a word of REASONS, or one of REASONS_OF before one of PERSONS or OWN, to the end of the clause, if something was named before.
- Before the first main clause that tells something: what begins with FRONTED or WHERE ("On the last page,") or with PERSONS or OWN
  ("I cannot read this."), what has no verb and is followed by a request, and what has no verb and tells nothing ("First,").

A clause *tells* something if it has a quotation or a word of the classes content or action. Where it does not begin with a verb,
numbers and words of AIR, ORDER and POINTING do not count. Where no main clause tells anything, the last rule holds only for those
that tell nothing either, and only before one with a verb: alone, "OK" is a name.

A clause is a **naming** if it begins with a word of NAMING ("click save all"), or has no verb at all ("Save all"); else it is a
**description** ("save everything that was written").

**Asides** are no evidence: from a word of LANDMARKS to the end of the clause another control is spoken of; \`from\` to the next
\`to\` is said of what was there before; and a word of WHERE with one of PLACES within \`placeWordsMax\` words says where, if something was named before.
Landmarks and what was before are not compared at all, but for names that have the landmark's own words.

**Readings** are what is compared: each clause, with and without places; the object and the value of "change A to B"; the object
of "type A into B" (what is typed is no control); of a description what stands behind each preposition (WHERE, and to); each
quotation; and, without what is said beside, the whole intent for names that go over several clauses.

## Weights

The weight of a token is the number of its class, times its rarity in the map: ln(1 + controls / controls that have its stem),
where a stem that none has counts as one that one has. Of the lists a word is in, stop goes before noun, noun before verb,
verb before action.

## Matching

A token of the intent is a token of the name with the strength

- 1 if they are the same, \`inflected\` if their stems are;
- \`synonym\` if they are in the same group of SYNONYMS;
- \`typo\` if the intent's stem is in no name of the map, and it or its word is two swapped neighbours away from a word of the name
  or its stem, or begins with the same letter and is a letter more, less or another away; or if it was taken for a word of the lists;
- 1 for two tokens that together are one of the other side (\`wi-fi\` and \`wifi\`), punctuation between them or none.

The best counts. Punctuation is matched only in quotation marks or where it stands by itself, and only by names of symbols.

## The score

\`nameShare\` is the part of the name's weight that was said, \`wordShare\` the part of the reading's weight that is in the name,
both times the strengths. A light word that the name has not weighs \`unsaid\` of itself in a description and nothing in a naming,
and a quotation \`unsaidQuote\` of itself; a pair of characters that overlaps a matched one weighs nothing.

    F = (1 + beta²) · nameShare · wordShare / (beta² · nameShare + wordShare)

The score of a name in a reading is F times the factors below that hold, rounded to \`places\` decimals. A reading is no evidence
of a name, and gives no score, where all that is matched are asides or, for names that are not light, words of the classes stop,
noun and verb; the whole intent must match in two clauses. The score of a control in a clause is the best of its names and readings.

**Opposites**: the name has a word that was not said, whose opposite in OPPOSITES was, also before the preposition. Words of STATES are none at a box or a
switch, which is called one way and is for both. **Kinds**: an icon, a button, a field, a box or switch, a slider, a tab or a
link that the words speak of should be one (see the last table); a field is spoken of also by "type A into B" and by a
clause that begins with a word of TYPING.

**Effects**: a control that deletes is not bound to words that look at something. If the first word of a name but for those of STOP
is of EFFECTS, and nothing in the intent says it, in whatever strength, \`unsaidEffect\` holds where the clause begins with a
word of LOOKING, ACTIONS or OWN_EFFECTS. Where a clause begins with a word of OWN_EFFECTS that nothing in the name says,
\`missedEffect\` holds in place of \`missedAction\`: "delete the bookmark" is not what is called Bookmark,
but a field is emptied (EMPTYING). Another control must be
\`lead\` before what such a one would have without the first and with \`missedAction\` for the second: where that is as near, they
are ambiguous.

## What is bound

The clause that counts is the one with a designation; else the clause of means, then the main one; else the first main clause
that tells something, or the first of all if none does, and if that is a description and binds nothing, the purposes behind it. A name that goes over several clauses goes before all.

In that clause, the control with the best score is bound if the score is at least \`bind\` and every other is at least \`lead\`
behind. Of several that are closer, one is bound if its name stands in the intent letter by letter (case aside), and each other's
does not or is a part of it: of "Save" and "Save as", "save as" means the latter. Controls that have the same names and are of the
same kind are never told apart. Where further main clauses bind other controls, the step is \`two_controls\`.

Where nothing is near and there is a quotation, what is near without its marks is named, at \`halfSaid\` of its score: it is never bound.

**In a guide** each part of a step is held to account, also behind a bracket, a full stop, \`and\`, \`then\`, \`or\`, or where a verb
follows a name. One that means another control makes the step \`two_controls\`. See "What a step may say".

An id does not settle what is \`ambiguous\`: it is not in the text that is served. The screen does, and a kind in the words.

The language of the lists is English. In another, what is bound are names that stand alone or in quotation marks, and little else.

## What a step may say

A step of a guide is a closed grammar: each of its words is one of these, or the step is \`unbound_clause\` (\`two_controls\`, where the
words mean another control), and the finding has the words. A name that the interface does not have is none of these.

A step whose words mean no control all together (\`unbound\`) is scored again without the clauses of FREE_CLAUSES, and without what
stands at its end and is, in every word, a place with its article ("at the top of the screen") or a purpose of PURPOSES. All of its
words are held to account nevertheless.

1. **The control's name**: a word that is matched in one of its names (in the program's own id only where no other name is said), and
   the kind of control (KINDS, KIND_WORDS) before it or directly behind it, in the singular. Behind a name that is no more than verbs, a
   kind that is none of CONTROL_KINDS is what the verb is done to: the "Delete" page is not the control Delete, unless its role says so.
2. **A value**: what is in quotation marks behind a verb of WRITING, and before \`into\`, \`in\`, \`to\` or \`as\`; behind a verb of CHANGING and
   its \`to\` or \`from\`; behind \`fill ... with\` and \`search for\`. Without quotation marks it ends before VALUE_ENDS, has at most
   ${VALUE_LIMITS.typedWordsMax} words where it is typed and ${VALUE_LIMITS.changedWordsMax} where something is changed to it, no word of NAMING or ORDERING and no kind of control, and does not begin with one of VALUE_VERBS; of
   three words and more each but the first has a capital letter or is a number. What it says is data. A button, a link, a tab and an image take no value (but
   what is searched for), and a box or a switch only VALUE_STATES. In a field
   that the part before named, it may also be what stands behind the verb of WRITING alone: \`tap "Email" and type "x"\`.
3. **A function word**: of STOP or a mark of a sentence; of ORDERING before the verb and REPEATING behind the name ("three times" too);
   a verb of VERBS or HEADS that begins its part, or one of USING; STANDING behind is, are, be; DIRECTIONS behind a verb of scrolling;
   POSITIONS before the name. \`it\` is the control where the part before named that. Of a field, also CLEARING; and a key (KEY_PRESSES)
   directly behind what was typed there: anywhere else, and with another key held, it is for who knows what.
4. **Where**: behind a word of PREPOSITIONS, words of POSITIONS and PLACE_WORDS, one of KINDS beside a name, and other words only where they stand together, in
   their order, in one name of a control, or in a screen's or the application's; none of MANY, and behind a bare \`to\` no place alone ("Back to top"). How long: \`for\` with HOW_LONG. Behind INSTRUMENTS only the control.
5. **What for**: \`to\` with a verb of PURPOSES, or one in the control's name, and words of PURPOSE_WORDS or of one name; a verb of ACTING
   has them of the control's own names. A purpose of OPENING needs a thing; one of USES is the control's own. Its words, and
   a verb of ACTIONS or PURPOSES, may also be the operator's task's, which is approved text, unless the task says what is not to be done:
   not behind one of HELD or USES, not for where something is moved, and nowhere else in a step.
6. **A clause that uses no control**, of FREE_CLAUSES: between marks, links or conditions.

Beyond these: words of MANY and GRAVE are only in the control's own name, in a clause that uses no control, or (GRAVE) in the task. What is
in quotation marks is in a name letter by letter, but for an s of the plural: "Deleted" is not the control Delete. A control whose name
begins with a word of OWN_EFFECTS or GRAVE, or with "turn off" and its like, is not named without that: "Files" is not "Delete files".
What is dragged is dragged onto no other control, and behind the tabulator another control has the keyboard.

A word with a capital letter inside of a step is a name and none of the lists'. A negation (NEGATIONS) that is not in the control's
name is always refused: a step says what is done. What a purpose, a place or a clause names must be in the interface even though it is
not used: mend such a step by leaving it out, and put values into quotation marks.

Here a bare word for a kind or a place is taken at its word: \`press "File" menu\` is the menu called File, and \`in the next dialog\` a
place, though something may be called Next. What is typed is not looked into. A purpose in the task's words is not compared with the interface: \`press "Save" to print the list\`
presses Save, whatever that does. Of 1,519 names of public interfaces that the map at hand
has not, put beside one that it has in 19 ways, at most one in a hundred is served in any of these ways.

## Where the numbers are from

They were chosen on 402 labelled pairs of intents and screens (\`npm run figures -- ground\`), and the lists were written with those
in sight. On apps that had no part in it, expect what \`npm run figures -- ground-folds\` gives, with its intervals: there the
numbers for each fifth of the apps are chosen on the other four, one after the other in coarse steps and from plain values; and each
app is judged by lists without every entry that has a word which only its own pairs have. This is pessimistic: such words are
often those that anybody would put there.

| on the pairs | precision | recall | negatives left unbound |
| --- | --- | --- | --- |
| nothing left out | ${shown(ON_PAIRS.all)} |
| numbers chosen on other apps | ${shown(ON_PAIRS.numbers)} |
| lists without what only the app has | ${shown(ON_PAIRS.lists)} |

And measure it on your own: \`--pairs FILE --controls FILE\`.
`;

export const SCORE_PAGE = new URL("../docs/score-1.md", import.meta.url);

if (process.argv.includes("--write")) writeFileSync(SCORE_PAGE, scorePage());
