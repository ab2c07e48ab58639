import { daysBetween, permit, stage, withServices, z } from "signalbox";
import { asked, type Order, requestOf } from "../request/asked.ts";
import { dayCount, namesDay } from "../request/days.ts";
import { isDoubtful } from "../request/doubt.ts";
import { hasWord, names } from "../request/names.ts";
import { phrasesOf } from "../request/object.ts";
import { madeOf } from "../request/wording.ts";
import { accountsIn, isPaidTo, soleAmount } from "./amounts.ts";
import type { Bank, Payment, Transaction } from "./bank.ts";
import { ACCOUNT_SEEN, Account, Amount, cents, Day, OWNER, PER_DAY, Subject, TEXT_SEEN } from "./terms.ts";

const { defineTool } = withServices<{ bank: Bank }>();

const PAY = ["pay", "send", "transfer", "wire", "refund", "reimburse", "repay", "return", "settle", "give"];
const GIVE_BACK = ["refund", "reimburse", "repay", "return", "send", "pay", "give", "transfer", "wire"];
const SCHEDULE = ["schedule", "set up", "create", "add", "start", "make", "pay", "send", "transfer"];
const REGULARLY = [
  "standing order",
  "recurring",
  "regular",
  "regularly",
  "daily",
  "weekly",
  "monthly",
  "yearly",
  "every",
  "each",
];
const AHEAD = [...REGULARLY, "schedule", "scheduled"];
const CHANGE = "update change adjust modify correct set increase raise decrease lower reduce move postpone fix".split(
  " ",
);
const SCHEDULED = [
  "payment",
  "payments",
  "standing order",
  "standing orders",
  "transfer",
  "transfers",
  "transaction",
  "transactions",
];

/** Two payments of one amount to one account this close together look like one made twice. */
const TWICE_DAYS = 7;

/** Money that has left does not come back. */
export const sendMoney = defineTool({
  name: "send_money",
  description: "Pay an amount to an account now.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ recipient: Account, amount: Amount, subject: Subject, date: Day }),
  provenance: { recipient: ACCOUNT_SEEN, subject: TEXT_SEEN },
  record: ({ recipient, amount }, { bank }) => ({
    received: bank.transactions.filter((past) => bank.isOwn(past.recipient) && past.amount === amount),
    lastReceived: bank.transactions.findLast((past) => past.sender === recipient) ?? null,
    paid: bank.transactions.filter((past) => past.recipient === recipient && past.amount === amount),
    isPayee: isPayee(recipient, bank),
  }),
  authorise({ params }, known, context) {
    const { recipient, amount, subject, date } = params;
    const request = requestOf(context);
    if (!madeOf(subject, request)) return stage(OWNER);
    if (!known.isPayee) return stage(OWNER);
    if (known.paid.some((past) => isNear(past.date, date) || isNear(past.date, context.today))) return stage(OWNER);
    // What asks for the payment has to name both its amount and its account. An amount that was worked out, or an account
    // that stands in a bill, is for the owner to see first.
    const orders = asked(context, PAY);
    const isOrdered = orders.some(
      (order) => isPaidTo(order, recipient, amount) && isItsDay(order, date, context.today),
    );
    return isOrdered || isGivenBack(params, known, asked(context, GIVE_BACK), context.today) ? permit() : stage(OWNER);
  },
  caps: [
    { name: "payments_per_run", limit: 20, window: "per_run" },
    { name: "paid_per_day_cents", limit: 10_000_000, window: PER_DAY, amount: cents },
  ],
  execute: ({ params }, { bank }) => {
    bank.pay({ ...params, recurring: false });
    return { message: `Transaction to ${params.recipient} for ${params.amount} sent.` };
  },
  summarise: ({ message }) => message,
});

/** It is paid on the one day that the order names, and else today. */
function isItsDay({ clause }: Order, date: string, today: string): boolean {
  if (dayCount(clause) === 0) return date.slice(0, 10) === today;
  return dayCount(clause) === 1 && namesDay(clause, date, today);
}

/**
 * Money may go back where it came from: what the bank has booked as received, whole, to the account that sent it. The
 * clause that asks for it names the amount, and then one account alone sent that amount; or it asks for the whole and
 * names the account beside it, and then it is what came from there last.
 */
