/**
 * What only the conversation can tell, read from the customer's own words by declared lists. A list is no understanding:
 * it only ever finds support for a permit. What it does not find is asked for again, and what it finds in doubt goes to
 * a person.
 */

export type Support = "clear" | "doubtful" | "none";

/** Health or weather, said as a fact: what the travel insurance covers. */
const COVERED: readonly RegExp[] = [
  /\b(?:sick|sickness|ill|illness|unwell|flu|influenza|covid|pneumonia|fever|infection|food poisoning)\b/,
  /\bnot (?:\w+ )?(?:feeling|felt|feel|been feeling) (?:\w+ )?well\b/,
  /\b(?:don't|doesn't|didn't|do not|does not) feel (?:\w+ )?well\b/,
  /\bunder the weather\b/,
  /\b(?:injured|injury|injuries|hospital|hospitali[sz]ed|surgery|operated on|diagnosed|concussion)\b/,
  /\b(?:broke|broken|fractured|sprained) (?:my|his|her|their|our|your|an?|the) (?:leg|arm|ankle|foot|hip|wrist|rib)s?\b/,
  /\b(?:health|medical) (?:reasons?|issues?|problems?|conditions?|emergency|emergencies)\b/,
  /\b(?:due to|because of|owing to|for) (?:\w+ ){0,2}(?:health|weather)\b/,
  /\b(?:bad|severe|terrible|extreme|stormy|inclement|heavy|poor|dangerous|winter) (?:weather|snow|snowfall|fog|rain)\b/,
  /\b(?:storm|storms|snowstorm|thunderstorm|hurricane|blizzard|tornado|typhoon|cyclone|flood|floods|flooding)\b/,
];

/** Near to health, or no reason that the policy names: a person decides whether the insurance covers it. */
const NEAR_COVERED: readonly RegExp[] = [
  /\b(?:health|medical|weather|doctor|pregnant|pregnancy|accident|emergency|quarantine|anxiety|disability)\b/,
  /\b(?:died|death|passed away|funeral|bereavement|dying)\b/,
];

/** Sayings that use such a word for something else. */
const SAYINGS: readonly RegExp[] = [
  /\bsick (?:of|and tired)\b/,
  /\bmakes? me sick\b/,
  /\b(?:sick|health|medical) (?:leave|days?|pay|insurance)\b/,
  /\bstorms? of\b/,
];

/** What leaves a sentence open, or speaks of another time: a question, a case, nobody at all. */
const OPEN =
  /\?|\b(?:nobody|no one|none|neither|nor|would(?! (?:like|love|prefer|appreciate)\b)|could(?! you\b)|wouldn't|couldn't|might|may(?! \d)|if|whether|in case|pretend|suppose|last (?:year|month|week|time|summer|winter|spring|autumn|fall)|years? ago|months? ago|used to|(?:cat|dog|pet|horse)(?:'s)?)\b/;

/** Another reason, which the insurance does not cover: beside it, illness or weather is no clear one. */
const ANOTHER: readonly RegExp[] = [
  /\b(?:plans?|mind|schedule|dates?|meeting|job|appointment|conference|trip|wedding)\b[^.!?;]{0,24}\b(?:chang\w+|moved|cancell?ed|postponed|rescheduled|called off)\b/,
  /\b(?:chang\w+|change of) (?:my |our |his |her |the )?(?:plans?|mind|schedule)\b/,
  /\b(?:new job|no longer (?:want|need|interested)|do(?:n't| not) (?:want|need) to (?:go|travel|fly)|too (?:expensive|busy)|cheaper|better (?:flight|offer))\b/,
];

/** Words shortly before one of the above that turn it round, or leave it open. */
const TURNED =
  /\b(?:not|no|never|without|isn't|aren't|wasn't|weren't|am not|if (?:i|we|you|he|she|they)(?:'m|'re)?)(?: [\w']+){0,3} $/;

/** Whether the customer gave a reason for the cancellation that the travel insurance covers. */
export function coveredReason(requests: readonly string[]): Support {
  const said = requests.flatMap(sentences);
  const isOther = said.some((sentence) => ANOTHER.some((form) => form.test(sentence)));
  let found: Support = "none";
  for (const sentence of said) {
    if (!isOther && COVERED.some((form) => statedIn(sentence, form))) return "clear";
    if (COVERED.some((form) => form.test(sentence)) || NEAR_COVERED.some((form) => form.test(sentence))) {
      found = "doubtful";
    }
  }
  return found;
}

/** A complaint about flights, by what happened to them. */
const COMPLAINT = {
  cancelled: /\bcancel(?:l?ed|l?ing|lations?|s)?\b/,
  delayed: /\b(?:delay(?:s|ed|ing)?|late)\b/,
} as const;

/** The customer asks for something for their trouble. A `certificate` alone is also a way to pay, so it does not count. */
const ASKED: readonly RegExp[] = [
  /\b(?:compensat\w*|reimburs\w*|vouchers?|goodwill|recompense|indemnif\w*)\b/,
  /\b(?:make (?:it|this|that|up)(?: \w+){0,3} (?:up|for)|make up for)\b/,
  /\b(?:give|send|issue|offer|get|receive|want|like|deserve|owe|owed)(?: me| us)? (?:an?|some) (?:travel )?(?:certificates?|travel credits?|flight credits?)\b/,
];

/** Whether the customer complained about flights that were cancelled or delayed, and asked for compensation. */
export function askedForCompensation(requests: readonly string[], about: keyof typeof COMPLAINT): boolean {
  const complained = requests.map(plain).some((text) => COMPLAINT[about].test(text));
  return complained && requests.flatMap(sentences).some((text) => ASKED.some((form) => isWanted(text, form)));
}

const YES =
  /\b(?:yes|yeah|yep|sure|ok|okay|oui|sí|confirm(?:ed|ing)?|go ahead|proceed|please do|that works|sounds good|looks good|correct|agreed|let's (?:do|go|proceed))\b/;

/**
 * Whether a message reads as a yes. A hint and no rail: what the customer said yes to stands in the model's words, which
 * no rule here may trust, and a yes to another question reads the same.
 */
export function readsAsYes(message: string): boolean {
  return YES.test(plain(message));
}

/** Asks for it, and does not wave it away: "don't give me a voucher". */
function isWanted(sentence: string, form: RegExp): boolean {
  const match = form.exec(sentence);
  return (
    match !== null &&
    !/\b(?:not|no|never|without|don't|doesn't|won't|wouldn't|isn't|instead of|rather than)\b[^,;]*$/.test(
      sentence.slice(0, match.index),
    )
  );
}

/** Says it, and neither as a saying nor denied nor as a mere case. */
function statedIn(sentence: string, form: RegExp): boolean {
  // "If it cannot be changed, I cancel, as I am ill" and "I am ill, can I cancel?" state it beside the case and the question.
  const stated = sentence
    .replace(/\bif [^,]*,/, "")
    .replace(/, (?:so )?(?:can|could|may|will|is|are|does|do) .*$/, ".");
  if (OPEN.test(stated) || SAYINGS.some((saying) => saying.test(stated))) return false;
  const match = form.exec(stated);
  if (match === null || TURNED.test(stated.slice(0, match.index))) return false;
  // A part of a longer word is that word: "ill-advised", "flu-free".
  return (
    !/^-\p{L}|^ (?:research|expert|season)/u.test(stated.slice(match.index + match[0].length)) &&
    !/\p{L}-$/u.test(stated.slice(0, match.index))
  );
}

function sentences(text: string): string[] {
  return plain(text).match(/[^.!?;\n]+[.!?;\n]?/g) ?? [];
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll("’", "'");
}
