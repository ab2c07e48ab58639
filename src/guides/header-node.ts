import type { Scalar } from "../domain/rule.ts";

/** A value of a header as it was written. `at`: where it begins in the file, in UTF-16 units. */
export type HeaderNode =
  | { readonly kind: "scalar"; readonly at: number; readonly value: Scalar | null }
  | { readonly kind: "list"; readonly at: number; readonly items: readonly HeaderNode[] }
  | HeaderMap;

export type HeaderMap = { readonly kind: "map"; readonly at: number; readonly entries: readonly HeaderEntry[] };

/** A key, where it stands, and its value. */
export type HeaderEntry = { readonly key: string; readonly at: number; readonly value: HeaderNode };
