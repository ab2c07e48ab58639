import { type ColdLoad, coldLoad } from "../guides/cold-load.ts";
import { type ImportSpeed, importSpeed } from "../guides/import-speed.ts";
import { RULE_FILES, ruleFiles } from "../guides/rule-files.ts";
import type { Figure, FigureResult } from "./figure.ts";
import { machineLines } from "./machine.ts";

/** How many times the processor time of reading and decoding alone an import may take. */
const TIMES_MAX = 40;
const COLD_FILES = 10_000;

export const importRules: Figure = {
  name: "import_rules",
  takes: "half a minute; the public rule files beside the repository",
  title: "264 real rule files of four tools made into rules, and the cold load of 10,000 rule files",
  goal:
    `every file is imported or refused with a code, and every rule that it gives is one for the strict parser or named; an import takes at most ` +
    `${TIMES_MAX} times the processor time that reading and decoding the same files take in the same run (the machine's cache serves both)`,
  async run({ data }) {
    const machine = machineLines();
    const speed = importSpeed(ruleFiles(data ?? RULE_FILES));
    const cold = await coldLoad(speed.report.rules, COLD_FILES);
    return result(machine, speed, cold);
  },
};

function result(machine: readonly string[], speed: ImportSpeed, cold: ColdLoad): FigureResult {
  const { report, formats, findings, files, bytes, bareMs, importMs } = speed;
  const times = importMs / bareMs;
  const named = report.seen === files && report.imported + report.importedWithFindings + report.refused === files;
  const unsound = report.files.flatMap((file) =>
    file.findings.filter(({ rule }) => rule === "hidden_code_point"),
  ).length;
  // As many as were written of a rule that the import has named.
  const sound = cold.rules >= COLD_FILES - unsound * Math.ceil(COLD_FILES / Math.max(1, report.rules.length));
  const quick = times <= TIMES_MAX;
  const holds = named && sound && quick;
  const verdict = (is: boolean): string => (is ? "holds" : "DOES NOT HOLD");
  return {
    holds,
    lines: [
      ...machine,
      "",
      `${"".padEnd(22)}imported  with findings  refused`,
      ...formats.map(
        ({ format, imported, withFindings, refused }) =>
          `${format.padEnd(22)}${String(imported).padStart(8)}${String(withFindings).padStart(15)}${String(refused).padStart(9)}`,
      ),
      `${report.seen} files, ${report.rules.length} rules, ${report.duplicates.length} of them with the text of another`,
      "",
      "files by what was found in them:",
      ...findings.map(({ code, files: count }) => `  ${code.padEnd(20)}${String(count).padStart(4)}`),
      "",
      `reading and decoding ${megabytes(bytes)}: ${bareMs.toFixed(1)} ms of the processor, ${rate(bytes, bareMs)}`,
      `and importing it:        ${importMs.toFixed(1)} ms of the processor, ${rate(bytes, importMs)}`,
      `cold load of ${cold.files.toLocaleString("en")} rule files, ${megabytes(cold.bytes)}: found and read in ${cold.readMs.toFixed(0)} ms, decoded and digested in ${cold.decodeMs.toFixed(0)} ms, parsed in ${cold.parseMs.toFixed(0)} ms (${rate(cold.bytes, cold.parseMs)})`,
      "",
      `${verdict(named)}  every file has its line: ${report.seen} of ${files}`,
      `${verdict(sound)}  the strict parser reads the rules: ${cold.rules.toLocaleString("en")} of ${COLD_FILES.toLocaleString("en")}`,
      `${verdict(quick)}  an import takes ${times.toFixed(1)} times the processor time of the bare read, at most ${TIMES_MAX}`,
    ],
    json: {
      machine: [...machine],
      seen: report.seen,
      imported: report.imported,
      importedWithFindings: report.importedWithFindings,
      refused: report.refused,
      rules: report.rules.length,
      duplicates: report.duplicates.length,
      formats: formats.map((row) => ({ ...row })),
      findings: findings.map((row) => ({ ...row })),
      bytes,
      bareMs,
      importMs,
      times,
      cold: { ...cold },
    },
  };
}

function megabytes(count: number): string {
  return `${(count / 1e6).toFixed(2)} MB`;
}

function rate(bytes: number, millis: number): string {
  return `${(bytes / millis / 1_000).toFixed(0)} MB/s`;
}
