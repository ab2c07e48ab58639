/** Guardrail 2: repetition. The third identical proposal in a row is not run. Results play no part (design 5.2.2). */
export const IDENTICAL_MAX = 3;

/** What was proposed, in canonical form, and whether its tool declares that it may be repeated. */
export type Signature = { readonly text: string; readonly mayRepeat: boolean };

/** Identical proposals in a row, counted over actions and the steps of plans alike, so that no plan hides a row of them. */
export type Streak = { readonly text: string; readonly count: number };

/** The streak after `signature`; a tool that may repeat never makes one. */
export function nextStreak(streak: Streak | null, signature: Signature): Streak | null {
  if (signature.mayRepeat) return null;
  return { text: signature.text, count: streak?.text === signature.text ? streak.count + 1 : 1 };
}

export function isTooLong(streak: Streak | null): boolean {
  return streak !== null && streak.count >= IDENTICAL_MAX;
}

/** Whether the newest turns are identical once too often: actions, plans by the set of their steps, unreadable replies. */
export function isRepetition(recent: readonly Signature[]): boolean {
  const newest = recent.at(-1);
  if (newest === undefined || newest.mayRepeat || recent.length < IDENTICAL_MAX) return false;
  if (recent.at(-2)?.text !== newest.text) return false;
  return recent.slice(-IDENTICAL_MAX).every((turn) => turn.text === newest.text);
}
