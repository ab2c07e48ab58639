import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readSource } from "../../adapters/source-file/index.ts";
import type { Guide } from "../../domain/guide.ts";
import { nearest } from "../../domain/nearest.ts";
import { parseJson } from "../../domain/scan.ts";
import {
  type Candidate,
  type Explanation,
  explain,
  type GroundedGuide,
  type GroundIndex,
  gate,
  gateReport,
  ground,
  groundGuide,
  parseGuide,
  parseRule,
} from "../../guides/index.ts";
import { type Signalbox, SignalboxError } from "../../index.ts";
import { printHead } from "./framed.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import type { Opening } from "./opened.ts";
import { printFindings } from "./print-findings.ts";
import { printNote, printUnder } from "./print-row.ts";
import { jsonDocument, pad, visible } from "./text.ts";

export type Grounding = Opening & {
  readonly map?: string;
  readonly screen?: string;
  readonly explain?: boolean;
  readonly pairs?: string;
  readonly controls?: string;
};

export type Gating = Opening & { readonly map?: string };

export async function groundAll(
  io: Io,
  box: Signalbox,
  intents: readonly string[],
  options: Grounding,
): Promise<number> {
  if (intents.length === 0) throw new SignalboxError("usage", "name an intent, or the rule file of a guide");
  const results: object[] = [];
  let failed = false;
  for (const intent of intents) {
    const one = isFile(io, intent)
      ? await groundGuideFile(io, box, intent, options)
      : await groundIntent(io, box, intent, options);
    results.push(one.result);
    failed ||= one.failed;
  }
  if (options.json === true) io.stdout.write(jsonDocument(results));
  return failed ? 1 : 0;
}

type GroundedOne = { readonly result: object; readonly failed: boolean };

async function groundGuideFile(io: Io, box: Signalbox, file: string, options: Grounding): Promise<GroundedOne> {
  if (options.screen !== undefined)
    throw new SignalboxError("usage", "--screen is for intents: each step of a guide names its own screen");
  const { grounded, index } = await guideAt(io, box, file, options.map);
  const explained =
    options.explain === true
      ? grounded.steps.map(({ where, step: { intent, screen } }) => ({
          where,
          ...explain(index, intent, { screen: screen !== null && index.screens.has(screen) ? screen : null }),
        }))
      : null;
  const failed = gate(grounded).verdict !== "served";
  if (options.json !== true) {
    printHead(io, "guide", [visible(file), grounded.version, `map ${grounded.map.slice(0, DIGEST_DIGITS)}`]);
    grounded.steps.forEach((step, i) => {
      printSteps(io, { steps: [step] });
      const how = explained?.[i];
      if (how !== undefined) printExplanation(io, how);
    });
    printFindings(io, grounded.findings);
  }
  return { result: explained === null ? grounded : { ...grounded, explained }, failed };
}

async function groundIntent(io: Io, box: Signalbox, intent: string, options: Grounding): Promise<GroundedOne> {
  const { index } = await box.guides.map(needed(options.map));
  const scope = { screen: options.screen === undefined ? null : screenIn(index, options.screen) };
  const found = ground(index, intent, scope);
  const explained = options.explain === true ? explain(index, intent, scope) : null;
  const failed = found.bound === null;
  if (options.json !== true) {
    const bound = found.bound === null ? [] : [visible(found.bound)];
    const facts = [visible(intent), ...bound, found.score.toFixed(2), found.version];
    printHead(io, failed ? "unbound" : "bound", facts, failed ? "red" : "green");
    if (explained !== null) printExplanation(io, explained);
    printFindings(io, found.findings);
  }
  return { result: explained === null ? found : { ...found, explained }, failed };
}

/** Screens that a message names; more are counted. */
const SCREENS_MAX = 20;

function screenIn({ screens }: GroundIndex, wanted: string): string {
  if (screens.has(wanted)) return wanted;
  const all = [...screens];
  const more = all.length > SCREENS_MAX ? ` and ${all.length - SCREENS_MAX} more` : "";
  const near = nearest(wanted, all);
  const named = `${all.slice(0, SCREENS_MAX).join(", ")}${more}`;
  throw new SignalboxError("unknown_screen", `the map has no screen ${wanted}; it has ${named}`, {
    ...(near === null ? {} : { hint: `did you mean "${near}"?` }),
  });
}

/** Each step with the control that it is done with. */
export function printSteps(io: Io, { steps }: Pick<GroundedGuide, "steps">): void {
  for (const { where, step, control, grounded } of steps) {
    const to = control === null ? "-" : visible(control);
    const score = grounded.score.toFixed(2);
    printUnder(
      io,
      `${pad(where, 12)} ${pad(score, 5)} ${visible(step.intent)}  →  ${to}`,
      control === null ? "red" : "dim",
    );
  }
}

