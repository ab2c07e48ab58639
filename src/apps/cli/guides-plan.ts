import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { makeFolder } from "../../adapters/guides-folder/index.ts";
import { readSource } from "../../adapters/source-file/index.ts";
import { sha256 } from "../../adapters/world-node/index.ts";
import type { Guide } from "../../domain/guide.ts";
import { RULE_ID } from "../../domain/rule.ts";
import { parseJson } from "../../domain/scan.ts";
import {
  type Candidate,
  type Evaluation,
  type Explanation,
  evaluate,
  explain,
  type GroundedGuide,
  type GroundFinding,
  gate,
  gateReport,
  ground,
  groundGuide,
  groundIndex,
  type Pair,
  parseGuide,
  parseRule,
  type Rate,
  readControlMaps,
  readPairs,
  SCORE_1,
} from "../../guides/index.ts";
import { type PlannedGuide, type Signalbox, SignalboxError } from "../../index.ts";
import { withBox } from "./commands.ts";
import { printFramed, printHead } from "./framed.ts";
import { folderOf } from "./guides-import.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { printFindings } from "./print-findings.ts";
import { printCommand, printNote, printUnder } from "./print-row.ts";
import { messageOf } from "./report.ts";
import { counted, jsonDocument, pad, visible } from "./text.ts";

type Going = { readonly io: Io; readonly done: (exitCode: number) => void };

/** The commands that make guides of an interface: plan, ground, gate. */
export function planCommands(guides: Command, { io, done }: Going): void {
  withBox(
    guides.command("plan"),
    "let the model plan a guide in a map, ground each step, and write a draft if it passes the gate; exit code 1 if not",
    'signalbox guides plan --map shop --task "reset a customer\'s password"',
  )
    .requiredOption("--map <name>", "the map, as `harvest` named it")
    .requiredOption("--task <text>", "what the guide is for")
    .option("--id <id>", "the id of its rule (default: made of the task)")
    .option("--follow", "told when an event says that its screen is up as it was harvested, not from the start")
    .option("--out <folder>", "where the draft goes (default: the folder of the config)")
    .action(async (options: Planning) => {
      done(await opened(io, { ...options, looks: true }, (box) => plan(io, box, options)));
    });
  const grounding = withBox(
    guides.command("ground"),
    "say which control an intent, or each step of a guide, means in a map",
    'signalbox guides ground "press Save" --map shop --explain',
  )
    .argument("[intent...]", "intents, or rule files of guides")
    .option("--map <name>", "the map, as `harvest` named it")
    .option("--screen <id>", "only what is on this screen")
    .option("--explain", "show the words, their weights and the near misses");
  grounding
    .addOption(new Option("--pairs <file>", "measure on these pairs instead: {map, intent, expected} a line"))
    .addOption(new Option("--controls <file>", "the controls of their maps, a map a line"))
    .action(async (intents: string[], options: Grounding) => {
      if (options.pairs !== undefined || options.controls !== undefined) done(await measure(io, options));
      else done(await opened(io, { ...options, looks: true }, (box) => groundAll(io, box, intents, options)));
    });
  withBox(
    guides.command("gate"),
    "say which guides may be served, and what keeps the others; exit code 1 where one may not",
    "signalbox guides gate guides/*.md",
  )
    .argument("<file...>", "rule files of guides, or guides as JSON")
    .option("--map <name>", "the map of guides as JSON (a rule file names its own)")
    .action(async (files: string[], options: Opening & { map?: string }) => {
      done(await opened(io, { ...options, looks: true }, (box) => gateAll(io, box, files, options)));
    });
}

type Planning = Opening & {
  readonly map: string;
  readonly task: string;
  readonly id?: string;
  readonly follow?: boolean;
  readonly out?: string;
};

async function plan(io: Io, box: Signalbox, options: Planning): Promise<number> {
  const id = options.id ?? idOf(options.task);
  if (!RULE_ID.test(id)) throw new SignalboxError("usage", "--id takes a-z, 0-9 and . _ -");
  const { map, task, follow = false, json = false } = options;
  const planned = await box.guides.plan({ id, task, map, follow });
  const folder = options.out ?? (await folderOf(io, options));
  const path = join(resolve(io.cwd, folder), `${id}.md`);
  const written = planned.file === null ? null : draft(path, planned.file);
  if (json) io.stdout.write(jsonDocument({ ...planned, draft: written === null ? null : path, written }));
  else printPlanned(io, planned, id, written === null ? null : relative(io.cwd, path) || path);
  return planned.file === null ? 1 : 0;
}

