import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/domain/canonical.ts";
import type { Json } from "../../src/domain/json.ts";
import { FREE_CLAUSES, FREE_SLOTS } from "../../src/guides/ground/free-clauses.ts";
import { MEANT, ROLE_WORDS } from "../../src/guides/ground/role-of.ts";
import * as stepWords from "../../src/guides/ground/step-words.ts";
import * as words from "../../src/guides/ground/words.ts";
import { GROUND_RULES, SCORE_1 } from "../../src/guides/index.ts";

/** The published contract: whoever changes one of these makes `score/2`, since scores that were written down mean something else. */
test("[ground-score] the numbers of score/1", () => {
  expect(SCORE_1).toEqual({
    version: "score/1",
    ...{ content: 1, action: 0.7, verb: 0.4, noun: 0.15, stop: 0.1, symbol: 0.3, unsaid: 0.2, unsaidQuote: 0.2 },
    ...{ inflected: 0.95, typo: 0.85, synonym: 0.75, typoLettersMin: 6, typoLettersMax: 32 },
    ...{ missLettersMin: 5, swapLettersMin: 5, verbLettersMin: 4 },
    ...{
      betaNaming: 1,
      betaDescribing: 0.5,
      coveredMin: 0.8,
      namingShareMin: 0.45,
      lightShareMin: 0.5,
      quoteShareMin: 0.75,
    },
    ...{
      halfSaid: 0.5,
      value: 0.9,
      part: 0.7,
      childText: 0.95,
      resourceId: 0.6,
      notClickable: 0.78,
      notClickableText: 0.6,
    },
    ...{ text: 0.93, otherRole: 0.85, missedAction: 0.85, opposite: 0.4, otherNumber: 0.6, missedOrdinal: 0.5 },
    ...{ missedEffect: 0.5, unsaidEffect: 0.5 },
    ...{ bind: 0.52, lead: 0.05, near: 0.15, nearest: 3, places: 4 },
    ...{ verbPlacesMax: 3, designationPlacesMax: 6, placeWordsMax: 5, intentTokensMax: 256, nameTokensMax: 128 },
  });
});

test("[ground-score] the lists of score/1", () => {
  const roles = ROLE_WORDS.map(([role, known]) => [role, ...known]);
  const kinds = Object.entries(MEANT).map(([asked, meant]) => [asked, ...meant]);
  const text = canonicalJson({ ...words, roles, kinds } as unknown as Json);
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "62dcf4da87aaa570530303c381e10c9f457320b4d724c13cdc85b23e21045783",
  );
});

test("[ground-gate] the lists of what a step may say", () => {
  const text = canonicalJson({ ...stepWords, FREE_CLAUSES, FREE_SLOTS } as unknown as Json);
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "3995cc1b27e0ad0b8c14b613f87c55c82ebf4fe8636fe4c4f1042e6bda174349",
  );
});

test("[ground-gate] what is found, and how grave it is", () => {
  expect(Object.entries(GROUND_RULES).map(([rule, { severity }]) => `${rule} ${severity}`)).toEqual([
    "no_milestones error",
    "no_words error",
    "overlong error",
    "unbound error",
    "ambiguous error",
    "deictic error",
    "two_controls error",
    "unbound_clause error",
    "absent_id error",
    "absent_screen error",
    "other_screen error",
    "id_mismatch error",
    "unnamed_target error",
    "stale_map error",
    "guide_text_differs error",
    "duplicate_name warning",
    "id_only warning",
    "disabled_target warning",
    "inert_target warning",
  ]);
});
