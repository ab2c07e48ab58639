import { fileURLToPath } from "node:url";
import { type Case, type Measured, measure } from "../compile/measure.ts";
import { realTexts } from "../compile/workload.ts";
import type { Figure } from "./figure.ts";
import { machineLines } from "./machine.ts";

/** Public rule files, where they lie beside the repository. */
export const RULES_DATA = fileURLToPath(new URL("../../../shared/data/guides/rules", import.meta.url));

const COMPILE_MS_MAX = 5;
const SELECT_MS_MAX = 10;
/** Of the bare copy, where all rules are kept: then the bytes are what costs. */
const RATIO_MAX = 4;
const MANY = 10_000;
const MOST = 100_000;

const CASES: readonly (Case & { readonly msMax: number })[] = [
  { name: "few selected", rules: MANY, matching: 50, budgetBytes: 32_768, msMax: COMPILE_MS_MAX },
  { name: "most selected, 32 KiB kept", rules: MANY, matching: 9_000, budgetBytes: 32_768, msMax: COMPILE_MS_MAX },
  { name: "most selected, all kept", rules: MANY, matching: 9_000, budgetBytes: null, msMax: COMPILE_MS_MAX },
  { name: "50 of 100,000 selected", rules: MOST, matching: 50, budgetBytes: null, msMax: SELECT_MS_MAX },
];

export const compile: Figure = {
  name: "compile",
  takes: "a few seconds; needs rule files",
  title: "what serving rules costs after load: sections of public rule files, beside the bare copy of the bytes kept",
  goal:
    `compile with ${MANY.toLocaleString("en")} rules under ${COMPILE_MS_MAX} ms, also where most are selected; 50 selected ` +
    `of ${MOST.toLocaleString("en")} under ${SELECT_MS_MAX} ms; with every byte kept at most ${RATIO_MAX} times the bare copy; ` +
    "on one core, medians of the rounds",
  async run({ data, seed }) {
    const machine = machineLines();
    const texts = realTexts(data ?? RULES_DATA);
    const measured = CASES.map((one) => ({ ...measure(texts, one, seed), msMax: one.msMax }));
    const judgements = measured.flatMap(({ name, compileMs, msMax, budgetBytes, rules, ratio }) => [
      line(compileMs < msMax, `${name}: ${ms(compileMs)} ms (under ${msMax})`),
      ...(budgetBytes === null && rules === MANY
        ? [line(ratio <= RATIO_MAX, `${name}: ${ratio.toFixed(1)} times the bare copy (at most ${RATIO_MAX})`)]
        : []),
    ]);
    return {
      holds: judgements.every(({ holds }) => holds),
      lines: [
        ...machine,
        `${texts.length} sections of real text; each rule has two or three phrases, some have globs over app and paths`,
        "",
        ...table(measured),
        "",
        "first: the first compile of the process with this set. text: putting the served text together, which is done when it",
        "is first read. copy: writing the kept texts into a buffer, and nothing else. ratio: compile, text and the same writing",
        "over that copy, of the same round; where little is kept, it is the selecting that it shows",
        "",
        ...judgements.map(({ text }) => text),
      ],
      json: { machine: [...machine], sections: texts.length, cases: measured.map((one) => ({ ...one })) },
    };
  },
};

function line(holds: boolean, text: string): { readonly holds: boolean; readonly text: string } {
  return { holds, text: `${(holds ? "holds" : "DOES NOT HOLD").padEnd(14)} ${text}` };
}

const COLUMNS = ["load ms", "first ms", "compile ms", "text ms", "copy ms", "ratio", "selected", "kept", "bytes kept"];

function table(measured: readonly Measured[]): readonly string[] {
  const width = Math.max(...measured.map(({ name }) => name.length));
  const row = (name: string, cells: readonly string[]): string =>
    name.padEnd(width) + cells.map((cell, i) => `  ${cell.padStart(COLUMNS[i]?.length ?? 0)}`).join("");
  return [
    row("", COLUMNS),
    ...measured.map((one) =>
      row(one.name, [
        one.loadMs.toFixed(0),
        ms(one.firstMs),
        ms(one.compileMs),
        ms(one.textMs),
        ms(one.copyMs),
        one.ratio.toFixed(1),
        ...[one.selected, one.kept, one.keptBytes].map((count) => count.toLocaleString("en")),
      ]),
    ),
  ];
}

const ms = (value: number): string => value.toFixed(2);
