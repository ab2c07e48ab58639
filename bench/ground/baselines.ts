/** Two well-kept libraries for finding texts, used as one would use them to bind an intent to a control. */
import Fuse from "fuse.js";
import MiniSearch from "minisearch";
import type { Control, ControlMap } from "../../src/domain/control-map.ts";
import { NOUNS, STOP, VERBS } from "../../src/guides/ground/words.ts";

export type Ranked = { readonly id: string; readonly score: number };

/** Searches one map: the two best controls for an intent, best first. */
export type Search = (intent: string) => readonly Ranked[];

export type Baseline = {
  readonly name: string;
  readonly over: (map: ControlMap) => Search;
};

const LIGHT: ReadonlySet<string> = new Set([...STOP, ...VERBS, ...NOUNS]);

/** Both are given the intent without the words that say little, which helps both; where there are no others, as it is. */
function telling(intent: string): string {
  const words = intent.split(/\s+/).filter((word) => !LIGHT.has(word.toLowerCase().replace(/[^a-z]/g, "")));
  return words.length > 0 ? words.join(" ") : intent;
}

/** `addToCartButton`, as words. */
function spaced(resourceId: string): string {
  return resourceId.replace(/^.*[:/]/s, "").replace(/(\p{Ll})(\p{Lu})|_/gu, "$1 $2");
}

const texts = (control: Control) => ({
  ...control,
  childText: control.childText.join(" "),
  resourceId: spaced(control.resourceId),
});

export const FUZZY: Baseline = {
  name: "fuzzy match (fuse.js)",
  over: (map) => {
    const keys = ["text", "desc", "childText", { name: "resourceId", weight: 0.5 }];
    const fuse = new Fuse(map.controls.map(texts), { keys, includeScore: true, ignoreLocation: true, threshold: 1 });
    return (intent) =>
      fuse.search(telling(intent), { limit: 2 }).map(({ item, score = 1 }) => ({ id: item.id, score: 1 - score }));
  },
};

export const FULL_TEXT: Baseline = {
  name: "full text (minisearch)",
  over: (map) => {
    const search = new MiniSearch({
      fields: ["text", "desc", "childText", "resourceId"],
      searchOptions: { fuzzy: 0.2, prefix: (term) => term.length > 3, boost: { resourceId: 0.5 } },
    });
    search.addAll(map.controls.map(texts));
    return (intent) => {
      const query = telling(intent);
      // Its scores grow with the number of words.
      const words = query.split(/\s+/).length;
      return search
        .search(query)
        .slice(0, 2)
        .map(({ id, score }) => ({ id: String(id), score: score / words }));
    };
  },
};
