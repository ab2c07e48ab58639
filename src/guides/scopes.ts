/**
 * Where rules apply: their globs over app, paths and profile. Rules share scopes and scopes share globs, so each distinct
 * pattern is read once a set and asked once a compile, however many rules have it.
 */
import { type GuideTask, type Rule, TASK_PATHS_MAX } from "../domain/rule.ts";
import type { Unselected } from "../domain/served.ts";
import { type Glob, parseGlob, parsePathGlob } from "./glob.ts";
import { isSpent, matchesName, matchesPath, type Steps } from "./glob-match.ts";
import { normalPath } from "./normal-path.ts";

export type Scopes = {
  readonly globs: readonly Glob[];
  readonly scopes: readonly Scope[];
  /** Which scope each rule has. */
  readonly scopeOf: Int32Array;
};

/** Globs by their number in the table. */
type Scope = {
  readonly app: readonly number[];
  readonly paths: readonly number[];
  readonly profile: readonly number[];
};

/** Why a scope does not hold, or null where it does; and whether it does only since not all of it was looked at. */
export type Judged = { readonly outside: Exclude<Unselected["because"], "task"> | null; readonly assumed: boolean };

/**
 * Steps that all patterns of a compile take together, so that no request stops the loop for 50 ms (claim S9). Eighty rules
 * for a folder that may be anywhere, over a hundred files, are within it; what is not looked at is told.
 */
export const SCOPE_STEPS_MAX = 250_000;

/** Throws on a pattern that cannot be read: no parser leaves one, and a matcher must not quietly never fire. */
export function scopesOf(rules: readonly Pick<Rule, "id" | "app" | "paths" | "profile">[]): Scopes {
  const globs: Glob[] = [];
  const globNumbers = new Map<string, number>();
  const numberOf = (id: string, text: string, read: typeof parseGlob): number => {
    const key = `${read === parsePathGlob ? "path" : "name"} ${text}`;
    const known = globNumbers.get(key);
    if (known !== undefined) return known;
    const glob = read(text);
    if (!glob.ok) throw new TypeError(`rule ${id} has a pattern that cannot be read: ${glob.why.detail}`);
    globs.push(glob.value);
    globNumbers.set(key, globs.length - 1);
    return globs.length - 1;
  };
  const scopes: Scope[] = [];
  const scopeNumbers = new Map<string, number>();
  const scopeOf = Int32Array.from(rules, ({ id, app, paths, profile }) => {
    const [apps, profiles] = [app, profile].map((list) => list.map((text) => numberOf(id, text, parseGlob)));
    const files = paths.map((text) => numberOf(id, text, parsePathGlob));
    const key = `${apps}|${files}|${profiles}`;
    const known = scopeNumbers.get(key);
    if (known !== undefined) return known;
    scopes.push({ app: apps ?? [], paths: files, profile: profiles ?? [] });
    scopeNumbers.set(key, scopes.length - 1);
    return scopes.length - 1;
  });
  return { globs, scopes, scopeOf };
}

/** Asks for this task, each scope and each pattern when it is first needed. The answer is by the rule's number. */
export function outsideOf(
  { globs, scopes, scopeOf }: Scopes,
  task: GuideTask,
  profile: string,
  steps: Steps = { count: 0, max: SCOPE_STEPS_MAX },
): (rule: number) => Judged {
  const app = task.app?.normalize("NFC") ?? null;
  const name = profile.normalize("NFC");
  const isAboutAll = task.paths.length > TASK_PATHS_MAX;
  const paths = isAboutAll ? [] : task.paths.map(normalPath);
  const apps = asked(globs, steps, (glob) => app !== null && matchesName(glob, app, steps));
  const files = asked(globs, steps, (glob) => paths.some((path) => matchesPath(glob, path, steps)));
  const profiles = asked(globs, steps, (glob) => matchesName(glob, name, steps));
  const judge = (scope: Scope | undefined): Judged => {
    const inApp = held(scope?.app ?? [], apps);
    if (inApp === NO) return { outside: "app", assumed: false };
    const inFiles = held(scope?.paths ?? [], isAboutAll ? assumed : files);
    if (inFiles === NO) return { outside: "paths", assumed: false };
    const inProfile = held(scope?.profile ?? [], profiles);
    if (inProfile === NO) return { outside: "profile", assumed: false };
    return { outside: null, assumed: inApp === ASSUMED || inFiles === ASSUMED || inProfile === ASSUMED };
  };
  const known: (Judged | undefined)[] = [];
  return (rule) => {
    const number = scopeOf[rule] ?? -1;
    let judged = known[number];
    if (judged === undefined) {
      judged = judge(scopes[number]);
      known[number] = judged;
    }
    return judged;
  };
}

/** What is known of a pattern: nothing yet, and then that it matches nothing, that it matches, or that it counts as matching. */
const UNASKED = 0;
const NO = 1;
const YES = 2;
const ASSUMED = 3;

/** Of several patterns one is enough. No pattern: whatever it is, and also where there is none. */
function held(patterns: readonly number[], fires: (glob: number) => number): number {
  if (patterns.length === 0) return YES;
  for (const glob of patterns) {
    const fired = fires(glob);
    if (fired !== NO) return fired;
  }
  return NO;
}

function assumed(): number {
  return ASSUMED;
}

function asked(globs: readonly Glob[], steps: Steps, judge: (glob: Glob) => boolean): (number: number) => number {
  const known = new Uint8Array(globs.length);
  return (number) => {
    const glob = globs[number];
    if (known[number] === UNASKED && glob !== undefined) {
      const fires = isSpent(steps) || judge(glob);
      known[number] = !fires ? NO : isSpent(steps) ? ASSUMED : YES;
    }
    return known[number] ?? NO;
  };
}