/** A name for the rule, of the task's own words. */
function idOf(task: string): string {
  const words =
    task
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 48).replace(/-+$/, "") || "guide";
}

/** Never over other content: a draft that somebody has changed is theirs. */
function draft(path: string, text: string): "written" | "unchanged" {
  if (existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return "unchanged";
    throw new SignalboxError("other_content", `${path} is there and says something else`, {
      exitCode: 1,
      hint: "give another --id, or remove it",
    });
  }
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    throw new SignalboxError("unwritable", `${path} cannot be written: ${messageOf(error)}`, { exitCode: 1 });
  }
  return "written";
}

function printPlanned(io: Io, planned: PlannedGuide, id: string, path: string | null): void {
  const { grounded, guide, map, model, leftOut, raw, why, verdict } = planned;
  const facts = [visible(id), `by ${visible(model)}`, `map ${visible(map.name)} ${map.digest.slice(0, DIGEST_DIGITS)}`];
  const left = leftOut === 0 ? [] : [`${counted(leftOut, "control")} not shown to the model`];
  if (guide === null || grounded === null) {
    printHead(io, "no guide", [...facts, ...left], "red");
    printUnder(io, `${why?.code}: ${visible(why?.detail ?? "")}`, "red");
    printFramed(io, raw.slice(0, 2_000));
    return;
  }
  const served = verdict?.verdict === "served";
  printHead(io, served ? "passes the gate" : "suppressed", [...facts, ...left], served ? "green" : "red");
  printSteps(io, grounded);
  printFindings(io, grounded.findings);
  if (path !== null) {
    printNote(io, `${visible(path)}: read it, then`, "dim");
    printCommand(io, `${commandOf(io)} guides verify ${visible(id)}`, "dim");
    return;
  }
  printFixes(io, [grounded]);
}

