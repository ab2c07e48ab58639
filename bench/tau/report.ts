import type { Json } from "../../src/index.ts";
import { auditTable, counts, figureJson } from "./airline/report.ts";
import type { Measure, TauFigure } from "./figure.ts";
import type { GoldCall } from "./gold.ts";
import type { GoldFigure } from "./gold-figure.ts";
import type { JudgedProbe } from "./retail/probes.ts";

/** The figure for people. `npm run figures -- airline` has the recorded proposals one by one. */
export function tauLines({ ours, measures, failures }: TauFigure): string[] {
  const { retail, airline, airlineGold } = ours;
  return [
    `data: ${retail.source}; ${airline.source}`,
    "",
    ...measureTable(measures),
    "",
    "always allow: one rule that permits everything, no evidence, no caps. always deny: one rule that denies everything.",
    "",
    "retail",
    ...goldLines(retail.gold),
    ...probeLines(retail.probes),
    "",
    "airline",
    ...goldLines(airlineGold),
    `  recorded gpt-4o proposals against the audit, ${airline.judgedWrites} of ${airline.recordedWrites} decided:`,
    ...auditTable(airline).map((line) => `    ${line}`),
    `  codes: ${counts(airline.codes)}`,
    `  against the policy and accepted by the benchmark's own tool: ${airline.acceptedByBenchmark.against}; ` +
      `not permitted here: ${airline.acceptedByBenchmark.refusedByUs}`,
    `  disagreements with the audit: ${airline.disagreements.length}, ` +
      `explained: ${airline.disagreements.filter(({ explained }) => explained !== null).length}`,
    `  in tasks without a write: ${airline.unwanted.filter(({ write }) => write.verdict !== "permit").length} of ` +
      `${airline.unwanted.length} recorded write proposals not permitted; the others are unwanted, not against the policy`,
    `  ${airline.replayed} of ${airline.runs} runs replay the same`,
    ...(failures.length === 0 ? [] : ["", "failures:", ...failures.map((failure) => `  ${failure}`)]),
  ];
}

function measureTable(measures: readonly Measure[]): string[] {
  const rows = [
    ["", "of", "ours", "always allow", "always deny"],
    ...measures.map(({ suite, what, of, ours, alwaysAllow, alwaysDeny }) => [
      `${suite}: ${what}`,
      ...[of, ours, alwaysAllow, alwaysDeny].map(String),
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, i) => pad(cell, widths[i] ?? 0, i === 0)).join("  "));
}

function pad(cell: string, width: number, left: boolean): string {
  return left ? cell.padEnd(width) : cell.padStart(width);
}

function goldLines({ tasks, correct, wrong, foreign, lookUps }: GoldFigure): string[] {
  const done = correct.filter((write) => write.authorised && write.outcome === "done");
  return [
    `  ground truth: ${done.length} of ${correct.length} correct writes of ${tasks} tasks authorised and done`,
    ...correct.filter((write) => !done.includes(write)).map(callLine),
    ...wrong.map(
      ({ write, audit, refused }) =>
        `    wrong, ${write.authorised ? "AUTHORISED" : `denied ${write.code}`}: task ${write.task} ${write.tool}; ` +
        `audit: ${audit.join(", ") || "nothing"}; the benchmark's own tool: ${refused ?? "accepts it"}`,
    ),
    `  the same writes in another customer's conversation: ${foreign.filter((write) => write.authorised).length} of ` +
      `${foreign.length} authorised`,
    `  look-ups: ${lookUps.filter((call) => call.authorised).length} of ${lookUps.length} permitted`,
    ...lookUps.filter((call) => !call.authorised).map(callLine),
  ];
}

function callLine({ task, call, tool, code, outcome, rule }: GoldCall): string {
  return `    task ${task} call ${call} ${tool}: ${code ?? outcome} (${rule ?? ""})`;
}

function probeLines(probes: readonly JudgedProbe[]): string[] {
  const tasks = [...new Set(probes.map((probe) => probe.task))];
  const permitted = probes.filter((probe) => probe.permitted);
  const refused = permitted.filter((probe) => probe.refused !== null || probe.foreign);
  return [
    `  tasks without a write: ${tasks.length}; no proposals were recorded, so ${probes.length} are listed from the ` +
      `customers' records: ${permitted.length} permitted, ${refused.length} of them forbidden`,
    `    codes: ${counts(byCode(probes))}`,
    ...tasks.map((task) => {
      const own = probes.filter((probe) => probe.task === task && !probe.foreign);
      const allowed = own.filter((probe) => probe.permitted);
      const tools = allowed.reduce(
        (sum, { tool }) => sum.set(tool, (sum.get(tool) ?? 0) + 1),
        new Map<string, number>(),
      );
      return `    task ${task}: ${allowed.length} of ${own.length} to the customer's own records are within the policy: ${counts(Object.fromEntries(tools))}`;
    }),
  ];
}

function byCode(probes: readonly JudgedProbe[]): Record<string, number> {
  const table: Record<string, number> = {};
  for (const { code } of probes) if (code !== null) table[code] = (table[code] ?? 0) + 1;
  return table;
}

/** The figure for machines: the same facts. */
export function tauJson({ ours, measures, failures }: TauFigure): Json {
  const { retail, airline, airlineGold } = ours;
  const { probes, ...rest } = retail;
  const listed = { listed: probes.length, permitted: probes.filter((probe) => probe.permitted), codes: byCode(probes) };
  return JSON.parse(
    JSON.stringify({
      measures,
      retail: { ...rest, withoutWrite: listed },
      airline: { gold: airlineGold, recorded: figureJson(airline) },
      failures,
    }),
  ) as Json;
}
