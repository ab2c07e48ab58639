/**
 * Where rules apply: their globs over app, paths and profile. Rules share scopes and scopes share globs, so each distinct
 * pattern is read once a set and asked once a compile, however many rules have it.
 */
import type { GuideTask, Rule } from "../domain/rule.ts";
import type { Unselected } from "../domain/served.ts";
import { type Glob, parseGlob, parsePathGlob } from "./glob.ts";
import { matchesName, matchesPath } from "./glob-match.ts";
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

/** Why a scope does not hold, or null where it does. */
export type Outside = Exclude<Unselected["because"], "task"> | null;

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
): (rule: number) => Outside {
  const app = task.app?.normalize("NFC") ?? null;
  const paths = task.paths.map(normalPath);
  const known: (Outside | undefined)[] = [];
  const apps = asked(globs, (glob) => app !== null && matchesName(glob, app));
  const files = asked(globs, (glob) => paths.some((path) => matchesPath(glob, path)));
  const profiles = asked(globs, (glob) => matchesName(glob, profile.normalize("NFC")));
  const judge = (scope: Scope | undefined): Outside => {
    if (scope === undefined || !holds(scope.app, apps)) return "app";
    if (!holds(scope.paths, files)) return "paths";
    return holds(scope.profile, profiles) ? null : "profile";
  };
  return (rule) => {
    const number = scopeOf[rule] ?? -1;
    let outside = known[number];
    if (outside === undefined) {
      outside = judge(scopes[number]);
      known[number] = outside;
    }
    return outside;
  };
}

/** No pattern: whatever it is, and also where there is none. */
function holds(patterns: readonly number[], fires: (glob: number) => boolean): boolean {
  return patterns.length === 0 || patterns.some((glob) => fires(glob));
}

function asked(globs: readonly Glob[], judge: (glob: Glob) => boolean): (number: number) => boolean {
  const known = new Int8Array(globs.length);
  return (number) => {
    const glob = globs[number];
    if (known[number] === 0 && glob !== undefined) known[number] = judge(glob) ? 1 : -1;
    return known[number] === 1;
  };
}
