import { type Agreement, added, agreementOf, NOTHING } from "../harvest/agreement.ts";
import { HARVEST_DATA, loadHarvestData } from "../harvest/data.ts";
import { harvestFormat, KINDS } from "../harvest/harvest-all.ts";
import { harvestPages, type PageFigure } from "../harvest/pages.ts";
import { type Speed, speedOf } from "../harvest/speed.ts";
import type { Figure, FigureResult } from "./figure.ts";
import { machineLines } from "./machine.ts";

/** Times the library's own reading and parsing, over all formats that a library reads. */
const TIMES_MAX = 3;

type TextFormat = keyof typeof KINDS;
type Line = { readonly format: TextFormat; readonly agreement: Agreement; readonly speed: Speed };

export const harvest: Figure = {
  name: "harvest",
  takes: "a minute; the public data beside the repository; for pages the optional browser",
  title: "control maps harvested from public screens, beside the controls that somebody else's harvester saw on them",
  goal: `every screen is harvested, no control of the reference is missing and none differs in whether it can be clicked; reading takes under ${TIMES_MAX} times what the libraries' parsing alone takes in the same run`,
  async run({ data }) {
    const loaded = loadHarvestData(data ?? HARVEST_DATA);
    const machine = machineLines();
    const lines = (Object.keys(KINDS) as TextFormat[]).map((format): Line => {
      const agreement = harvestFormat(format, loaded)
        .map(({ map, harvested }) => agreementOf(harvested, loaded.reference.get(map.name)))
        .reduce(added, NOTHING);
      return { format, agreement, speed: speedOf(format, loaded) };
    });
    return result(machine, lines, await harvestPages(loaded));
  },
};

function result(machine: readonly string[], lines: readonly Line[], pages: PageFigure | string): FigureResult {
  const sum = lines.map(({ agreement }) => agreement).reduce(added, NOTHING);
  const agrees = sum.refused === 0 && sum.missing === 0 && sum.clickable === 0;
  const parsed = lines.filter(({ speed }) => speed.bareMillis !== null);
  const times =
    parsed.reduce((total, { speed }) => total + speed.millis, 0) /
    parsed.reduce((total, { speed }) => total + (speed.bareMillis ?? 0), 0);
  const quick = times < TIMES_MAX;
  const allPages = typeof pages === "string" || pages.refused === 0;
  return {
    holds: agrees && quick && allPages,
    lines: [
      ...machine,
      "",
      HEAD,
      ...lines.map(row),
      "",
      ...pageLines(pages),
      "",
      `${agrees ? "holds" : "DOES NOT HOLD"}  every screen harvested (${sum.refused} refused), ${sum.missing} controls missing, ${sum.clickable} differ in whether they can be clicked`,
      `${quick ? "holds" : "DOES NOT HOLD"}  under ${TIMES_MAX} times the libraries' own parsing: ${times.toFixed(2)} times`,
    ],
    json: { machine: [...machine], lines: [...lines], times, pages },
  };
}

const WIDTHS = [24, 5, 8, 9, 9, 8, 6, 8, 9, 10, 7];
const HEAD = columns([
  ...["format", "maps", "refused", "controls", "reference", "missing", "extra", "texts", "clickable", "MB/s", "times"],
]);

function row({ format, agreement, speed }: Line): string {
  const { maps, refused, controls, reference, missing, extra, text, clickable } = agreement;
  const rate = speed.bytes / 1e3 / speed.millis;
  return columns([
    format,
    ...[maps, refused, controls, reference, missing, extra, text, clickable].map(String),
    rate.toFixed(2),
    speed.bareMillis === null ? "-" : (speed.millis / speed.bareMillis).toFixed(2),
  ]);
}

function columns(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0))).join(" ");
}

function pageLines(pages: PageFigure | string): readonly string[] {
  if (typeof pages === "string") return [`pages are not looked at here: ${pages}`];
  const { millis, refused, controls, reference, clickable, referenceClickable, textsMissing } = pages;
  return [
    `${pages.pages} pages in a browser, ${(millis / pages.pages).toFixed(0)} ms each: ${refused} refused; ${controls} controls, ${clickable} of them to be clicked`,
    `the reference, by elements of the HTML: ${reference}, ${referenceClickable} of them to be clicked; ${textsMissing} of its texts are not on a map`,
  ];
}
