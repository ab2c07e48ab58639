/**
 * A HouseRule: who decided where no rule of the operator's did, as a `decided` row names it. The one list: no rule of an
 * operator may have such a name, since whoever reads the record takes its decisions for the house's.
 */
export const HOUSE_RULES = [
  "loop",
  "proposal",
  "output",
  "input",
  "record",
  "evidence",
  "approval",
  "caps",
  "once",
  "default",
] as const;
export type HouseRule = (typeof HOUSE_RULES)[number];

/** Whether a recorded decision is this rule's. */
export function isBy(rule: string, house: HouseRule): boolean {
  return rule === house;
}
