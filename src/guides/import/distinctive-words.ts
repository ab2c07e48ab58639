/**
 * The words of a description that tell one rule from another. A word is what the matcher takes for one (NFKC, small letters, a
 * run of letters, marks and digits); all of them are kept, in their order, but those of the list below.
 */

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
    "all also any both each either etc even every few many more most much only other own same several some such too very",
    "use used uses user users using need needs needed want wants wanted ask asks asked asking help helps helping",
    "make makes making get gets getting work works working like specific including include includes based provide provides",
    "skill skills rule rules guideline guidelines guide guidance instruction instructions best practice practices cursor",
    "copilot agent agents claude task tasks",
  ].flatMap((line) => line.split(" ")),
);

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Khmer", "Lao", "Myanmar"];
/** A character of a script that puts no space between words. */
const UNSPACED = SCRIPTS.map((script) => `\\p{scx=${script}}`).join("");
const UNIT = `(?=[\\p{L}\\p{M}\\p{N}])[${UNSPACED}]`;
/** A run of such text, or of other text; a mark belongs to what it stands on. */
const RUN = new RegExp(`${UNIT}(?:${UNIT}|\\p{M})*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const NOT_UNSPACED = new RegExp(`[^${UNSPACED}]`, "gu");

/** Each once, in the form in which words are compared. A number alone says nothing, but for `phraseWords`. */
export function distinctiveWords(text: string): readonly string[] {
  return phraseWords(text).filter((word) => /\p{L}/u.test(word));
}

/** The same with numbers, which tell apart what is called alike: `room 15`. */
export function phraseWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [run] of folded(text).matchAll(RUN)) {
    if (IS_UNSPACED.test(run)) for (const pair of pairs(run)) words.add(pair);
    else if (!COMMON.has(run)) words.add(run);
  }
  return [...words];
}

/** As src/guides/words.ts folds the words of a task, and without what cannot be seen. */
function folded(text: string): string {
  const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return seen.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

/**
 * Without spaces a run is a sentence. What tells it apart is every two neighbouring characters of it, since such a word occurs
 * wherever it stands in a task. Hiragana, which is mostly grammar, only parts them.
 */
function pairs(run: string): readonly string[] {
  return run
    .replace(NOT_UNSPACED, "")
    .split(/\p{sc=Hiragana}+/u)
    .flatMap((part) => {
      const characters = [...part];
      return characters.length < 2 ? characters : characters.slice(1).map((next, i) => `${characters[i]}${next}`);
    });
}
