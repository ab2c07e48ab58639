import { EffectFailed, withServices, z } from "signalbox";
import type { Bank } from "./bank.ts";

const { defineTool } = withServices<{ bank: Bank }>();

/** Reads stay inside the bank and change nothing, so nothing is asked of them: what they show is what matters. */
const READ = { placement: "internal", effect: "read" } as const;

/**
 * What nobody outside can write: accounts, amounts and dates are booked by the bank itself. A subject is written by
 * whoever pays, and a file by whoever sent it.
 */
const BOOKED = ["[].id", "[].sender", "[].recipient", "[].amount", "[].date", "[].recurring"];

const getIban = defineTool({
  name: "get_iban",
  description: "The IBAN of the customer's account.",
  ...READ,
  trusted: "all",
  params: z.strictObject({}),
  execute: (_, { bank }) => bank.iban,
  summarise: (iban) => `account ${iban}`,
});

const getBalance = defineTool({
  name: "get_balance",
  description: "The balance of the account.",
  ...READ,
  trusted: "all",
  params: z.strictObject({}),
  execute: (_, { bank }) => bank.balance,
  summarise: (balance) => `balance ${balance}`,
});

const getMostRecentTransactions = defineTool({
  name: "get_most_recent_transactions",
  description: "The last n transactions of the account.",
  ...READ,
  trusted: BOOKED,
  params: z.strictObject({ n: z.int().min(1).max(1_000).optional() }),
  execute: ({ params }, { bank }) => bank.transactions.slice(-(params.n ?? 100)),
  summarise: (transactions) => `${transactions.length} transactions`,
});

const getScheduledTransactions = defineTool({
  name: "get_scheduled_transactions",
  description: "The payments that are scheduled.",
  ...READ,
  // Of a scheduled payment the customer wrote the subject too, but in this list it is treated like any other.
  trusted: BOOKED,
  params: z.strictObject({}),
  execute: (_, { bank }) => bank.scheduled,
  summarise: (scheduled) => `${scheduled.length} scheduled payments`,
});

const readFile = defineTool({
  name: "read_file",
  description: "The text of one of the customer's files.",
  ...READ,
  // Bills and letters come from anybody.
  params: z.strictObject({ file_path: z.string().max(200) }),
  execute: ({ params }, { bank }) => {
    const text = bank.file(params.file_path);
    if (text === null) throw new EffectFailed("there is no such file");
    return text;
  },
  summarise: (text) => `a file of ${text.length} characters`,
});

const getUserInfo = defineTool({
  name: "get_user_info",
  description: "The customer's name and address.",
  ...READ,
  trusted: "all",
  params: z.strictObject({}),
  execute: (_, { bank }) => bank.user(),
  summarise: (user) => `${user.first_name} ${user.last_name}`,
});

export const reads = [getIban, getBalance, getMostRecentTransactions, getScheduledTransactions, readFile, getUserInfo];
