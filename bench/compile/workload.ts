/** Rules of real text for the figure: each section of the public rule files is a rule, its matchers made of its own words. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Rule, TaskMatcher } from "../../src/domain/rule.ts";
import { runsOf } from "../../src/guides/index.ts";
import { NoData } from "../figures/figure.ts";

export type Text = { readonly body: string; readonly words: readonly string[] };

/** Words of the task that the rules are selected for; a rule that is to match has all of them. */
export const TASK = "Please refund the second order of the customer and write the test for src/orders/refund.ts";
const HIT = ["refund", "order"];
/** So that most words of the task occur in many rules that do not match. */
const NEAR = ["refund", "order", "write", "test", "the"];
const APPS = [[], [], [], ["com.example.*"], ["com.example.shop", "web:*"]];
const PATHS = [[], [], [], ["src/**/*.{ts,tsx}"], ["**/*.ts"], ["src/orders/**", "lib/**/*.rb"]];

/** Every section of every file below `directory`. */
export function realTexts(directory: string): readonly Text[] {
  if (!existsSync(directory))
    throw new NoData(`there are no rule files in ${directory}: give their folder with --data`);
  const texts = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|mdc)$/.test(entry.name))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").split(/\n(?=#{1,6} )/))
    .map((section) => section.trim())
    .filter((body) => body !== "" && body.isWellFormed())
    .map((body) => ({ body, words: [...new Set(runsOf(body).map((run) => run.text))] }))
    .filter(({ words }) => words.length > 0);
  if (texts.length === 0) throw new NoData(`there are no rule files in ${directory}`);
  return texts;
}

/** `count` rules of these texts, of which `matching`, spread evenly, are selected for the task; the others only nearly. */
export function rulesOf(texts: readonly Text[], count: number, matching: number, seed: number): readonly Rule[] {
  const random = drawer(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, i) => {
    const { body, words } = texts[i % texts.length] as Text;
    const hits = Math.floor(((i + 1) * matching) / count) > Math.floor((i * matching) / count);
    // A word of another number on each, so that no phrase of a rule that only nearly matches is the task's.
    const others = [
      [pick(words), `unsaid${i % 1_000}`],
      [pick(NEAR), pick(words), `unsaid${i % 999}`],
    ];
    const task: TaskMatcher = { phrases: hits ? [...others, HIT] : others, words: [], least: 1 };
    const app = pick(APPS);
    const paths = pick(PATHS);
    return {
      id: `rule-${i}`,
      file: `rules/${i}.md`,
      revision: i.toString(16).padStart(64, "0"),
      app,
      task,
      paths,
      profile: [],
      when: null,
      breach: null,
      escalate: null,
      safety: false,
      order: i % 100,
      expires: null,
      guide: null,
      body,
      from: 0,
      to: body.length,
    };
  });
}

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function drawer(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
