/** The tools, rules and people of the fuzz: in plain data, so that the slow rails can be asked of every effect. */
import type { SaidRule, SaidTool } from "../../spec/decision/said.ts";
import type { Json } from "../../src/domain/json.ts";

export const HOUR = 3_600_000;
/** How many of one run may wait for a person at a time. */
export const WAITING_MAX = 100;
/** How long something waits for a person. */
export const APPROVAL_MS = 6 * HOUR;
const FRESH_MS = 72 * HOUR;

const AMOUNT = { of: "params", name: "amount" } as const;
const amountAbove = (value: number) => ({ is: "above", left: AMOUNT, right: { value } }) as const;
const paramIs = (name: string, value: string) =>
  ({ is: "same", left: { of: "params", name }, right: { value } }) as const;
const MONEY = { amount: { is: "whole", min: 1, max: 1_000 }, to: { is: "text", length: 40 } } as const;
const SHARED = { schema: "sound", denials: ["too_much"], provenance: null } as const;

export type FuzzTool = SaidTool & { readonly effect: "read" | "idempotent" | "once" };

export const TOOLS: readonly FuzzTool[] = [
  {
    ...SHARED,
    name: "pay",
    effect: "once",
    placement: "irreversible",
    fields: { ...MONEY, note: { is: "text", length: 20, optional: true } },
    evidence: { min: 1, maxAgeMs: FRESH_MS, lists: "items", justifies: { to: { item: "payee" } } },
    authorise: {
      cases: [
        { when: amountAbove(900), verdict: { says: "deny", code: "too_much" } },
        { when: amountAbove(400), verdict: { says: "stage", role: "supervisor" } },
      ],
      otherwise: { says: "permit" },
    },
    caps: [
      { name: "paid_in_run", limit: 1_000, window: "per_run", amount: AMOUNT },
      {
        name: "paid_in_day",
        limit: 2_500,
        window: { calendar: "day", zone: "Europe/Zurich" },
        amount: AMOUNT,
        key: { of: "customer" },
      },
      { name: "payments", limit: 4, window: { sliding: HOUR } },
    ],
  },
  {
    ...SHARED,
    name: "refund",
    effect: "once",
    placement: "irreversible",
    fields: MONEY,
    evidence: { min: 1, maxAgeMs: null, lists: "items", justifies: {} },
    authorise: "by_policy",
    caps: [
      {
        name: "refunded",
        limit: 1_000,
        window: { calendar: "week", zone: "UTC" },
        amount: AMOUNT,
        key: { of: "customer" },
      },
    ],
  },
  {
    ...SHARED,
    name: "label",
    effect: "idempotent",
    placement: "staff-reversible",
    fields: { colour: { is: "one_of", values: ["green", "blue", "red"] }, ref: { is: "form", letters: 2, digits: 2 } },
    evidence: null,
    authorise: "by_policy",
    caps: [{ name: "labels", limit: 3, window: "per_run" }],
  },
  {
    ...SHARED,
    name: "wipe",
    effect: "once",
    placement: "irreversible",
    fields: { ref: { is: "form", letters: 2, digits: 2 } },
    evidence: { min: 2, maxAgeMs: null, lists: "items", justifies: {} },
    authorise: { cases: [], otherwise: { says: "stage", role: "manager" } },
    caps: [{ name: "wiped", limit: 2, window: { sliding: 24 * HOUR }, key: { of: "principal" } }],
  },
  {
    ...SHARED,
    name: "look",
    effect: "read",
    placement: "internal",
    fields: { ref: { is: "form", letters: 2, digits: 2, optional: true } },
    evidence: null,
    authorise: null,
    caps: [],
  },
];

const COMMON: readonly SaidRule[] = [
  {
    id: "refund_shut",
    tools: ["refund"],
    effect: "deny",
    when: { is: "same", left: { of: "record", name: "status" }, right: { value: "shut" } },
    code: "account_shut",
  },
  {
    id: "refund_paid",
    tools: ["ref*"],
    effect: "permit",
    when: { is: "not", test: { is: "above", left: AMOUNT, right: { of: "record", name: "paid" } } },
  },
  { id: "label_any", tools: ["label"], effect: "permit", when: { is: "always" } },
];

/** Today's rules, and those of a process that was started with others. */
export const RULES: { readonly [name: string]: readonly SaidRule[] } = {
  usual: [
    ...COMMON,
    { id: "refund_large", tools: ["refund"], effect: "stage", when: amountAbove(300), code: "manager" },
    { id: "label_red", tools: ["label"], effect: "stage", when: paramIs("colour", "red"), code: "supervisor" },
  ],
  changed: [
    ...COMMON,
    { id: "pay_large", tools: ["pay"], effect: "stage", when: amountAbove(100), code: "manager" },
    { id: "refund_large", tools: ["refund"], effect: "stage", when: amountAbove(500), code: "manager" },
    { id: "label_blue", tools: ["label"], effect: "deny", when: paramIs("colour", "blue"), code: "no_blue" },
  ],
};

export const PRINCIPALS: { readonly [id: string]: readonly string[] } = {
  desk: TOOLS.map(({ name }) => name),
  clerk: ["label", "look", "refund"],
  // One who may propose and approve, though never the same thing.
  "user:sue": TOOLS.map(({ name }) => name),
};

/** Who may approve what, today and where somebody has other work since. */
export const APPROVERS: { readonly [name: string]: { readonly [id: string]: readonly string[] } } = {
  usual: {
    "user:sue": ["supervisor", "manager"],
    "user:max": ["supervisor", "manager"],
    "user:kim": ["supervisor"],
    "user:eve": ["auditor"],
  },
  changed: {
    "user:sue": ["supervisor", "manager"],
    "user:max": ["auditor"],
    "user:kim": ["supervisor", "manager"],
    "user:eve": ["auditor"],
  },
};

export const CUSTOMERS = ["customer:ada", "customer:bob", null] as const;
export const PAYEES = ["GB29NWBK60161331926819", "ada@a.example"] as const;
export const REFS = ["AB12", "ZZ00", "QX77"] as const;
export const START = Date.parse("2026-03-28T20:00:00Z");

/** The record that every tool is judged on. It changes now and then, as records do. */
export type Record = { readonly items: readonly Json[]; readonly paid: number; readonly status: string };

export function firstRecord(): Record {
  return {
    items: [
      { id: "evt_1", at: START, payee: PAYEES[0] },
      { id: "evt_2", at: START - HOUR, payee: PAYEES[1], owner: "customer:ada" },
      { id: "evt_3", at: START - HOUR, payee: PAYEES[0], owner: "customer:bob" },
      { id: "evt_4", at: START - 80 * HOUR, payee: PAYEES[0] },
      { id: "evt_5", at: START, payee: PAYEES[1], owner: "customer:eve" },
      { id: "evt_6", at: START, payee: PAYEES[1] },
    ],
    paid: 600,
    status: "open",
  };
}
