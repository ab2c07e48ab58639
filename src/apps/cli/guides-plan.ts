import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Command, Option } from "commander";
import { writeDrafts } from "../../adapters/guides-folder/index.ts";
import { sha256 } from "../../adapters/world-node/index.ts";
import { RULE_ID } from "../../domain/rule.ts";
import { FOLLOW_ID_UNITS } from "../../guides/index.ts";
import { type PlannedGuide, type Signalbox, SignalboxError } from "../../index.ts";
import { withBox } from "./commands.ts";
import { printFramed, printHead } from "./framed.ts";
import { type Gating, type Grounding, gateAll, groundAll, printMends, printSteps } from "./guides-ground.ts";
import { folderOf } from "./guides-import.ts";
import { measure } from "./guides-measure.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { printFindings } from "./print-findings.ts";
import { printCommand, printNote, printUnder } from "./print-row.ts";
import { counted, grouped, jsonDocument, visible } from "./text.ts";

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
    .option(
      "--follow",
      "in parts: the entry steps from the start, each screen's steps when an event says that it is up as it was harvested",
    )
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
    .option("--map <name>", "the map of intents, as `harvest` named it (a rule file names its own)")
    .option("--screen <id>", "of intents: only what is on this screen")
    .option("--explain", "show the words, their weights and the near misses; of --pairs, which were wrong");
  grounding
    .addOption(new Option("--pairs <file>", "measure on these pairs instead: {map, intent, expected} a line"))
    .addOption(new Option("--controls <file>", "the controls of their maps, a map a line"))
    .action(async (intents: string[], options: Grounding) => {
      if (options.pairs !== undefined || options.controls !== undefined) done(await measure(io, options));
      else done(await opened(io, { ...options, looks: true }, (box) => groundAll(io, box, intents, options)));
    });
  withBox(
    guides.command("gate"),
    "say which guides pass, grounded in their maps as they are now, and what keeps the others; exit code 1 where one does not",
    "signalbox guides gate guides/*.md",
  )
    .argument("<file...>", "rule files of guides, or guides as JSON")
    .option("--map <name>", "the map of guides as JSON (a rule file names its own)")
    .action(async (files: string[], options: Gating) => {
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
  const ofConfig = resolve(io.cwd, await folderOf(io, options));
  const folder = options.out === undefined ? ofConfig : resolve(io.cwd, options.out);
  await refuseTaken(box, { id, follow, folder, isOfConfig: isInside(folder, ofConfig) });
  const planned = await box.guides.plan({ id, task, map, follow });
  const drafts = planned.files.map((file) => ({ file: `${file.id}.md`, text: file.text }));
  const written = drafts.length === 0 ? [] : await writeDrafts(folder, drafts);
  const outcomes: { readonly file: string; readonly outcome: "written" | "unchanged" }[] = [];
  for (const one of written) {
    const path = join(folder, one.file);
    if (one.outcome === "refused") throw new SignalboxError(one.code, `${path}: ${one.detail}`, { exitCode: 1 });
    outcomes.push({ file: path, outcome: one.outcome });
  }
  if (json) {
    const [first] = outcomes;
    const drafted = { draft: first?.file ?? null, written: first?.outcome ?? null, drafts: outcomes };
    io.stdout.write(jsonDocument({ ...planned, ...drafted }));
  } else {
    const paths = outcomes.map(({ file }) => relative(io.cwd, file) || file);
    printPlanned(io, planned, id, paths);
  }
  return planned.file === null ? 1 : 0;
}

function isInside(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(`${outer}/`);
}

/** As many letters as leave room for what tells the id from others. */
const ID_WORDS_UNITS = 48;

/** A name for the rule, of the task's own words; where they do not say all of it, with digits of its digest. */
function idOf(task: string): string {
  const plain = task.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const said = (plain.match(/[a-z0-9]+/g) ?? []).join("-");
  const words = said.slice(0, ID_WORDS_UNITS).replace(/-+$/, "");
  if (words !== "" && words === said && !/[\p{L}\p{N}]/u.test(plain.replace(/[a-z0-9]/g, ""))) return words;
  return `${words || "guide"}-${sha256(task.normalize("NFC").trim()).slice(0, 8)}`;
}

type Wanted = { readonly id: string; readonly follow: boolean; readonly folder: string; readonly isOfConfig: boolean };

/** Before the model is asked: a file that is there is somebody's, and two rules of one id are served neither. */
async function refuseTaken(box: Signalbox, { id, follow, folder, isOfConfig }: Wanted): Promise<void> {
  const taken = (where: string): SignalboxError =>
    new SignalboxError("other_content", `${where} is there already`, {
      exitCode: 1,
      hint: "give another --id, or remove it",
    });
  const path = join(folder, `${id}.md`);
  if (existsSync(path)) throw taken(path);
  if (!isOfConfig) return;
  const part = new RegExp(`^${id.slice(0, FOLLOW_ID_UNITS).replaceAll(".", "\\.")}-\\d+$`);
  const { rules } = await box.guides.lint();
  const same = rules.find((rule) => rule.id === id || (follow && part.test(rule.id)));
  if (same !== undefined) throw taken(`rule ${same.id}, in ${same.file},`);
}

function printPlanned(io: Io, planned: PlannedGuide, id: string, paths: readonly string[]): void {
  const { files, grounded, guide, map, model, leftOut, raw, why, verdict } = planned;
  const facts = [visible(id), `by ${visible(model)}`, `map ${visible(map.name)} ${map.digest.slice(0, DIGEST_DIGITS)}`];
  const left = leftOut === 0 ? [] : [`${counted(leftOut, "control")} not shown to the model`];
  if (guide === null || grounded === null) {
    printHead(io, "no guide", [...facts, ...left], "red");
    printLeftOut(io, planned);
    printUnder(io, `${why?.code}: ${visible(why?.detail ?? "")}`, "red");
    printFramed(io, raw.slice(0, 2_000));
    return;
  }
  const passes = verdict?.verdict === "served";
  printHead(io, passes ? "passes the gate" : "suppressed", [...facts, ...left], passes ? "green" : "red");
  printLeftOut(io, planned);
  printSteps(io, grounded);
  printFindings(io, grounded.findings);
  if (paths.length === 0) {
    printMends(io, [grounded]);
    return;
  }
  const ids = files.map((file) => visible(file.id)).join(" ");
  const read = paths.length === 1 ? "read it" : "read them";
  printNote(io, `${paths.map(visible).join(", ")}: ${read}, then`, "dim");
  printCommand(io, `${commandOf(io)} guides verify ${ids}`, "dim");
}

/** Screens that are named; more are counted. */
const SCREENS_MAX = 8;

/** On which screens controls were not shown, the most first. */
function printLeftOut(io: Io, { leftOutOn }: PlannedGuide): void {
  if (leftOutOn.length === 0) return;
  const most = [...leftOutOn].sort((a, b) => b.controls - a.controls);
  const named = most.slice(0, SCREENS_MAX).map(({ screen, controls }) => `${visible(screen)} ${grouped(controls)}`);
  const more = most.length > SCREENS_MAX ? ` and ${most.length - SCREENS_MAX} more screens` : "";
  printUnder(io, `not shown, by screen: ${named.join(", ")}${more}`, "yellow");
}
