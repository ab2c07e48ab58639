/**
 * What makes an order doubtful. Nobody is refused for such a word: what is not understood waits for its owner, who is asked.
 */

const words = (list: string): string =>
  list
    .trim()
    .split(/\s*\|\s*/)
    .join("|");
const whole = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words(list)})(?![\\p{L}\\p{N}])`, "iu");

/** A condition, a time to come, a report, or an act that is only spoken of. */
const OPEN = whole(
  "if|whether|unless|until|till|once|before|after|when|whenever|while|as soon as|as long as|in case|in the event|should|shall|supposed|" +
    "may|might|maybe|perhaps|possibly|would|could|provided|assuming|depending|otherwise|later|someday|eventually|next time|" +
    "how|why|what|who|whom|whoever|whichever|wants?|wanted|asked|asks|told|says|said|claims?|supposedly|allegedly|" +
    "plan to|plans to|going to|intend|about to|tempted|used to|ought|allowed|either|or",
);

/** What takes something out, or turns an order round. */
const TURNED = whole(
  "not|no|none|nobody|no one|nothing|never|neither|nor|but|except|excepting|excluding|exclude|besides|instead|rather|" +
    "apart|aside|save for|least of all|another|other than|others|different|elsewhere|keep|keeps|keeping|without|unlike|minus|" +
    "all the more|hardly|refuse|avoid|stop|skip|only after|cannot|[\\p{L}]+n['’]t",
);

/** A request that says one of these anywhere takes back, puts off or plays with what it says elsewhere. */
const REVOKED = whole(
  "do not|don['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|not to|not yet|no need|never mind|forget it|forget that|" +
    "hold on|hold off|wait|stop|(?:only|just|simply) (?:tell|show|explain|describe)|(?:ask|check with|consult|warn) me|" +
    "(?:my|an?|your) (?:ok|okay|approval|permission|go-ahead|confirmation)|i confirm|i say so|i agree|draft|drafts|" +
    "hypothetically|theoretically|suppose|imagine|pretend|joking|kidding|scam|phishing|dry run|rehearse|simulate|undo|" +
    "is (?:this|that|it) (?:what|true|real|right|safe|ok|okay|legit|legitimate|genuine|normal|an?)|should i|what do you (?:think|make)|" +
    "i disagree|i agree|do you agree|leave it|leave that|cancel that|cancel it|scratch that|ignore (?:that|this|it)|actually|really|just in theory|" +
    "changed my mind|on second thought|second thoughts",
);

/** A time to come, before an order: it is for then, and not for now. */
const DEFERRED = whole(
  "tomorrow|tonight|next|on (?:the|mon|tues|wednes|thurs|fri|satur|sun|\\d)[\\p{L}\\p{N}]*|in (?:an?|one|two|three|\\d+) \\p{L}+|by|soon|at \\d[\\d:]*|later",
);

export function isDeferred(masked: string): boolean {
  return DEFERRED.test(masked);
}

/** Words that make of what begins like an order the subject of a statement: "delete the file is what they want". */
const SUBJECT = /^[^,;:]*?(?<![\p{L}])(?:is|was|were|are|sounds|seems|looks|means)(?![\p{L}])/iu;
const TELLS =
  /^(?:tell|let|inform|notify|ping|say|write|e-?mail|message|dm|remind|answer|reply|respond|announce|post|send|mail|thank|congratulate)(?![\p{L}])/iu;

export function isStatement(clause: string): boolean {
  const before = SUBJECT.exec(clause)?.[0];
  return (
    before !== undefined &&
    !TELLS.test(clause) &&
    !/(?<![\p{L}])(?:that|which|because|since|as|who|where|what|there|it)(?![\p{L}])/iu.test(before)
  );
}

/** "Don't forget to" is an order like any other. */
export const UNFORGETTING = /(?<![\p{L}\p{N}])(?:do not|don['’]t|never) forget (?:also )?to(?![\p{L}\p{N}])/giu;

/** What describes a thing by a count or by a talk is a description, and no question or report. */
const DESCRIBED: readonly RegExp[] = [
  /(?<=(?:user|member|person|one|channel|colleague) )(?:who|that|which) (?:wrote|posted|sent|has|have|had)(?= [^,;.]{0,30}\b(?:most|fewest|least|largest|smallest|highest|lowest)\b)/giu,
  /(?<=channel )(?:where|in which) \p{Lu}[\p{L}\p{N}_-]* (?:asked|wrote|posted|talked|spoke)(?= (?:about|for|on)\b)/gu,
];

/** The month is no "may". */
const MONTH = /(?<![\p{L}])may(?= \d)|(?<=\d(?:st|nd|rd|th)?(?: of)? )may(?![\p{L}])/giu;

const blank = (match: string): string => "_".repeat(match.length);

/** The sentence with what only looks doubtful blanked. */
export function plainly(masked: string): string {
  return DESCRIBED.reduce((so, form) => so.replace(form, blank), masked)
    .replace(MONTH, blank)
    .replace(UNFORGETTING, blank);
}

/** The same for a sentence that states what a thing is to be: "the title should be …". */
export function isStated(masked: string): boolean {
  return !isDoubtful(masked.replace(/\bshould (?=(?:be|have|last|start|begin|end|include|take place)\b)/gi, blank));
}

export function isDoubtful(masked: string): boolean {
  const plain = plainly(masked);
  return OPEN.test(plain) || TURNED.test(plain);
}

export function isRevoked(masked: string): boolean {
  return REVOKED.test(plainly(masked));
}
