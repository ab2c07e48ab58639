/**
 * Provenance: where a value was seen in a thread (design 6.3), for tools that have no record to cite. Whether two spellings are
 * one value is a documented, closed list of normalisations (docs/guide.md), and never a model's opinion.
 */

/** Where a value was seen: in the operator's own words, in a field that only trusted systems write, or anywhere else. */
export type SeenIn = "request" | "trusted" | "untrusted";

/**
 * A Sighting: one place where a value was seen. `tool` and `path` name the output field, and `tool` is null for what was
 * said and not returned by a tool. Names in a path are joined by dots, a list's items are `[]`, a key that holds one of
 * `.[]{}"` or a space is quoted as JSON in brackets, and `*` stands for the keys themselves: `[].recipient`, `iban`, "" for
 * a bare result.
 */
export type Sighting = { readonly source: SeenIn; readonly tool: string | null; readonly path: string };

/**
 * By path of the params' leaf values (`recipient`, `recipients[0]`, `event.link`): where each was seen. An empty list:
 * nowhere. What stands inside of a composed text is under `body{https://example.com}`. Plain JSON, in the `decided` row.
 */
export type Provenance = { readonly [paramPath: string]: readonly Sighting[] };

/** Of what nobody traced. One value, so that a row which leaves it out is told at once. */
export const NO_PROVENANCE: Provenance = Object.freeze({});

/** How two spellings of one value are compared. */
export const SPELLINGS = ["text", "email", "url", "number", "date"] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** What a field of the params must be: its whole value (each item of a list, each leaf of an object) seen in one of `from`. */
export type ProvenanceRule = {
  readonly from: readonly ("request" | "trusted")[];
  /** How two spellings of one value are compared. Default `text`. */
  readonly as?: Spelling;
  /** What comes of it where it was not seen so. Default: denied, with `provenance_missing` or `provenance_untrusted`. */
  readonly otherwise?: { readonly stage: string };
  /**
   * For free text: the text itself may be composed, but each link, host, e-mail address, account number and the like inside
   * of it must have been seen in `from`.
   */
  readonly inside?: true;
};

/** By top-level field of the params. */
export type ProvenanceRules = { readonly [field: string]: ProvenanceRule };

/** Which fields of a tool's results nobody outside can write: paths as in a Sighting, or all of them. */
export type Trusted = readonly string[] | "all";
