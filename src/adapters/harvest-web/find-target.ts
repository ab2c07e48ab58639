import type { EntryStep, StepTarget } from "../../domain/entry-path.ts";
import { quoted } from "../../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import type { SeenControl } from "./controls-of-page.ts";

const LISTED_MAX = 6;

/** The one control that a step means. None, or more than one, is not guessed at: the refusal names what is there. */
export function findTarget(step: EntryStep, controls: readonly SeenControl[], at: string): Parsed<SeenControl> {
  const { target } = step;
  const usable = controls.filter(({ clickable }) => clickable);
  const found = usable.filter((control) => isMeant(control, target));
  const [only, second] = found;
  if (only === undefined) {
    const near = nearNames(target, usable);
    const there = near.length === 0 ? "" : `; there are ${near.join(", ")}`;
    return unparsed("step_target_missing", `${at}: there is no control ${wordsOf(target)}${there}`);
  }
  if (second !== undefined) {
    const ids = found.slice(0, LISTED_MAX).map(({ id }) => quoted(id));
    const more = found.length > LISTED_MAX ? `, and ${found.length - LISTED_MAX} more` : "";
    return unparsed(
      "step_target_ambiguous",
      `${at}: ${found.length} controls are ${wordsOf(target)}: ${ids.join(", ")}${more}; say which by its id or its role`,
    );
  }
  if (only.disabled) return unparsed("step_failed", `${at}: the control ${wordsOf(target)} is disabled`);
  return parsed(only);
}

function isMeant({ id, text, desc, role }: SeenControl, target: StepTarget): boolean {
  if (target.by === "id") return id === target.id;
  return (text === target.name || (text === "" && desc === target.name)) && (target.role ?? role) === role;
}

function wordsOf(target: StepTarget): string {
  if (target.by === "id") return `with the id ${quoted(target.id)}`;
  return `called ${quoted(target.name)}${target.role === null ? "" : ` with the role ${quoted(target.role)}`}`;
}

/** The controls whose names have a word in common with what was asked for, or the first of all, as `button "Save"`. */
function nearNames(target: StepTarget, usable: readonly SeenControl[]): readonly string[] {
  const wanted = new Set(wordsIn(target.by === "id" ? target.id : target.name));
  const named = usable.filter(({ text }) => text !== "");
  const near = named.filter(({ text }) => wordsIn(text).some((word) => wanted.has(word)));
  const list = (near.length > 0 ? near : named).slice(0, LISTED_MAX);
  return list.map(({ id, role, text }) => (target.by === "id" ? quoted(id) : `${role} ${quoted(text)}`));
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
