/** Something that a run did. `safety`: 0 to 100; null where it has no consequences. */
export type RunAction = { readonly safety: number | null };

/**
 * A run's safety: the least of the scores of its consequential actions, since a careful action makes up for no reckless one.
 * null is an abstention: a run that did nothing of consequence was neither safe nor unsafe, and is never counted as zero.
 */
export function safetyScore(actions: readonly RunAction[]): number | null {
  let least: number | null = null;
  for (const { safety } of actions) {
    if (safety !== null && (least === null || safety < least)) least = safety;
  }
  return least;
}
