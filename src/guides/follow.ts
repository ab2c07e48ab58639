import type { Guide, Milestone } from "../domain/guide.ts";

/** A part of a guide that is told by itself: when its screen is up, or, where that is null, from the start. */
export type FollowPart = { readonly screen: string | null; readonly guide: Guide };

/**
 * A guide in parts, so that what is told fits the screen that is up: the entry steps for the start, and a part for each screen on
 * which milestones are done, in their order. What is told stays told, and once: so a milestone on a screen that had its part before
 * stays with the step that it comes after.
 *
 * @param screenOf the screen on which a step is done; null where nothing says it.
 */
export function followParts(guide: Guide, screenOf: (step: Milestone) => string | null): readonly FollowPart[] {
  const parts: { screen: string | null; steps: Milestone[] }[] = [];
  if (guide.entry.length > 0) parts.push({ screen: null, steps: [...guide.entry] });
  const seen = new Set<string>();
  for (const step of guide.milestones) {
    const screen = screenOf(step);
    const last = parts.at(-1);
    if (last !== undefined && (screen === null || seen.has(screen))) last.steps.push(step);
    else parts.push({ screen, steps: [step] });
    if (screen !== null) seen.add(screen);
  }
  return parts.map(({ screen, steps }, i) => ({
    screen,
    guide: { ...guide, id: partId(guide.id, i), entry: [], milestones: steps },
  }));
}

/** The first part has the guide's own id, and the others have it with their number. */
function partId(id: string, i: number): string {
  return i === 0 ? id : `${id.slice(0, FOLLOW_ID_UNITS)}-${i + 1}`;
}

/** As much of an id as leaves room for a number behind it. */
export const FOLLOW_ID_UNITS = 60;
