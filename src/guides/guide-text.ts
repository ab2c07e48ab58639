import type { Guide, Milestone } from "../domain/guide.ts";

/**
 * What a model is told of a guide: the operator's task, one numbered line a step in the words that were grounded, and a last
 * sentence of ours. A function of the guide alone, so that a verification can hold a file's text against the steps. What a model
 * wrote besides (preconditions, fallback, scope) is grounded in nothing: it is in the header for whoever reviews it, and is not
 * told.
 */
export function guideText(guide: Guide): string {
  const { task, entry, milestones } = guide;
  const steps = [...entry, ...milestones].map((step, i) => `${i + 1}. ${stepText(step)}`);
  return [`To ${lowerFirst(task)}:`, ...steps, LAST].join("\n");
}

const LAST = "If a step cannot be done as it stands here, stop and say which.";

/**
 * A screen is told by its id, which the operator chose or a harvester made, and only where that is one word. Its title is the page's
 * own text, and whoever writes a page writes its title: in the middle of an instruction it would be read as one.
 */
function stepText({ screen, intent }: Milestone): string {
  return screen !== null && WORD.test(screen) ? `On "${screen}": ${intent}` : intent;
}

const WORD = /^[\p{L}\p{N}](?:[\p{L}\p{N}./_-]{0,38}[\p{L}\p{N}])?$/u;

/** A task is a request, and stands here in the middle of a sentence; a name or an abbreviation is left as it is. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