/** Each step with the control that it is done with. */
function printSteps(io: Io, { steps }: GroundedGuide): void {
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

/** What to mend: the words of a step, or a screen that was not harvested. */
function printFixes(io: Io, batch: readonly GroundedGuide[]): void {
  for (const { blocked } of gateReport(batch).suppressed) {
    for (const { finding, fix } of blocked) {
      const what = fix === "wording" ? "say it in the control's own words" : "harvest the screen that it is on";
      printUnder(io, `${visible(finding.where)} (${finding.rule}): ${what}`, "yellow");
    }
  }
}

type Grounding = Opening & {
  readonly map?: string;
  readonly screen?: string;
  readonly explain?: boolean;
  readonly pairs?: string;
  readonly controls?: string;
};

async function groundAll(io: Io, box: Signalbox, intents: readonly string[], options: Grounding): Promise<number> {
  const { json = false, screen = null } = options;
  if (intents.length === 0) throw new SignalboxError("usage", "name an intent, or the rule file of a guide");
  const results: object[] = [];
  let failed = false;
  for (const intent of intents) {
    if (isFile(io, intent)) {
      const grounded = await guideAt(io, box, intent, options.map);
      results.push(grounded);
      failed ||= gate(grounded).verdict !== "served";
      if (json) continue;
      printHead(io, "guide", [visible(intent), grounded.version, `map ${grounded.map.slice(0, DIGEST_DIGITS)}`]);
      printSteps(io, grounded);
      printFindings(io, grounded.findings);
      continue;
    }
    const { index } = await box.guides.map(needed(options.map));
    const scope = { screen };
    const found = ground(index, intent, scope);
    const explained = options.explain === true ? explain(index, intent, scope) : null;
    results.push(explained === null ? found : { ...found, explained });
    failed ||= found.bound === null;
    if (json) continue;
    printHead(
      io,
      found.bound === null ? "unbound" : "bound",
      [visible(intent), ...boundFacts(found)],
      found.bound === null ? "red" : "green",
    );
    if (explained !== null) printExplanation(io, explained);
    printFindings(io, found.findings);
  }
  if (json) io.stdout.write(jsonDocument(results));
  return failed ? 1 : 0;
}

function boundFacts({ bound, score, version }: ReturnType<typeof ground>): readonly string[] {
  return [...(bound === null ? [] : [visible(bound)]), score.toFixed(2), version];
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

async function gateAll(
  io: Io,
  box: Signalbox,
  files: readonly string[],
  options: Opening & { map?: string },
): Promise<number> {
  const batch: GroundedGuide[] = [];
  for (const file of files) batch.push(await guideAt(io, box, file, options.map));
  const report = gateReport(batch);
  const exitCode = report.suppressed.length > 0 ? 1 : 0;
  if (options.json === true) {
    io.stdout.write(jsonDocument({ ...report, guides: batch }));
    return exitCode;
  }
  for (const guide of report.served) printHead(io, "served", [visible(guide)], "green");
  for (const { guide, rules, blocked } of report.suppressed) {
    printHead(io, "suppressed", [visible(guide), rules.join(", ")], "red");
    printFindings(
      io,
      blocked.map(({ finding }): GroundFinding => finding),
    );
  }
  printFixes(io, batch);
  const counts = report.byRule.map(({ rule, guides }) => `${rule} ${guides}`);
  printHead(io, "in all", [`${report.served.length} served`, `${report.suppressed.length} suppressed`, ...counts]);
  return exitCode;
}

function isFile(io: Io, name: string): boolean {
  return /\.(?:md|json)$/.test(name) && existsSync(resolve(io.cwd, name));
}

/** The guide of a rule file, in the map that it names, or of a JSON file in the one that is given. */
async function guideAt(io: Io, box: Signalbox, file: string, mapName: string | undefined): Promise<GroundedGuide> {
  const read = await readSource(resolve(io.cwd, file), 1_048_576);
  if (!read.ok) throw new SignalboxError(read.why.code, read.why.detail, { exitCode: 1 });
  const text = read.value;
  if (file.endsWith(".json")) {
    const guide = jsonGuide(text, file);
    return groundGuide((await box.guides.map(needed(mapName))).index, guide);
  }
  const rule = parseRule({ name: file, text, digest: "0".repeat(64) });
  if (!rule.ok || rule.rule.guide === null) {
    const why = rule.ok ? "has no `guide` in its header" : (rule.findings[0]?.message ?? "cannot be read");
    throw new SignalboxError("no_guide", `${file} ${why}`, { hint: "signalbox guides plan makes one", exitCode: 1 });
  }
  const { guide, map } = rule.rule.guide;
  return groundGuide((await box.guides.map(map)).index, { ...guide, id: rule.rule.id });
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

/** Precision, recall and what is left unbound, on anybody's screens. */
async function measure(io: Io, { pairs, controls, json = false }: Grounding): Promise<number> {
  if (pairs === undefined || controls === undefined)
    throw new SignalboxError("usage", "--pairs and --controls go together");
  const read = async (file: string): Promise<string> => {
    const text = await readSource(resolve(io.cwd, file), 512 * 1_048_576);
    if (text.ok) return text.value;
    throw new SignalboxError(text.why.code, text.why.detail, { exitCode: 1 });
  };
  const maps = readControlMaps(await read(controls));
  const wanted = readPairs(await read(pairs));
  for (const [file, one] of [
    [controls, maps],
    [pairs, wanted],
  ] as const) {
    if (!one.ok) throw new SignalboxError(one.why.code, `${file}: ${one.why.detail}`, { exitCode: 1 });
  }
  if (!maps.ok || !wanted.ok) return 1;
  const indexes = new Map(maps.value.map((map) => [map.source.where, groundIndex(map, sha256)]));
  const lost = wanted.value.find(({ map }) => !indexes.has(map));
  if (lost !== undefined)
    throw new SignalboxError("unknown_map", `${controls} has no map ${lost.map}`, { exitCode: 1 });
  const bind = ({ map, intent }: Pair): string | null => {
    const index = indexes.get(map);
    return index === undefined ? null : ground(index, intent).bound;
  };
  const [core, others] = [true, false].map((wants) =>
    evaluate(
      wanted.value.filter((pair) => pair.core === wants),
      bind,
    ),
  );
  const document = { version: SCORE_1.version, maps: maps.value.length, core, others };
  if (json) io.stdout.write(jsonDocument(document));
  else {
    if (core !== undefined) printEvaluation(io, "core pairs", core);
    if (others !== undefined) printEvaluation(io, "other pairs", others);
  }
  return 0;
}

function printEvaluation(io: Io, what: string, { counts, precision, recall, negatives }: Evaluation): void {
  const [positive, negative] = [counts.right + counts.wrong + counts.missed, counts.leftUnbound + counts.boundAnyway];
  if (positive + negative === 0) return;
  const line = (what: string, { hits, of, rate, interval }: Rate): void => {
    const [low, high] = [interval.low, interval.high].map((x) => x.toFixed(3));
    printUnder(
      io,
      `${pad(what, 22)} ${rate === null ? "-" : rate.toFixed(3)}  [${low}, ${high}]  ${hits} of ${of}`,
      "dim",
    );
  };
  printHead(io, what, [SCORE_1.version, `${positive} with a control`, `${negative} without`]);
  line("precision", precision);
  line("recall", recall);
  line("negatives left unbound", negatives);
}
