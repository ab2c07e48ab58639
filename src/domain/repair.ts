/**
 * What small models do to a reply that can be undone without guessing, one word each; what was done is recorded with the
 * original text and the text that was read instead.
 */
export const REPAIR_NAMES = [
  "think",
  "fence",
  "prose",
  "wrapper",
  "twice",
  "trailing_comma",
  "single_quotes",
  "kind_case",
  "tool_call_text",
  "flat_in_text",
] as const;

export type RepairName = (typeof REPAIR_NAMES)[number];

/** `text` is the reply that was read, as the flat object that it should have been. */
export type Repair = { readonly names: readonly RepairName[]; readonly text: string };

/** Each name once, in the order of the list above, however often and in whatever order things were mended. */
export function inOrder(names: Iterable<RepairName>): readonly RepairName[] {
  const done = new Set(names);
  return REPAIR_NAMES.filter((name) => done.has(name));
}
