/** A Placement: how reversible a tool's effect is. The mandatory rails follow from it (design 6.2). */
export const PLACEMENTS = ["internal", "user-reversible", "staff-reversible", "irreversible"] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** Whether `placement` is at least as hard to undo as `floor`. */
export function atLeast(placement: Placement, floor: Placement): boolean {
  return PLACEMENTS.indexOf(placement) >= PLACEMENTS.indexOf(floor);
}
