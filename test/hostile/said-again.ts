/** The rails of the test's tools, said again: as data for the slow spec, and not as the code that the house is given. */
import type { Performed, SpecField, SpecHouse, SpecTool } from "../../spec/rails.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { ACCOUNTS, type Account, ADDRESSES, BROKEN_ACCOUNTS, type Item, MAX_AGE_MS, PRINCIPALS } from "./world.ts";

function accountOf({ account }: JsonObject): Account | null {
  if (typeof account !== "string" || BROKEN_ACCOUNTS.some((one) => one === account)) return null;
  return ACCOUNTS.get(account) ?? null;
}

function itemsOf(params: JsonObject): readonly Item[] {
  return accountOf(params)?.items ?? [];
}

/** The account is there, in order, and the customer's own. */
function isOwn({ params, customer }: Performed): boolean {
  const account = accountOf(params);
  return account !== null && !account.mad && customer !== null && account.members.includes(customer);
}

function amountOf({ params }: Performed): number {
  return typeof params.amountMinor === "number" ? params.amountMinor : Number.NaN;
}

const ID: SpecField = { is: "text", length: 8 };
const AMOUNT: SpecField = { is: "whole", min: 1, max: 1_000 };
const all = (): string => "all";
const always = (): "permit" => "permit";
const READ = { once: false, may: always, evidence: null, caps: [] } as const;

const TOOLS: { readonly [name: string]: SpecTool } = {
  pay: {
    fields: {
      account: ID,
      amountMinor: AMOUNT,
      to: { is: "text", length: 70_000 },
      ref: { is: "text", length: 4, form: /^[A-Z][A-Z][0-9][0-9]$/, optional: true },
    },
    once: true,
    may: (done) => {
      const account = accountOf(done.params);
      if (account === null || !isOwn(done) || account.frozen || amountOf(done) > account.owed) return "deny";
      return amountOf(done) > 400 ? "stage" : "permit";
    },
    evidence: {
      min: 1,
      maxAgeMs: MAX_AGE_MS,
      known: itemsOf,
      justifies: { to: ({ id }) => payees.get(id) ?? null },
    },
    caps: [
      {
        name: "paid_in_run",
        limit: 300,
        per: "run",
        key: all,
        amount: (done) => amountOf(done) * (accountOf(done.params)?.unit ?? Number.NaN),
      },
      { name: "paid_in_day", limit: 900, per: "day", key: ({ customer }) => String(customer), amount: amountOf },
    ],
  },
  label: {
    fields: {
      account: ID,
      colour: { is: "one_of", values: ["green", "blue", "red"] },
      note: { is: "one_of", values: ["seen", "called"], optional: true },
    },
    once: false,
    may: (done) => {
      const account = accountOf(done.params);
      if (account === null || account.frozen || !account.members.includes(done.customer ?? "")) return "deny";
      return done.params.colour === "red" ? "stage" : "permit";
    },
    evidence: null,
    caps: [{ name: "labels", limit: 4, per: "run", key: all, amount: () => 1 }],
  },
  list: {
    ...READ,
    fields: {
      status: { is: "one_of", values: ["open", "closed"], optional: true },
      page: {
        is: "either",
        of: [
          { is: "whole", min: 1, max: 9 },
          { is: "one_of", values: ["first", "last"] },
        ],
        optional: true,
      },
    },
  },
  tell: {
    ...READ,
    fields: { to: { is: "text", length: 70_000 } },
    // In any case of its letters, as the request has it, or as a list of this thread had it.
    may: ({ params, thread }, before) => {
      const to = typeof params.to === "string" ? params.to.trim().toLowerCase() : "";
      const listed = before.some((one) => one.tool === "list" && one.came === "done" && one.thread === thread);
      return to === ADDRESSES.said || (listed && to === ADDRESSES.listed) ? "permit" : "deny";
    },
  },
  peek: { ...READ, fields: {} },
  wire: {
    fields: { account: ID, amountMinor: AMOUNT },
    once: true,
    may: () => "stage",
    evidence: { min: 1, maxAgeMs: null, known: itemsOf, justifies: {} },
    caps: [{ name: "wires", limit: 5, per: "run", key: all, amount: () => 1 }],
  },
  purge: {
    fields: { account: ID },
    once: true,
    may: (done) => {
      const account = accountOf(done.params);
      return account?.members.includes(done.customer ?? "") === true ? "permit" : "deny";
    },
    evidence: { min: 2, maxAgeMs: null, known: itemsOf, justifies: {} },
    caps: [],
  },
  builder: { ...READ, fields: { file: { is: "one_of", values: ["a.ts", "b.ts", "c.ts"] } } },
};

const payees = new Map([...ACCOUNTS.values()].flatMap(({ items }) => items.map(({ id, payee }) => [id, payee])));

export const SAID_AGAIN: SpecHouse = { tools: TOOLS, principals: PRINCIPALS };
