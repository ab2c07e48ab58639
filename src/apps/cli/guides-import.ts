import { relative, resolve } from "node:path";
import { readForeign, staleDrafts, type WrittenDraft, writeDrafts } from "../../adapters/guides-folder/index.ts";
import type { ForeignFile, Imported, ImportReport } from "../../domain/imported.ts";
import { importAll } from "../../guides/index.ts";
import { SignalboxError } from "../../index.ts";
import { printHead } from "./framed.ts";
import { commandOf, type Io, type Style } from "./io.ts";
import { loadConfig } from "./load-config.ts";
import type { Opening } from "./opened.ts";
import { printFindings } from "./print-findings.ts";
import { printNote, printUnder } from "./print-row.ts";
import { counted, grouped, jsonDocument, visible } from "./text.ts";

export type Importing = Opening & {
  readonly out?: string;
  readonly split?: string;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
};

/** Rule files of other tools become drafts in the guides folder. Exit code 1 where a file was refused or a draft not written. */
export async function importRules(io: Io, sources: readonly string[], options: Importing): Promise<number> {
  const { json = false, dryRun = false } = options;
  const split = splitOf(options.split);
  if (options.out === "") throw new SignalboxError("usage", "--out takes a folder, and was given nothing");
  const out = options.out ?? (await folderOf(io, options));
  const folder = resolve(io.cwd, out);
  const { files, others } = await readAll(io, sources, folder);
  const report = importAll(files, split === null ? {} : { budgetBytes: split });
  const written = dryRun ? [] : await writeDrafts(folder, report.rules);
  const stale = await staleDrafts(folder, report.rules);
  const lost = written.filter(({ outcome }) => outcome === "refused");
  const exitCode = report.refused > 0 || lost.length > 0 ? 1 : 0;
  if (json) {
    io.stdout.write(jsonDocument({ ...report, others, out, written, stale }));
    return exitCode;
  }
  for (const one of report.files) printImported(io, one);
  printSum(io, report, { others, out, written, stale, dryRun });
  return exitCode;
}

function splitOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Number(text);
  throw new SignalboxError("usage", "--split takes a number of bytes from 1 to 9,999,999");
}

/** Each file once, also where sources overlap: with its text, where one of them gives it. `out`: where the drafts go, which is not looked into. */
async function readAll(
  io: Io,
  sources: readonly string[],
  out: string,
): Promise<{ readonly files: readonly ForeignFile[]; readonly others: number }> {
  const files = new Map<string, ForeignFile>();
  const bases = new Map<string, string>();
  let others = 0;
  for (const source of sources) {
    if (source === "") throw new SignalboxError("usage", "an empty text is no file and no folder");
    const read = await readForeign(resolve(io.cwd, source), { cwd: io.cwd, except: out });
    if (!read.ok)
      throw new SignalboxError(read.why.code, read.why.detail, { hint: "name a file or a folder of rules" });
    const { base } = read.value;
    for (const file of read.value.files) {
      const other = bases.get(file.name);
      if (other !== undefined && other !== base) throw sameName(file.name, other, base);
      bases.set(file.name, base);
      const before = files.get(file.name);
      if (before === undefined || "failed" in before) files.set(file.name, file);
    }
    others += read.value.others;
  }
  return { files: [...files.values()], others };
}

function sameName(name: string, one: string, other: string): SignalboxError {
  const message = `${visible(name)} is in ${visible(one)} and in ${visible(other)}, and its rules would have the same ids`;
  return new SignalboxError("same_name", message, { hint: "import one after the other, each to its own --out" });
}

/** The folder of the config, where there is a config and it names one. */
export async function folderOf(io: Io, { config }: Opening): Promise<string> {
  try {
    const { guides } = (await loadConfig(io, config)).config;
    const folder = typeof guides === "object" ? guides.folder : guides;
    return typeof folder === "string" ? folder : "guides";
  } catch (error) {
    if (config === undefined && error instanceof SignalboxError && error.code === "no_config") return "guides";
    throw error;
  }
}

const STYLES: { readonly [outcome in Imported["outcome"]]: Style } = {
  imported: "green",
  imported_with_findings: "yellow",
  refused: "red",
};

function printImported(io: Io, { name, outcome, code, format, bytes, rules, findings }: Imported): void {
  const what = outcome === "imported_with_findings" ? "imported" : outcome;
  const size = [...(format === null ? [] : [format]), ...(bytes === 0 ? [] : [`${grouped(bytes)} B`])];
  const made = rules.length === 0 ? [] : [counted(rules.length, "rule")];
  printHead(io, what, [visible(name), ...(code === null ? [] : [code]), ...size, ...made], STYLES[outcome]);
  for (const rule of rules) printUnder(io, `${rule.id}  ${grouped(rule.bytes)} B`, "dim");
  printFindings(io, findings);
}

/** Files that a line names; more are counted. */
const NAMES_MAX = 8;

function printSum(
  io: Io,
  { seen, imported, importedWithFindings, refused, rules, duplicates }: ImportReport,
  {
    others,
    out,
    written,
    stale,
    dryRun,
  }: {
    readonly others: number;
    readonly out: string;
    readonly written: readonly WrittenDraft[];
    readonly stale: readonly string[];
    readonly dryRun: boolean;
  },
): void {
  for (const draft of written) {
    if (draft.outcome !== "refused") continue;
    printHead(io, "not written", [visible(draft.file), draft.code, visible(draft.detail)], "red");
  }
  const counts = [
    `${counted(seen, "file")} seen`,
    `${grouped(imported)} imported`,
    `${grouped(importedWithFindings)} with findings`,
    `${grouped(refused)} refused`,
    counted(rules.length, "rule"),
    ...(duplicates.length === 0 ? [] : [`${counted(duplicates.length, "copy", "copies")} of another`]),
    ...(others === 0 ? [] : [`${counted(others, "other file")} left alone`]),
  ];
  printHead(io, "in all", counts);
  if (rules.length === 0) return;
  const fresh = written.filter(({ outcome }) => outcome === "written").length;
  const kept = written.filter(({ outcome }) => outcome === "unchanged").length;
  const shown = relative(io.cwd, resolve(io.cwd, out)) || ".";
  const where = dryRun
    ? `nothing was written; the rules would go to ${visible(shown)}`
    : `${grouped(fresh)} written to ${visible(shown)}${kept === 0 ? "" : `, ${grouped(kept)} there already`}`;
  printNote(io, `${where}: read them, then ${commandOf(io)} guides verify`, "dim");
  if (stale.length === 0) return;
  const names = stale.slice(0, NAMES_MAX).join(", ");
  const more = stale.length > NAMES_MAX ? ` and ${grouped(stale.length - NAMES_MAX)} more` : "";
  printNote(
    io,
    `named like drafts of an earlier import, and not made by this one: ${names}${more}: remove what you do not need`,
    "yellow",
  );
}
