import { finding } from "./finding-codes.ts";
import type { FoundIn, LintFile } from "./lint-file.ts";
import type { RulePlaces } from "./parse-rule.ts";
import { shownName } from "./places.ts";

/** Other files that a message names; more are counted. */
const NAMED_MAX = 20;

/** What a comparison needs of a file whose header could be read. */
type Known = { readonly file: string; readonly id: string; readonly places: RulePlaces };

/**
 * Files with the same id. Each of them is an error of its own, since none of them can be told to be the right one, and whoever
 * looks at one file has to learn of it.
 */
export function duplicateIds(files: readonly LintFile[]): readonly FoundIn[] {
  const known = files.flatMap(({ name, parsed }): readonly Known[] => {
    if (parsed.ok) return [{ file: name, id: parsed.rule.id, places: parsed.places }];
    return parsed.headerUnreadable ? [] : [{ file: name, id: parsed.id, places: parsed.places }];
  });
  return grouped(known, ({ id }) => id).flatMap((group) =>
    group.map(({ file, id, places }, i) => {
      // Enough of its neighbours to name, so that many files with one id do not take quadratic time.
      const others = group.slice(Math.max(0, i - NAMED_MAX), i + NAMED_MAX + 1).filter((one) => one.file !== file);
      const says = `the id "${id}" is also that of ${named(others, group.length - 1)}: give each rule its own`;
      return { file, finding: finding("duplicate_id", places.id ?? file, says) };
    }),
  );
}

/** Rules that say the same, byte for byte or but for white space: each would be told, and would spend the budget. */
export function duplicateTexts(files: readonly LintFile[]): readonly FoundIn[] {
  const rules = files.flatMap(({ name, parsed }) =>
    parsed.ok ? [{ file: name, body: parsed.rule.body, places: parsed.places }] : [],
  );
  return grouped(rules, ({ body }) => body.split(/\s+/).join(" ").trim()).flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    const same = others.every(({ body }) => body === first.body) ? "byte for byte" : "but for white space";
    const says = `says the same as ${named(others, others.length)}, ${same}: keep one`;
    return [{ file: first.file, finding: finding("duplicate_rule", first.places.body ?? first.file, says) }];
  });
}

/** Groups of two or more, in the order of their first members. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function named(others: readonly { readonly file: string }[], count: number): string {
  const names = others.slice(0, NAMED_MAX).map(({ file }) => shownName(file));
  return `${names.join(", ")}${count > names.length ? ` and ${count - names.length} more` : ""}`;
}
