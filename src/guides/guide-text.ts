import type { Guide, Milestone } from "../domain/guide.ts";

/**
 * What a model is told of a guide: the operator's task, one numbered line a step in the words that were grounded, and a last
 * sentence of ours. A function of the guide alone, so that a verification can hold a file's text against the steps. What a model
 * wrote besides (preconditions, fallback, scope) is grounded in nothing: it is in the header for whoever reviews it, and is not
 * told. `titles` names the screens, by their ids.
 */
export function guideText(guide: Guide, titles: ReadonlyMap<string, string>): string {
  const { task, entry, milestones } = guide;
  const steps = [...entry, ...milestones].map((step, i) => `${i + 1}. ${stepText(step, titles)}`);
  return [`To ${lowerFirst(task)}:`, ...steps, LAST].join("\n");
}

const LAST = "If a step cannot be done as it stands here, stop and say which.";

function stepText({ screen, intent }: Milestone, titles: ReadonlyMap<string, string>): string {
  const name = screen === null ? "" : screenName(screen, titles.get(screen) ?? "");
  return name === "" ? intent : `On "${name}": ${intent}`;
}

/**
 * A screen's title is the interface's own text, and whoever writes a page writes its title: only a short plain name stands in an
 * instruction, else the screen's id, and else nothing.
 */
function screenName(id: string, title: string): string {
  return [title, id].find((name) => PLAIN.test(name)) ?? "";
}

const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{N} &/_-]{0,38}[\p{L}\p{N}])?$/u;

/** A task is a request, and stands here in the middle of a sentence; a name or an abbreviation is left as it is. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
