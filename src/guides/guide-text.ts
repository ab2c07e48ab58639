import type { Guide, Milestone } from "../domain/guide.ts";

/**
 * What a model is told of a guide: one numbered line a step, in the interface's own words. A function of the guide alone, so
 * that a verification can hold a file's text against the steps that were grounded; `titles` names the screens, by their ids.
 */
export function guideText(guide: Guide, titles: ReadonlyMap<string, string>): string {
  const { task, preconditions, entry, milestones, fallback, scope } = guide;
  const steps = [...entry, ...milestones].map((step, i) => `${i + 1}. ${stepText(step, titles)}`);
  return [
    `To ${lowerFirst(task)}:`,
    ...preconditions.map((text) => `- First make sure: ${text}`),
    ...steps,
    `If a step cannot be done: ${fallback}`,
    `This is for: ${scope}`,
  ].join("\n");
}

function stepText({ screen, intent }: Milestone, titles: ReadonlyMap<string, string>): string {
  const title = screen === null ? "" : (titles.get(screen) ?? screen);
  return title === "" ? intent : `On "${title}": ${intent}`;
}

/** A task is a request, and stands here in the middle of a sentence; a name or an abbreviation is left as it is. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
