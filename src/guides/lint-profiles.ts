import type { Profile } from "../domain/profile.ts";
import type { Rule } from "../domain/rule.ts";
import { parseGlob } from "./glob.ts";
import { matchesName } from "./glob-match.ts";

/** Which rules are for which of some profiles. Each distinct pattern is held against the profiles once. */
export type ProfileFit = {
  readonly profiles: readonly Profile[];
  /** The profiles that a rule is for. */
  of(rule: Pick<Rule, "profile">): readonly Profile[];
  fits(rule: Pick<Rule, "profile">, profile: Profile): boolean;
  /** Its patterns that match no profile. */
  unmatched(rule: Pick<Rule, "profile">): readonly string[];
};

export function profileFit(profiles: readonly Profile[]): ProfileFit {
  const known = new Map<string, ReadonlySet<Profile>>();
  const matched = (text: string): ReadonlySet<Profile> => {
    let found = known.get(text);
    if (found === undefined) {
      const glob = parseGlob(text);
      found = new Set(glob.ok ? profiles.filter(({ name }) => matchesName(glob.value, name.normalize("NFC"))) : []);
      known.set(text, found);
    }
    return found;
  };
  const fits = (rule: Pick<Rule, "profile">, profile: Profile): boolean =>
    rule.profile.length === 0 || rule.profile.some((text) => matched(text).has(profile));
  return {
    profiles,
    of: (rule) => (rule.profile.length === 0 ? profiles : profiles.filter((profile) => fits(rule, profile))),
    fits,
    // Without any profile there is nothing to hold a pattern against.
    unmatched: (rule) => (profiles.length === 0 ? [] : rule.profile.filter((text) => matched(text).size === 0)),
  };
}
