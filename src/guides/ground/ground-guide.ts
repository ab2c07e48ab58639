import { byCodeUnits } from "../../domain/code-units.ts";
import type { Guide, Milestone } from "../../domain/guide.ts";
import { clauseFindings } from "./clause-findings.ts";
import { type GroundFinding, groundFinding, quoted } from "./findings.ts";
import { type Grounded, ground } from "./ground.ts";
import type { GroundIndex } from "./ground-index.ts";
import { kernelOf } from "./kernel.ts";
import { namesOf } from "./names-of.ts";
import { readIntent } from "./read-intent.ts";
import { SCORE_1 } from "./score-1.ts";

/** A step of a guide in a map. */
export type GroundedStep = {
  /** `entry 1` or `milestone 1`. */
  readonly where: string;
  readonly step: Milestone;
  /** What it is done with: the control that it names, else the one that its words mean; null where there is an error. */
  readonly control: string | null;
  readonly grounded: Grounded;
};

/** A guide in a map: what the gate judges, and what a verification receipt cites. */
export type GroundedGuide = {
  readonly guide: string;
  readonly version: typeof SCORE_1.version;
  readonly map: string;
  readonly steps: readonly GroundedStep[];
  readonly findings: readonly GroundFinding[];
};

/**
 * Grounds every step, of the entry and of the milestones. Where a step names a control by its id, the words are held against it
 * too: a model that takes the wrong id writes down words that say so.
 *
 * @param groundedIn the digest of the map that the guide was grounded in before, where it was.
 */
export function groundGuide(index: GroundIndex, guide: Guide, groundedIn: string | null = null): GroundedGuide {
  const steps = [...located("entry", guide.entry), ...located("milestone", guide.milestones)].map(([where, step]) =>
    groundStep(index, step, where, guide.task),
  );
  const ofGuide: GroundFinding[] = [];
  if (guide.milestones.length === 0)
    ofGuide.push(groundFinding("no_milestones", "guide", "has no milestone: there is nothing to follow"));
  if (groundedIn !== null && groundedIn !== index.digest) {
    const text = `was grounded in the map ${groundedIn.slice(0, DIGEST_SHOWN)}, and this is ${index.digest.slice(0, DIGEST_SHOWN)}: verify it anew`;
    ofGuide.push(groundFinding("stale_map", "guide", text));
  }
  return {
    ...{ guide: guide.id, version: SCORE_1.version, map: index.digest },
    steps: steps.map(({ step }) => step),
    findings: [...ofGuide, ...steps.flatMap(({ findings }) => findings)],
  };
}
const DIGEST_SHOWN = 12;

function located(part: string, steps: readonly Milestone[]): readonly (readonly [string, Milestone])[] {
  return steps.map((step, i) => [`${part} ${i + 1}`, step]);
}

type Judgement = { readonly step: GroundedStep; readonly findings: readonly GroundFinding[] };

function groundStep(index: GroundIndex, step: Milestone, where: string, task: string): Judgement {
  const screen = step.screen !== null && index.screens.has(step.screen) ? step.screen : null;
  const grounded = groundWords(index, step.intent, screen, where);
  const ofControl =
    step.control === null ? ofWords(index, screen, grounded, where) : idFindings(index, step, grounded, where);
  const first = [...screenFindings(index, step, where), ...ofControl];
  const id = step.control ?? grounded.bound;
  // What else the step says to do is looked at where what it says first is right.
  const further =
    id === null || first.some(isError) ? [] : clauseFindings(index, { text: step.intent, id, screen, where, task });
  const findings = [...first, ...further];
  const failed = findings.some(isError);
  const control = failed ? null : (step.control ?? grounded.bound);
  return { step: { where, step, control, grounded }, findings };
}

/** Words that mean nothing all together may mean a control without those that only say where, when and what for. */
function groundWords(index: GroundIndex, intent: string, screen: string | null, where: string): Grounded {
  const grounded = ground(index, intent, { screen }, where);
  if (!grounded.findings.some(({ rule }) => rule === "unbound")) return grounded;
  const kernel = kernelOf(readIntent(intent));
  const within = kernel === null ? null : ground(index, kernel, { screen }, where);
  return within === null || within.bound === null ? grounded : { ...within, intent };
}

function isError({ severity }: GroundFinding): boolean {
  return severity === "error";
}

/** Words that mean nothing on the step's screen may mean something on another. */
function ofWords(
  index: GroundIndex,
  screen: string | null,
  grounded: Grounded,
  where: string,
): readonly GroundFinding[] {
  if (screen === null || !grounded.findings.some(({ rule }) => rule === "unbound")) return grounded.findings;
  const elsewhere = ground(index, grounded.intent).bound;
  const on = elsewhere === null ? undefined : index.byId.get(elsewhere)?.screen;
  if (elsewhere === null || on === undefined) return grounded.findings;
  const text = `${quoted(grounded.intent)} means ${quoted(elsewhere)} on the screen ${quoted(on)}, and nothing on ${quoted(screen)}`;
  return [groundFinding("other_screen", where, text, [elsewhere])];
}

function screenFindings(index: GroundIndex, { screen, control }: Milestone, where: string): readonly GroundFinding[] {
  if (screen === null) return [];
  if (!index.screens.has(screen))
    return [groundFinding("absent_screen", where, `there is no screen ${quoted(screen)} in the map`)];
  const on = control === null ? undefined : index.byId.get(control)?.screen;
  if (control === null || on === undefined || on === screen) return [];
  return [
    groundFinding(
      "other_screen",
      where,
      `${quoted(control)} is on the screen ${quoted(on)}, and not on ${quoted(screen)}`,
      [control],
    ),
  ];
}

/** Of a step that names its control: the id is there, has a name, and the words do not mean another. */
function idFindings(
  index: GroundIndex,
  { control: id, intent }: Milestone,
  grounded: Grounded,
  where: string,
): readonly GroundFinding[] {
  const control = id === null ? undefined : index.byId.get(id);
  if (id === null || control === undefined) {
    return [
      groundFinding("absent_id", where, `there is no control ${quoted(id ?? "")} in the map`, id === null ? [] : [id]),
    ];
  }
  if (namesOf(control).every(({ field }) => field === "resource_id")) {
    return [
      groundFinding("unnamed_target", where, `the interface gives ${quoted(id)} no name that anybody sees`, [id]),
    ];
  }
  if (grounded.bound !== null && grounded.bound !== id) {
    const ids = [id, grounded.bound].sort(byCodeUnits);
    return [
      groundFinding(
        "id_mismatch",
        where,
        `${quoted(intent)} means ${quoted(grounded.bound)}, and the id is ${quoted(id)}`,
        ids,
      ),
    ];
  }
  // Where the words leave several, the id settles nothing: it is not in the text that is served.
  return grounded.findings;
}
