/**
 * Whose words a text is made of. A model may put the operator's words together; it may not bring in words that only an
 * attacker, or a private record, can have given it. So a text passes without a person where each of its words stands in
 * the request, in a fact that the system itself holds on the matter, or in the two short lists of words that say nothing.
 */
import { tidy, UNSEEN } from "./names.ts";

/** Articles, pronouns, prepositions, auxiliaries, conjunctions: no destination, fact or instruction, and nothing that negates. */
const BINDING = new Set(
  (
    "a an the this that these those i i'm i've i'll i'd me my mine you you're you've you'll your yours he she it it's its " +
    "we we're we've we'll us our they them their there here and or but so if then than as because of in on at by for from " +
    "to into with about until till after before between during is are was were be been am do does did has have had will " +
    "would can could shall should may might also just very"
  ).split(" "),
);

/** What people put around what they say, in a mail, a message or a note. */
const COURTESIES = new Set(
  (
    "hi hello hey dear greetings good morning afternoon evening please kindly thanks thank regards best wishes sincerely " +
    "cheers welcome congratulations sorry enjoy"
  ).split(" "),
);

/**
 * Whether a text is made of the words of `said` and of `facts` alone, besides those that only bind or greet. A word is what stands
 * between white space, without the marks around it: a link, an address or an account is one word and counts as a whole.
 */
export function madeOf(text: string, said: string, facts: readonly string[] = []): boolean {
  if (UNSEEN.test(text)) return false;
  const known = new Set([said, ...facts].flatMap(wordsOf));
  return wordsOf(text).every((word) => known.has(word) || BINDING.has(word) || COURTESIES.has(word));
}

function wordsOf(text: string): readonly string[] {
  return tidy(text)
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").replace(/'s$/, ""))
    .filter((word) => word !== "");
}
