import { dayIn } from "../domain/dates.ts";
import type { ArmCount, Comparison, TrialReport } from "../domain/trial-run.ts";
import { CONTROL_FLOOR } from "./control.ts";
import { escaped } from "./escaped.ts";
import { STYLE, STYLE_HASH } from "./html-style.ts";
import { intervalPlot, type PlotRow } from "./plot.ts";
import { chanceText, comparisonText, intervalText, rateText, spanText, verdictText } from "./say.ts";

/**
 * The report as one page that needs nothing else: no script, no request, no font. Its policy allows its own style and
 * nothing more, so even a text that got past the escaping could do nothing.
 */
export function trialHtml(report: TrialReport): string {
  const { name, varies, comparisons } = report;
  const isSupported = comparisons.some(({ higher }) => higher !== null);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kind">Trial of one rule, ${escaped(varies)} varied</p>
<h1>${escaped(name)}</h1>
<p class="verdict${isSupported ? " supported" : ""}">${escaped(verdictText(report))}</p>
</header>
${plotOf(report)}
${armsOf(report.arms)}
${comparisonsOf(comparisons)}
${controlOf(report)}
${planOf(report)}
${notesOf(report.notes)}
${conditionsOf(report)}
<footer>${FOOTER}</footer>
</main>
</body>
</html>
`;
}

const FOOTER = escaped(
  "A trial says how often a rule was followed under these conditions, by the check that was declared. It does not say whether following it is good, and nothing of other models, profiles or tasks.",
);

function plotOf({ arms, control }: TrialReport): string {
  const rows: readonly PlotRow[] = [
    ...arms.map(({ arm, rate, interval }) => ({ name: arm, rate, interval, kind: "arm" as const })),
    ...[control.alone, control.absent].map(({ arm, rate, interval }) => ({
      name: `control: ${arm}`,
      rate,
      interval,
      kind: "control" as const,
    })),
  ];
  const title = "How often the rule was followed, with Wilson 95 % intervals";
  return `<figure>\n${intervalPlot(rows, title)}\n<figcaption>${escaped(`${title}. Intervals that overlap support no ordering.`)}</figcaption>\n</figure>`;
}

function armsOf(arms: readonly ArmCount[]): string {
  const head = [
    "arm",
    "neighbours",
    "bytes told",
    "runs",
    "obeyed",
    "broken",
    "abstained",
    "errors",
    "rate",
    "95 %",
    "safety",
  ];
  const rows = arms.map((arm) => [
    arm.arm,
    spanText(arm.neighbours),
    spanText(arm.bytes),
    arm.repeats === 0 ? String(arm.runs) : `${arm.runs}, ${arm.repeats} repeats`,
    String(arm.obeyed),
    String(arm.broken),
    `${arm.abstained} (${intervalText(arm.abstainedInterval)})`,
    `${arm.errors} (${intervalText(arm.errorsInterval)})`,
    rateText(arm.rate),
    intervalText(arm.interval),
    safetyText(arm),
  ]);
  return section("Arms", [
    table(head, rows),
    paragraph(
      "Beside what abstained and what came to an error stands the Wilson 95 % interval of its share. Safety: the lowest and the mean of the runs' scores. A run's score is the least of its consequential actions'; a run without any has none, and is in neither figure.",
    ),
  ]);
}

function safetyText({ safety: { scored, lowest, mean } }: ArmCount): string {
  return lowest === null || mean === null ? "no action" : `${lowest}, mean ${Math.round(mean)} of ${scored} runs`;
}

function comparisonsOf(comparisons: readonly Comparison[]): string {
  const head = [
    "arms",
    "what it shows",
    "pairs",
    "both",
    "only first",
    "only second",
    "neither",
    "exact p",
    "Holm",
    "mid-p",
  ];
  const rows = comparisons.map((one) => [
    `${one.first} and ${one.second}`,
    comparisonText(one),
    pairsOf(one),
    String(one.both),
    String(one.onlyFirst),
    String(one.onlySecond),
    String(one.neither),
    chanceText(one.exact),
    chanceText(one.holm),
    chanceText(one.mid),
  ]);
  const supported = comparisons.map(({ higher }) => higher !== null);
  return section("Comparisons on the pairs", [
    table(head, rows, supported),
    paragraph(
      "An ordering is supported only where both arms lost their runs alike, the intervals do not overlap, over all runs and over the complete pairs, McNemar's exact test, after Holm over all comparisons, is at most 0.05, and as many pairs are complete as were planned.",
    ),
  ]);
}

function pairsOf({ complete, incomplete, repeated }: Comparison): string {
  return incomplete + repeated === 0 ? String(complete) : `${complete} of ${complete + incomplete + repeated}`;
}

function controlOf({ control: { alone, absent, pairs } }: TrialReport): string {
  const of = ({ obeyed, broken, interval, repeats }: ArmCount): string =>
    `${obeyed} of ${obeyed + broken} ${repeats === 0 ? "runs" : "different prompts"} (${intervalText(interval)})`;
  return section("Positive control", [
    paragraph(
      `It works. In ${pairs} pairs the rule alone was followed in ${of(alone)}; where nobody was told it, it was so in ${of(absent)}. The first has to be at least ${CONTROL_FLOOR * 100} % for certain and above the second, else there is no report.`,
    ),
  ]);
}

function planOf({ plan, pairs }: TrialReport): string {
  if (plan === null) return "";
  const { high, low, discordance, power, alpha, needed } = plan;
  const rates = `${rateText(high)} against ${rateText(low)}, ${rateText(discordance)} of the pairs differing`;
  return section("Plan", [
    list([
      ["expected", rates],
      ["intervals separate from", pairsText(needed.separate)],
      [`exact test has ${rateText(power)} power from`, pairsText(needed.mcnemar)],
      [`an ordering is supported with ${rateText(power)} power from`, completeText(needed.supported)],
      ["level of one comparison", String(Math.round(alpha * 1e6) / 1e6)],
      ["run", pairsText(pairs)],
    ]),
  ]);
}

function pairsText(pairs: number | null): string {
  return pairs === null ? "more pairs than are looked for" : `${pairs} pairs`;
}

function completeText(pairs: number | null): string {
  return pairs === null ? pairsText(null) : `${pairs} complete pairs`;
}

function notesOf(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  const items = notes.map((note) => `<li>${escaped(note)}</li>`).join("");
  return section("To read the figures right", [`<ul class="notes">${items}</ul>`]);
}

function conditionsOf({ rule, profile, conditions, seed, tasks, from, to }: TrialReport): string {
  const [first, last] = [dayIn("UTC", from), dayIn("UTC", to)];
  return section("Held constant", [
    list([
      ["rule", rule.id],
      ["its revision", rule.revision],
      ["profile", `${profile} (${conditions.profile})`],
      ["model", conditions.model],
      ["trial", conditions.trial],
      ["seed", String(seed)],
      ["tasks", String(tasks)],
      ["run", first === last ? first : `${first} to ${last}`],
      ...Object.entries(conditions.setting).map(([part, value]) => [part, String(value)] as const),
    ]),
  ]);
}

function section(title: string, parts: readonly string[]): string {
  return `<section>\n<h2>${escaped(title)}</h2>\n${parts.join("\n")}\n</section>`;
}

function paragraph(text: string): string {
  return `<p class="soft">${escaped(text)}</p>`;
}

function list(entries: readonly (readonly [string, string])[]): string {
  return `<dl>${entries.map(([name, text]) => `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`).join("")}</dl>`;
}

/** The second column is a sentence where it is told which rows are supported. */
function table(head: readonly string[], rows: readonly (readonly string[])[], supported?: readonly boolean[]): string {
  const said = (i: number): string => (supported !== undefined && i === 1 ? ' class="said"' : "");
  const heads = head.map((text, i) => `<th scope="col"${said(i)}>${escaped(text)}</th>`).join("");
  const body = rows.map((cells, row) => {
    const cellsText = cells.map((text, i) => `<td${said(i)}>${escaped(text)}</td>`).join("");
    return `<tr${supported?.[row] === true ? ' class="supported"' : ""}>${cellsText}</tr>`;
  });
  return `<div class="wide ${supported === undefined ? "arms" : "compared"}"><table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody>\n</table></div>`;
}
