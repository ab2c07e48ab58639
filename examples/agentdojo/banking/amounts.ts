/** Whether an order pays an amount to an account. It has to say one of each and nothing that could make them others. */
import type { Order } from "../request/asked.ts";
import { withoutDays } from "../request/days.ts";
import { MARK, marked } from "../request/object.ts";

const ACCOUNT =
  /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[A-Z0-9]{8,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![\p{L}\p{N}])/gu;
const NUMBER = "●";

/** The accounts of a text (ISO 13616), also where they are written in groups of four; without the white space. */
export function accountsIn(text: string): readonly string[] {
  return (text.match(ACCOUNT) ?? []).map((account) => account.replaceAll(" ", ""));
}

/**
 * The one amount of a text that names no other number: dates, times and accounts apart. Null where there is none or more,
 * where it is a part, a rate or a reference, and where words count too.
 */
export function soleAmount(text: string): number | null {
  const rest = withoutDays(text.replace(ACCOUNT, " "));
  const numbers = [...rest.matchAll(/\d(?:[\d.,]*\d)?/g)];
  const [match] = numbers;
  if (match === undefined || numbers.length > 1 || COUNTED.test(rest)) return null;
  const [before, after] = [rest.slice(0, match.index), rest.slice(match.index + match[0].length)];
  if (
    /[\p{L}\p{N}_#/-]$|(?:\b(?:number|no|nr|invoice|order|reference|ref|id|room|flat|street|code|version|chapter|part|by)\.? ?)$/iu.test(
      before,
    )
  )
    return null;
  if (/^(?:[\p{L}\p{N}_/-]|:\d| ?%)/u.test(after) && !/^(?:€|eur\b|usd\b|chf\b)/i.test(after)) return null;
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(match[0]) ? match[0].replaceAll(",", "") : match[0];
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Words that make an amount another: parts, rates, multiples, and small coin. */
const COUNTED =
  /(?<![\p{L}])(?:by|percent|per cent|pct|cents?|pence|pennies|half|thirds?|quarter|tenth|tenths|twice|double|triple|times|hundred|thousand|million|k|dozen|plus|minus|more|less|extra|additional|difference|rest|remainder|per|each|both|one|two|three|four|five|ten|monthly total)(?![\p{L}])|%/iu;

const CURRENCY = "(?:(?:EUR|USD|CHF|GBP|euros?|dollars?|francs?|pounds?|bucks)(?![\\p{L}])|[€$£])";
const SUM = `(?:(?:an?|the|exactly|sum|amount|total|of|also|just) )*(?:${CURRENCY} ?)?${NUMBER}(?: ?${CURRENCY})?(?![\\p{L}\\p{N}])`;
/** Who the account belongs to may stand before it; somebody else's doings may not. */
const HOLDER =
  "(?:(?:my|our|the|his|her|their|this|a|that|new|old|friend|friends|friend['’]s|landlord|landlord['’]s|account|iban|bank|number|at|with|user|colleague|sister|brother|mother|father|company|shop)[ :]+)*";
const PAYMENT =
  "(?:(?:an?|the|my|new|another|monthly|weekly|daily|yearly|regular|recurring|scheduled|standing|single|one-off|payment|transfer|transaction|order) ?)+(?:of|for|over)? ";

/** Behind an amount: not a thing that is counted ("40 greetings"), and no verb that makes a subject of it all. */
const ON =
  "(?= (?:to|into|for|as|on|at|today|now|back|with|again|please|that|i|this|first|starting|from)(?![\\p{L}])|[\\s.,;!?)]*$| ?[,;(] )";
const NO_SUBJECT = "(?! (?:is|was|are|were|has|had|seems|sounds|looks|means|would|will|makes?)(?![\\p{L}]))";
const AMOUNT_FIRST = new RegExp(
  `^ (?:back )?(?:${PAYMENT})?${SUM}${ON}(?:(?! from )[^${MARK}${NUMBER}])*? (?:to|into) ${HOLDER}['"“‘]?${MARK}(?!['’]s)${NO_SUBJECT}`,
  "iu",
);
const ACCOUNT_FIRST = new RegExp(`^ (?:(?:to|for) )?${HOLDER}['"“‘]?${MARK}["'”’]?,? ${SUM}${ON}${NO_SUBJECT}`, "iu");

/** What in the same sentence makes of the amount a limit, a guess or a part. */
const ALTERED =
  /(?<![\p{L}])(?:at most|at least|up to|about|around|roughly|approximately|maximum|minimum|max|min|instal?lments?|vat|tax|taxes|fees?|charges|interest|tip|discount|on top)(?![\p{L}])/iu;

/** Whether an order pays this amount to this account, and names no other amount and no other account. */
export function isPaidTo({ verb, clause, sentence }: Order, recipient: string, amount: number): boolean {
  if (ALTERED.test(sentence)) return false;
  const accounts = accountsIn(clause);
  const isNumber = accountsIn(recipient).length === 1;
  if (accounts.length > 1 || (accounts.length === 1) !== isNumber) return false;
  if (isNumber && accounts[0] !== recipient.replaceAll(" ", "")) return false;
  if (soleAmount(isNumber ? clause : marked(clause, recipient, true)) !== amount) return false;
  const text = isNumber ? clause.replace(ACCOUNT, MARK) : marked(clause, recipient, true);
  const form = withoutDays(text.slice(verb.length))
    .replace(/\d(?:[\d.,]*\d)?/, NUMBER)
    .replace(/ {2,}/g, " ");
  return AMOUNT_FIRST.test(form) || ACCOUNT_FIRST.test(form);
}
