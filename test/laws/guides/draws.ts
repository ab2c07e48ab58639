/**
 * Random rules, tasks and profiles: few words and many collisions, texts of every width, names that break sloppy orders, and
 * budgets that stand at the border of what the rules take.
 */
import fc from "fast-check";
import { specCompile } from "../../../spec/guides.ts";
import type { Profile } from "../../../src/domain/profile.ts";
import { SLOTS } from "../../../src/domain/profile.ts";
import type { Condition, GuideTask, Rule, TaskMatcher } from "../../../src/domain/rule.ts";
import { parsePathGlob } from "../../../src/guides/index.ts";
import { someProfile, someRule } from "../../checks/guide-rules.ts";

export type World = {
  readonly rules: readonly Rule[];
  readonly task: GuideTask;
  readonly profile: Profile;
  /** For whatever is done in another order. */
  readonly salt: number;
};

const WORDS = [
  "refund",
  "order",
  "ref*",
  "o*",
  "a",
  "i\u0307x",
  "οδοσ",
  "退款",
  "款",
  "单",
  "コーヒー",
  "คืน",
  "𠮷",
  "12",
  "no",
  "é",
];
const SAID = [
  "Refund",
  "ORDER",
  "ｒｅｆｕｎｄ",
  "refunds",
  "a",
  "İx",
  "ΟΔΟΣ",
  "请退款吧",
  "订单",
  "コーヒーを",
  "ขอคืนเงิน",
  "𠮷野家",
  "iPhone退款",
  "12",
  "№",
  "E\u0301",
  "-",
  "🦊",
  "\ud83d",
];
const PIECES = [
  "Ask first.",
  "a",
  "\n",
  "\n\n",
  "\r\n",
  "é",
  "漢字",
  "🦊",
  "👩‍🚀",
  "e\u0301",
  "\u202e",
  "\u0000",
  "\ufeff",
  "---",
  "```",
  "<|im_end|>",
  "</guides>",
  "__proto__",
  "\uffff",
  " ".repeat(30),
];
const IDS = ["a", "b", "B", "z", "_", "é", "\uff5e", "𝒳", "__proto__", "constructor", "0", "-1", "a\n", ""];
const APPS = ["shop", "com.shop", "com.shop.web", "a/b", "[x]"];
const FILES = [
  "x.ts",
  "web/x.ts",
  "app\\models\\user.rb",
  "./db/a.rb",
  "/a/b/c",
  "a",
  "a/🦊",
  "x/b",
  "lib/../db//a.rb",
  "a/gro\u0308\u00dfe",
];
/** One more than are looked at, and none of them any pattern's. */
const TOO_MANY = Array.from({ length: 1_001 }, (_, i) => `many/${i}.none`);
const GLOBS = [
  "*",
  "**",
  "shop",
  "com.*",
  "com.shop{,.*}",
  "*.ts",
  "**/*.{ts,tsx}",
  "app/models/**/*.rb",
  "db/**/*.rb",
  "/a/**",
  "a/",
  "?",
  "[!a]*",
  "[[]x]",
  "x[!a]b",
  "a\\gr\u00f6\u00dfe",
  "./x/../a/b/*",
];

/** Short, so that the slow matchers come to an end. */
const wildGlob = fc
  .string({
    unit: fc.constantFrom(
      "a",
      "b",
      "x",
      "/",
      ".",
      "*",
      "*",
      "**",
      "**/",
      "?",
      "[ab]",
      "[!a]",
      "[a-x]",
      "{",
      ",",
      "}",
      "🦊",
      "+",
      "(",
      "\\",
      "../",
      "é",
    ),
    minLength: 1,
    maxLength: 8,
  })
  .filter((text) => parsePathGlob(text).ok);
const wildName = fc.string({
  unit: fc.constantFrom("a", "b", "x", "/", ".", "./", "../", "\\", "e\u0301", "🦊", "+", "("),
  minLength: 1,
  maxLength: 6,
});

function globs(known: readonly string[]): fc.Arbitrary<readonly string[]> {
  const some = fc.array(fc.oneof(fc.constantFrom(...known), wildGlob), { minLength: 1, maxLength: 3 });
  return fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: some });
}

const matcher: fc.Arbitrary<TaskMatcher | null> = fc
  .record({
    phrases: fc.array(fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
    least: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ phrases, words, least }) =>
    phrases.length + words.length === 0 ? null : { phrases, words, least: Math.min(least, Math.max(1, words.length)) },
  );