/** What mends the errors of each step; the same is said once, of all that it mends. */
export function printMends(io: Io, batch: readonly GroundedGuide[]): void {
  for (const { guide, blocked } of gateReport(batch).suppressed) {
    const of = batch.length === 1 ? "" : `${visible(guide)}, `;
    const mends = new Map<string, Set<string>>();
    for (const { finding, advice } of blocked) {
      const key = JSON.stringify([finding.where, advice]);
      mends.set(key, (mends.get(key) ?? new Set()).add(finding.rule));
    }
    for (const [key, rules] of mends) {
      const [where, advice] = JSON.parse(key) as [string, string];
      printUnder(io, `${of}${visible(where)} (${[...rules].join(", ")}): ${advice}`, "yellow");
    }
  }
}

function printExplanation(io: Io, { tokens, candidates }: Explanation): void {
  printUnder(
    io,
    `words: ${tokens.map((token) => `${visible(token.text)} ${token.weight.toFixed(2)}`).join(", ")}`,
    "dim",
  );
  for (const candidate of candidates) printUnder(io, candidateText(candidate), "dim");
}

function candidateText({ ids, name, field, score, matched }: Candidate): string {
  const words = matched.map(({ word, of, strength }) => (word === of ? word : `${word}~${of} ${strength.toFixed(2)}`));
  return `${score.toFixed(2)}  ${visible(ids.slice(0, 3).join(", "))}  "${visible(name)}" (${field})  by ${visible(words.join(", ")) || "nothing"}`;
}

/** What the gate looks at, and what it does not. */
const CHECKED =
  "checked: the steps in the map as it is now, the map, the text. Who approved it, and what is published, says";

export async function gateAll(io: Io, box: Signalbox, files: readonly string[], options: Gating): Promise<number> {
  const batch: GroundedGuide[] = [];
  for (const file of files) batch.push((await guideAt(io, box, file, options.map)).grounded);
  const report = gateReport(batch);
  const exitCode = report.suppressed.length > 0 ? 1 : 0;
  if (options.json === true) {
    io.stdout.write(jsonDocument({ ...report, guides: batch }));
    return exitCode;
  }
  for (const guide of report.served) printHead(io, "passes", [visible(guide)], "green");
  for (const { guide, rules, blocked } of report.suppressed) {
    printHead(io, "suppressed", [visible(guide), rules.join(", ")], "red");
    printFindings(
      io,
      blocked.map(({ finding }) => finding),
    );
  }
  printMends(io, batch);
  const counts = report.byRule.map(({ rule, guides }) => `${rule} ${guides}`);
  const passing = report.served.length;
  printHead(io, "in all", [
    `${passing} ${passing === 1 ? "passes" : "pass"}`,
    `${report.suppressed.length} suppressed`,
    ...counts,
  ]);
  printNote(io, `${CHECKED} ${commandOf(io)} guides list`, "dim");
  return exitCode;
}

function isFile(io: Io, name: string): boolean {
  return /\.(?:md|json)$/.test(name) && existsSync(resolve(io.cwd, name));
}

type GuideAt = { readonly grounded: GroundedGuide; readonly index: GroundIndex };

/** The guide of a rule file, in the map that it names, or of a JSON file in the one that is given. */
async function guideAt(io: Io, box: Signalbox, file: string, mapName: string | undefined): Promise<GuideAt> {
  const read = await readSource(resolve(io.cwd, file), 1_048_576);
  if (!read.ok) throw new SignalboxError(read.why.code, read.why.detail, { exitCode: 1 });
  const text = read.value;
  if (file.endsWith(".json")) {
    const guide = jsonGuide(text, file);
    const { index } = await box.guides.map(needed(mapName));
    return { grounded: groundGuide(index, guide), index };
  }
  const rule = parseRule({ name: file, text, digest: "0".repeat(64) });
  const own = rule.ok ? rule.rule.guide?.map : undefined;
  if (own !== undefined && mapName !== undefined && own !== mapName)
    throw new SignalboxError("usage", `${file} is a guide in the map ${own}: --map ${mapName} says another`);
  const grounded = await box.guides.ground({ name: file, text });
  return { grounded, index: (await box.guides.map(own ?? "")).index };
}

function jsonGuide(text: string, file: string): Guide {
  const json = parseJson(text);
  const guide = json.ok ? parseGuide(json.value, file.replace(/^.*\//, "").replace(/\.json$/, "")) : json;
  if (guide.ok) return guide.value;
  throw new SignalboxError(guide.why.code, `${file}: ${guide.why.detail}`, { exitCode: 1 });
}

function needed(map: string | undefined): string {
  if (map !== undefined) return map;
  throw new SignalboxError("usage", "say which map: --map NAME", { hint: "signalbox harvest makes one" });
}
