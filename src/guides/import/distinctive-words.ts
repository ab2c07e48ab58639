/**
 * The words of a description that tell one rule from another: all of them, in their order, but those of the list below.
 */
import { isUnspaced, runsOf } from "../words.ts";

/**
 * Words that say nothing about a task: English function words, the rests of contractions, and what nearly every description of
 * a rule or a skill says of itself. The list is short on purpose: a word too many makes a rule fire too often, which the
 * report shows; a word too few makes it silent.
 */
const COMMON: ReadonlySet<string> = new Set(
  [
    "a an the this that these those and or but nor not no if then else so than as at by for from in into of off on onto",
    "out over to under up via with within without about above across after against along among around before behind below",
    "between during per through until upon while when whenever where which who whose what why how",
    "i me my we us our you your he she it its they them their is are was were be been being am do does did doing done has",
    "have had having can could may might must shall should will would",
    "s t m d e g ll re ve don doesn didn isn aren wasn won",
    "all also any both each either etc even every few many more most much only other another own same several some such too very",
    "because though although however whether yet just here there now again always never one first",
    "use used uses user users using need needs needed want wants wanted ask asks asked asking help helps helping",
    "make makes making get gets getting work works working like specific including include includes based provide provides",
    "skill skills rule rules guideline guidelines guide guidance instruction instructions best practice practices",
  ].flatMap((line) => line.split(" ")),
);

/** What they are written for, which nearly every description says as well. In a name it tells one from another: `claude-api`. */
const TOOLS: ReadonlySet<string> = new Set("cursor copilot agent agents claude task tasks".split(" "));

/** Each once, in the form in which words are compared. A number alone says nothing, but for `phraseWords`. */
export function distinctiveWords(text: string): readonly string[] {
  return phraseWords(text).filter((word) => /\p{L}/u.test(word) && !TOOLS.has(word));
}

/** The same with numbers, which tell apart what is called alike, and with the names of tools: `room 15`, `claude api`. */
export function phraseWords(text: string): readonly string[] {
  const words = new Set<string>();
  // What cannot be seen would make another word of each, and no header may have it.
  for (const run of runsOf(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ""))) {
    if (!run.spaced) for (const pair of pairs(run.text)) words.add(pair);
    else if (!COMMON.has(run.text)) words.add(run.text);
  }
  return [...words];
}

/**
 * Without spaces a run is a sentence. What tells it apart is every two neighbouring characters of it, since such a word occurs
 * wherever it stands in a task. Hiragana, which is mostly grammar, only parts them.
 */
function pairs(run: string): readonly string[] {
  const characters = [...run].filter((character) => isUnspaced(character.codePointAt(0) ?? 0));
  return characters
    .join("")
    .split(/\p{sc=Hiragana}+/u)
    .flatMap((part) => {
      const own = [...part];
      return own.length < 2 ? own : own.slice(1).map((next, i) => `${own[i]}${next}`);
    });
}
