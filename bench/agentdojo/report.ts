import { wilson } from "../../src/domain/wilson.ts";
import type { Json } from "../../src/index.ts";
import type { AgentDojoFigure, Control, SuiteFigure, Tally } from "./figure.ts";
import type { Requests } from "./requests.ts";
import type { DrivenTask } from "./utility.ts";

/** The figure for people. */
export function figureLines(figure: AgentDojoFigure): string[] {
  const { suites, requests } = figure;
  const all = { tasks: suites.flatMap(({ tasks }) => tasks), attacks: sum(suites.map(({ attacks }) => attacks)) };
  const writing = suites.map((suite) => ({ suite: suite.suite, tasks: writingOf(suite) }));
  return [
    `data: ${figure.source}; about half of each suite's user tasks`,
    "",
    ...table(
      ["user tasks", "tasks", "alone", "share", "95 %", "approved", "denied"],
      [...suites.map(({ suite, tasks }) => taskRow(suite, tasks)), taskRow("all", all.tasks)],
    ),
    "",
    ...table(
      ["with a write", "tasks", "alone", "share", "95 %", "approved", "denied"],
      [
        ...writing.map(({ suite, tasks }) => taskRow(suite, tasks)),
        taskRow(
          "all",
          writing.flatMap(({ tasks }) => tasks),
        ),
      ],
    ),
    "",
    ...table(
      ["attacks", "threads", "generated", "committed", "staged", "denied", "as asked"],
      [
        ...suites.map(({ suite, threads, attacks }) => attackRow(suite, threads, attacks)),
        attackRow(
          "all",
          suites.reduce((total, { threads }) => total + threads, 0),
          all.attacks,
        ),
      ],
    ),
    "as asked: permitted, and no rule could tell it from what the request asks for: it changes nothing, does a part of it, or",
    "says it in other words of the request or of another place of the public catalogue; no value of an attacker's is in it:",
    ...suites.map(({ suite, alikeBy }) => `  ${suite}: ${counts(alikeBy)}`),
    "",
    ...table(["control", "alone", "approved", "denied", "attacks", "committed"], controlRows(suites)),
    "the controls are attacked through the first field of each suite alone, so their count is smaller",
    "",
    ...table(
      ["invented requests", "of an act only", "permitted", "denied", "plain orders", "alone", "share", "denied"],
      [...requests.map(requestRow), requestRow(allRequests(requests))],
    ),
    "of an act only: they ask about it, refuse, exclude, report, put off or condition it, and none may permit it;",
    "written with the rules at hand, as the plain ones, so they say what the rules do, and not how often people speak so",
    "",
    "waiting for a person:",
    ...suites.flatMap(({ suite, tasks }) =>
      tasks.filter(({ end }) => end !== "alone").map((task) => waiting(suite, task)),
    ),
    ...(figure.failures.length === 0 ? [] : ["", "failures:", ...figure.failures.map((failure) => `  ${failure}`)]),
    ...suites.flatMap(({ suite, committed }) =>
      committed
        .slice(0, 20)
        .map(
          ({ task, vector, after, attack }) =>
            `  committed: ${suite} ${task} via ${vector} after ${after}: ${attack.tool} ${JSON.stringify(attack.args)}`,
        ),
    ),
  ];
}

function taskRow(name: string, tasks: readonly DrivenTask[]): readonly string[] {
  const alone = count(tasks, "alone");
  const rest = [count(tasks, "approved"), count(tasks, "denied")].map(String);
  return [
    name,
    String(tasks.length),
    String(alone),
    percent(alone / tasks.length),
    interval(alone, tasks.length),
    ...rest,
  ];
}

function attackRow(name: string, threads: number, { generated, committed, staged, denied, alike }: Tally) {
  return [name, ...[threads, generated, committed, staged, denied, alike].map(thousands)];
}

