/**
 * Lines that may make a rule one that must never be dropped. Only a person can say so: an import sets no `safety`, and points at
 * what to look at. Two signs are taken, and no others: a prohibition in capitals, and a prohibition in a line about something
 * that cannot be undone or must not be told.
 */
const CAPITALS = /\b(?:NEVER|MUST NOT|MUST NEVER|DO NOT|DON'T|DON’T|FORBIDDEN|PROHIBITED)\b/;
const PROHIBITION = /\b(?:never|must not|do not|don['’]t|not allowed|forbidden|prohibited)\b/i;
const GRAVE =
  /\b(?:secrets?|credentials?|passwords?|private keys?|api keys?|personal data|production data|delet(?:e|es|ed|ing)|destroy|destructive|irreversible|overwrit(?:e|es|ing)|force[- ]push|rm -rf|drop table|payments?|refunds?)\b/i;

/** The first such sign in a text, as it stands there; null where there is none. */
export function prohibitionIn(text: string): string | null {
  const capitals = CAPITALS.exec(text)?.[0];
  if (capitals !== undefined) return capitals;
  if (!PROHIBITION.test(text)) return null;
  for (const line of text.split("\n")) {
    const grave = PROHIBITION.test(line) ? GRAVE.exec(line)?.[0] : undefined;
    if (grave !== undefined) return `${PROHIBITION.exec(line)?.[0] ?? ""} ... ${grave}`;
  }
  return null;
}
