/** Rules, tasks and profiles for tests: the plainest ones, with what a test is about. */
import type { Profile } from "../../src/domain/profile.ts";
import type { GuideTask, Rule, TaskMatcher } from "../../src/domain/rule.ts";

export function someRule(id: string, about: Partial<Rule> = {}): Rule {
  return {
    id,
    file: `${id}.md`,
    revision: "0".repeat(64),
    app: [],
    task: null,
    paths: [],
    profile: [],
    when: null,
    breach: null,
    escalate: null,
    safety: false,
    order: 0,
    expires: null,
    guide: null,
    body: `The text of ${id}.`,
    from: 0,
    to: 0,
    ...about,
  };
}

/** `words` is one phrase, in its compared form. */
export function onWords(...words: readonly string[]): TaskMatcher {
  return { phrases: [words], words: [], least: 1 };
}

export function someTask(text: string, about: Partial<GuideTask> = {}): GuideTask {
  return { text, app: null, paths: [], ...about };
}

export function someProfile(budgetBytes: number, about: Partial<Profile> = {}): Profile {
  return {
    name: "phone",
    budgetBytes,
    slot: "system_end",
    contextTokens: 100_000,
    bytesPerToken: 4,
    measured: "unmeasured",
    ...about,
  };
}

/** A condition of channel B. */
export const ON_LOCK = { event: "lock_screen", tool: null, facts: [] } as const;
