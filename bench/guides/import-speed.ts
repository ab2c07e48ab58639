import { readFileSync } from "node:fs";
import { FOREIGN_FORMATS } from "../../src/domain/foreign-rule.ts";
import type { ForeignFile, ImportReport } from "../../src/domain/imported.ts";
import { importAll } from "../../src/guides/index.ts";
import { median } from "../figures/median.ts";
import type { RuleFile } from "./rule-files.ts";

const ROUNDS = 30;
/** Before these nothing is compiled, and the first file of all pays for it. */
const WARM_UP = 5;

export type ImportSpeed = {
  readonly files: number;
  readonly bytes: number;
  /** Medians of the rounds, in milliseconds of the processor: reading and decoding alone, and with the import of what was read. */
  readonly bareMs: number;
  readonly importMs: number;
  readonly report: ImportReport;
  readonly formats: readonly {
    readonly format: string;
    readonly imported: number;
    readonly withFindings: number;
    readonly refused: number;
  }[];
  /** By how many files. */
  readonly findings: readonly { readonly code: string; readonly files: number }[];
};

/** The same files read in turns, bare and imported, so that both meet the same machine. */
export function importSpeed(files: readonly RuleFile[]): ImportSpeed {
  const bare: number[] = [];
  const imports: number[] = [];
  let report = importAll(readAll(files));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const start = processorMs();
    readAll(files);
    const middle = processorMs();
    report = importAll(readAll(files));
    if (round < WARM_UP) continue;
    bare.push(middle - start);
    imports.push(processorMs() - middle);
  }
  const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
  return { files: files.length, bytes, bareMs: median(bare), importMs: median(imports), report, ...counted(report) };
}

/** Of this process. Time on the clock would be that of whoever else is at work on the machine. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function readAll(files: readonly RuleFile[]): readonly ForeignFile[] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return files.map(({ path, repository, name }) => ({
    name: `${repository}/${name}`,
    text: decoder.decode(readFileSync(path)),
  }));
}

function counted({ files }: ImportReport): Pick<ImportSpeed, "formats" | "findings"> {
  const formats = FOREIGN_FORMATS.map((format) => {
    const own = files.filter((file) => file.format === format);
    const count = (outcome: string): number => own.filter((file) => file.outcome === outcome).length;
    const [imported, withFindings, refused] = [count("imported"), count("imported_with_findings"), count("refused")];
    return { format, imported, withFindings, refused };
  });
  const codes = [...new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].sort();
  const findings = codes.map((code) => ({
    code,
    files: files.filter((file) => file.findings.some(({ rule }) => rule === code)).length,
  }));
  return { formats: formats.filter((row) => row.imported + row.withFindings + row.refused > 0), findings };
}