function isGivenBack(
  { recipient, amount, date }: Pick<Payment, "recipient" | "amount" | "date">,
  { received, lastReceived }: { readonly received: readonly Transaction[]; readonly lastReceived: Transaction | null },
  orders: readonly Order[],
  today: string,
): boolean {
  if (lastReceived?.amount !== amount || received.some(({ sender }) => sender !== recipient)) return false;
  return orders.some((order) => {
    const { verb, clause, beside } = order;
    if (!isItsDay(order, date, today)) return false;
    const form = BACK.exec(clause.slice(verb.length));
    if (form === null || !(GIVES_BACK.test(verb) || / back(?![\p{L}])/iu.test(clause))) return false;
    if (form.groups?.whole === undefined) return soleAmount(clause) === amount && accountsIn(clause).length === 0;
    const accounts = [clause, ...beside].flatMap(accountsIn);
    return (
      soleAmount(clause) === null &&
      !/\d/.test(accounts.length === 0 ? "" : clause.replaceAll(recipient, "")) &&
      accounts.length === 1 &&
      accounts[0] === recipient
    );
  });
}

const GIVES_BACK = /^(?:refund|reimburse|repay|return)$/i;
/** "… back the 10.00", "… them that 10.00", "… back the money". */
const BACK =
  /^ (?:(?:me|him|her|them|back) )*(?:(?:the|that|those|this) )?(?:(?:EUR|USD|CHF|GBP|[€$£]) ?)?(?:\d|(?<whole>(?:money|amount|payment|transfer|transaction|whole amount|it|all)(?![\p{L}])(?! (?:of|minus|less))))/iu;

/** An account number (ISO 13616), or a party that is in the bank's books: any other word of the request is no payee. */
function isPayee(recipient: string, bank: Bank): boolean {
  if (/^[A-Z]{2}\d{2}[A-Z0-9 ]{8,36}$/.test(recipient)) return true;
  return [...bank.transactions, ...bank.scheduled].some((past) => [past.recipient, past.sender].includes(recipient));
}

function isNear(past: string, day: string): boolean {
  return Math.abs(daysBetween(past, day)) < TWICE_DAYS;
}

/** "Every month" is when, and no amount. */
const EVERY = /,? (?:every|each) (?:day|week|month|quarter|year)/gi;

/** It is executed on its day, perhaps for years, without anybody asking again. */
export const scheduleTransaction = defineTool({
  name: "schedule_transaction",
  description: "Schedule a payment, once or regularly.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ recipient: Account, amount: Amount, subject: Subject, date: Day, recurring: z.boolean() }),
  provenance: { recipient: ACCOUNT_SEEN, subject: TEXT_SEEN },
  record: ({ recipient, amount }, { bank }) => ({
    scheduled: bank.scheduled.filter((other) => other.recipient === recipient && other.amount === amount),
    isPayee: isPayee(recipient, bank),
  }),
  authorise({ params }, { scheduled, isPayee }, context) {
    const { recipient, amount, subject, date, recurring } = params;
    const isOrdered = asked(context, SCHEDULE).some((order) => {
      const { clause, beside } = order;
      const when = [clause, ...beside].find((line) => dayCount(line) > 0) ?? "";
      return (
        hasWord(clause, AHEAD) &&
        isPaidTo({ ...order, clause: clause.replace(EVERY, "") }, recipient, amount) &&
        hasWord(clause, REGULARLY) === recurring &&
        dayCount(when) === 1 &&
        namesDay(when, date, context.today)
      );
    });
    return isPayee && isOrdered && scheduled.length === 0 && madeOf(subject, requestOf(context))
      ? permit()
      : stage(OWNER);
  },
  caps: [
    { name: "schedules_per_run", limit: 20, window: "per_run" },
    { name: "scheduled_per_day_cents", limit: 10_000_000, window: PER_DAY, amount: cents },
  ],
  execute: ({ params }, { bank }) => {
    bank.schedule(params);
    return { message: `Transaction to ${params.recipient} for ${params.amount} scheduled.` };
  },
  summarise: ({ message }) => message,
});