function requestRow({
  suite,
  hostile,
  plain,
}: Omit<Requests, "suite"> & { readonly suite: string }): readonly string[] {
  const ends = (asked: Requests["plain"], end: string) => asked.filter(({ said }) => said.outcome === end).length;
  const alone = ends(plain, "permit");
  const acts = [hostile.length, ends(hostile, "permit"), ends(hostile, "deny"), plain.length, alone].map(thousands);
  return [suite, ...acts, percent(alone / plain.length), thousands(ends(plain, "deny"))];
}

function allRequests(requests: readonly Requests[]) {
  return {
    suite: "all",
    hostile: requests.flatMap(({ hostile }) => hostile),
    plain: requests.flatMap(({ plain }) => plain),
  };
}

function writingOf({ tasks, writing }: SuiteFigure): readonly DrivenTask[] {
  return tasks.filter(({ task }) => writing.has(task));
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}

function controlRows(suites: readonly SuiteFigure[]): readonly (readonly string[])[] {
  const names = suites[0]?.controls.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const controls = suites.flatMap(({ controls }) =>
      controls.filter((control): control is Control => control.name === name),
    );
    const tasks = controls.flatMap((control) => control.tasks);
    const { generated, committed } = sum(controls.map(({ attacks }) => attacks));
    const ends = (["alone", "approved", "denied"] as const).map((end) => String(count(tasks, end)));
    return [name, ...ends, thousands(generated), thousands(committed)];
  });
}

function waiting(suite: string, { task, end, decided }: DrivenTask): string {
  const calls = decided.filter(({ said }) => said.outcome !== "permit");
  return `  ${suite} ${task} (${end}): ${calls.map(({ call, said }) => `${call.tool} by ${said.rule}`).join("; ")}`;
}

function count(tasks: readonly DrivenTask[], end: DrivenTask["end"]): number {
  return tasks.filter((task) => task.end === end).length;
}

function sum(tallies: readonly Tally[]): Tally {
  const total = (key: keyof Tally) => tallies.reduce((so, tally) => so + tally[key], 0);
  return {
    generated: total("generated"),
    committed: total("committed"),
    staged: total("staged"),
    denied: total("denied"),
    alike: total("alike"),
  };
}

function counts(by: Readonly<Record<string, number>>): string {
  return (
    Object.entries(by)
      .map(([name, n]) => `${name} ${thousands(n)}`)
      .join(", ") || "none"
  );
}

function interval(hits: number, of: number): string {
  const { low, high } = wilson(hits, of);
  return `${percent(low)} to ${percent(high)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.001 ? 3 : 1)} %`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return [line(heads), ...rows.map(line)];
}

/** The figure for machines. */
export function figureJson(figure: AgentDojoFigure): Json {
  return JSON.parse(
    JSON.stringify({
      source: figure.source,
      failures: figure.failures,
      requests: figure.requests.map(({ suite, hostile, plain }) => ({
        suite,
        hostile: hostile.length,
        hostilePermitted: hostile.filter(({ said }) => said.outcome === "permit").length,
        plain: plain.length,
        plainAlone: plain.filter(({ said }) => said.outcome === "permit").length,
        denied: [...hostile, ...plain].filter(({ said }) => said.outcome === "deny").length,
      })),
      suites: figure.suites.map(({ suite, tasks, writing, threads, attacks, committed, alikeBy, controls }) => ({
        suite,
        ...tasksJson(tasks),
        withWrite: tasksJson(tasks.filter(({ task }) => writing.has(task))),
        waiting: tasks.filter(({ end }) => end !== "alone").map(({ task, end }) => ({ task, end })),
        threads,
        asAskedByTool: alikeBy,
        attacks,
        committed: committed.map(({ attack, ...where }) => ({ ...where, tool: attack.tool, args: attack.args })),
        controls: controls.map((control) => ({
          name: control.name,
          ...tasksJson(control.tasks),
          attacks: control.attacks,
        })),
      })),
    }),
  ) as Json;
}

function tasksJson(tasks: readonly DrivenTask[]) {
  const alone = count(tasks, "alone");
  const { low, high } = wilson(alone, tasks.length);
  return {
    tasks: tasks.length,
    alone,
    interval: [low, high],
    approved: count(tasks, "approved"),
    denied: count(tasks, "denied"),
  };
}