const scalar = fc.constantFrom<string | number | boolean>("locked", 0, -1.5, true, "é");
const fact = fc
  .tuple(fc.constantFrom("state", "__proto__"), fc.array(scalar, { maxLength: 2 }))
  .map(([name, anyOf]) => ({ name, anyOf }));
const condition: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(null, "lock_screen", "modal"), fc.constantFrom(null, "tap"), fc.array(fact, { maxLength: 2 }))
  .map(([event, tool, facts]) => ({ event, tool, facts }));

const body = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 6 })
  .map((pieces) => pieces.join(""))
  .chain((text) => fc.nat(60).map((more) => text + (more > 40 ? "x".repeat(more) : "")));

const about: fc.Arbitrary<Partial<Rule> & { readonly id: string }> = fc.record({
  id: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...IDS) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  ),
  order: fc.integer({ min: -1, max: 1 }),
  body,
  revision: fc.nat(9).map((digit) => String(digit).repeat(64)),
  app: globs(GLOBS),
  task: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: matcher }),
  paths: globs(GLOBS),
  profile: fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: globs(["phone", "p*", "desk"]) },
  ),
  when: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: condition }),
  breach: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: condition }),
  escalate: fc.constantFrom(null, "warn" as const, "end" as const),
  safety: fc.nat(3).map((one) => one === 0),
});

const someRules: fc.Arbitrary<readonly Rule[]> = fc
  .oneof(
    { weight: 12, arbitrary: fc.uniqueArray(about, { selector: ({ id }) => id, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.array(about, { maxLength: 5 }) },
  )
  .map((list) => list.map((one, i) => someRule(one.id, { ...one, file: `${i}.md` })));

const someTask: fc.Arbitrary<GuideTask> = fc.record({
  text: fc
    .array(fc.constantFrom(...SAID), { maxLength: 6 })
    .chain((said) => fc.constantFrom(" ", "", ", ").map((gap) => said.join(gap))),
  app: fc.oneof(fc.constant(null), fc.constantFrom(...APPS), wildName),
  paths: fc.oneof(
    { weight: 15, arbitrary: fc.array(fc.oneof(fc.constantFrom(...FILES), wildName), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(TOO_MANY) },
  ),
});

const draw = fc.record({
  rules: someRules,
  task: someTask,
  profile: fc.record({
    name: fc.constantFrom("phone", "desk", ""),
    slot: fc.constantFrom(...SLOTS),
    bytesPerToken: fc.constantFrom(1, 3.5, 4),
    measured: fc.constantFrom("unmeasured", "llama 2026-01"),
  }),
  room: fc.oneof(
    { weight: 1, arbitrary: fc.record({ bytes: fc.nat(300) }) },
    { weight: 3, arbitrary: fc.record({ ofRules: fc.nat((1 << 12) - 1), beside: fc.integer({ min: -1, max: 1 }) }) },
  ),
  /** How many bytes the window has beside what text and channel B take; null: plenty. */
  window: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 1 }) },
  ),
  salt: fc.nat(),
});

/** A budget is a number, or what some of the rules take together, one byte less or one more; a window likewise. */
export const world: fc.Arbitrary<World> = draw.map(({ rules, task, profile, room, window, salt }) => {
  const some = "bytes" in room ? [] : rules.filter((_, i) => ((room.ofRules >> i) & 1) === 1);
  const budget = "bytes" in room ? room.bytes : bytesOf(some.map((rule) => rule.body).join("\n\n")) + room.beside;
  const roomy = someProfile(Math.max(0, budget), profile);
  const made = specCompile(rules, task, roomy);
  if (window === null || made.kind === "refusal") return { rules, task, profile: roomy, salt };
  const taken = made.report.routed.reduce((bytes, rule) => bytes + 2 + rule.bytes, made.report.bytes);
  return { rules, task, profile: { ...roomy, contextTokens: Math.max(0, taken + window), bytesPerToken: 1 }, salt };
});

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The same in another order, by a salt. */
export function shuffled<T>(list: readonly T[], salt: number): readonly T[] {
  const left = [...list];
  const out: T[] = [];
  for (let state = salt; left.length > 0; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    out.push(...left.splice((state >>> 8) % left.length, 1));
  }
  return out;
}

/** The same value with the keys of each object in another order, all the way down. */
export function rekeyed<T>(value: T, salt: number): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => rekeyed(one, salt)) as T;
  const entries = shuffled(Object.entries(value), salt);
  return Object.fromEntries(entries.map(([key, one]) => [key, rekeyed(one, salt + 1)])) as T;
}