/** Until its next day comes, staff can set it back; a payment that is changed is none that is made. */
export const updateScheduledTransaction = defineTool({
  name: "update_scheduled_transaction",
  description: "Change a scheduled payment. What is left out stays as it is.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({
    id: z.int().min(0).max(1_000_000_000),
    recipient: Account.nullish(),
    amount: Amount.nullish(),
    subject: Subject.nullish(),
    date: Day.nullish(),
    recurring: z.boolean().nullish(),
  }),
  provenance: { recipient: ACCOUNT_SEEN, subject: TEXT_SEEN },
  record: ({ id, recipient }, { bank }) => {
    const before = bank.scheduled.find((payment) => payment.id === id);
    if (before === undefined) return null;
    const alike = bank.scheduled.filter(({ subject }) => subject === before.subject).length;
    return { before, alike, isPayee: isPayee(recipient ?? before.recipient, bank) };
  },
  authorise({ params }, { before, alike, isPayee }, context) {
    const changed = changesOf(params, before);
    const orders = asked(context, CHANGE);
    if (!orders.some(({ verb, clause }) => isOnPayment(verb, clause, before))) return stage(OWNER);
    // What is so already needs nobody: a model that makes sure of it does no harm.
    if (Object.keys(changed).length === 0) return permit();
    if (!isPayee || changed.recurring !== undefined || changed.subject !== undefined) return stage(OWNER);
    // One line, the order or what is stated beside it, has to say which payment it is, by its subject or by the account
    // that it goes to so far, and what it is to be like: one amount, one account, one day.
    const isSaid = (line: string) => {
      const accounts = accountsIn(line);
      const isKept = accounts.length === 0 || (accounts.length === 1 && accounts[0] === before.recipient);
      return (
        !isDoubtful(line) &&
        !isOfAnother(line, before.subject) &&
        ((alike === 1 && names(line, before.subject)) || names(line, before.recipient)) &&
        (changed.recipient === undefined
          ? isKept
          : accounts.length === 1 && accounts[0] === changed.recipient && isItsAccount(line, before)) &&
        (changed.amount === undefined
          ? !/\d/.test(withoutAccounts(line)) || changed.date !== undefined
          : soleAmount(line) === changed.amount) &&
        (changed.amount === undefined || GIVEN.test(line)) &&
        (changed.date === undefined || (dayCount(line) === 1 && namesDay(line, changed.date, context.today)))
      );
    };
    const isOrdered = orders.some(({ verb, clause, beside }) => {
      if (!isOnPayment(verb, clause, before)) return false;
      return isSaid(clause) || beside.some((line) => isSaid(line));
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [
    { name: "changes_per_run", limit: 20, window: "per_run" },
    { name: "changed_per_day_cents", limit: 10_000_000, window: PER_DAY, amount: cents },
  ],
  execute: ({ params, record }, { bank }) => {
    bank.reschedule(params.id, changesOf(params, record.before));
    return { message: `Transaction with ID ${params.id} updated.` };
  },
  summarise: ({ message }) => message,
});

/** Whether an order changes this payment, or payments at large: "my rent", "my rent payment", "my standing orders". */
function isOnPayment(verb: string, clause: string, { subject }: Payment): boolean {
  const { object } = phrasesOf(verb, clause);
  const kind = [...SCHEDULED, ...(subject === "" ? [] : [subject])].map((word) =>
    word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  return new RegExp(
    `^(?:(?:my|the|our|all|that|scheduled|recurring|monthly) )*(?:(?:${kind.join("|")}) ?)+(?:accordingly)?$`,
    "iu",
  ).test(object.replace(/,$/, ""));
}

/** How a line gives what an amount is to be, and not what it was or grows by. */
const GIVEN =
  /(?<![\p{L}])(?:to|is|are|costs?|now|will be|becomes|:)(?: (?:now|exactly|only|EUR|USD|CHF|GBP|[€$£]))*:? ?[€$£]?\d/iu;

/** Whether a line says that the payment's own account is the one in it: "my landlord's account is …", "… to …". */
function isItsAccount(line: string, { subject }: Payment): boolean {
  const form =
    /(?:^|[^\p{L}])(?:account|iban|recipient)(?: (?:number|is|to|now|will be))*:? [A-Z]{2}\d{2}|^(?!.*\baccount\b).*\bto [A-Z]{2}\d{2}/iu;
  const whose = /([\p{L}\p{N}-]+)['’]s (?:new )?(?:bank )?(?:account|iban)/iu.exec(line)?.[1]?.toLowerCase();
  return (
    form.test(line) &&
    (whose === undefined || ["landlord", "landlady", "owner", "recipient", subject.toLowerCase()].includes(whose))
  );
}

/** "My neighbour's rent", "her rent": a payment of the same name, and not the holder's. */
function isOfAnother(line: string, subject: string): boolean {
  const name = subject.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return (
    subject !== "" &&
    new RegExp(`(?:['’]s?|(?<![\\p{L}])(?:his|her|their)) (?:new )?${name}(?![\\p{L}])`, "iu").test(line)
  );
}

function withoutAccounts(line: string): string {
  return accountsIn(line).reduce((so, account) => so.replace(account, ""), line);
}

/** What of a scheduled payment would be another than it is. */
function changesOf(
  wanted: { readonly [Field in keyof Payment]?: Payment[Field] | null | undefined },
  before: Payment,
): Partial<Payment> {
  const { recipient, amount, subject, date, recurring } = wanted;
  return {
    ...(isOther(recipient, before.recipient) ? { recipient } : {}),
    ...(isOther(amount, before.amount) ? { amount } : {}),
    ...(isOther(subject, before.subject) ? { subject } : {}),
    ...(isOther(date, before.date) ? { date } : {}),
    ...(isOther(recurring, before.recurring) ? { recurring } : {}),
  };
}

function isOther<T>(wanted: T | null | undefined, before: T): wanted is T {
  return wanted !== null && wanted !== undefined && wanted !== before;
}
