/** How long a harvest of files takes, beside reading and parsing the same files with nothing but the library. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { parse } from "yaml";
import { median } from "../figures/median.ts";
import type { HarvestData } from "./data.ts";
import { filesOf, harvestFormat, type KINDS } from "./harvest-all.ts";

export type Speed = {
  readonly bytes: number;
  readonly millis: number;
  /** Of reading and parsing alone; null where no library reads the format. */
  readonly bareMillis: number | null;
};

const ROUNDS = 7;
/** A round is repeated for so long, since a format of three small files is read before a clock notices. */
const ROUND_MS = 40;

const BARE: Readonly<Partial<Record<keyof typeof KINDS, (text: string) => unknown>>> = {
  "uiautomator-xml": parseXml,
  "appium-uiautomator2-xml": parseXml,
  "appium-xcuitest-xml": parseXml,
  "playwright-aria-ai": (text) => parse(text),
  "refexp-jsonl": (text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
};

/** The medians of several rounds, taken in turn, so that a busy moment falls on both. */
export function speedOf(format: keyof typeof KINDS, data: HarvestData): Speed {
  const files = filesOf(data.maps.filter((map) => map.format === format)).map((file) => join(data.folder, file));
  const bare = BARE[format];
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(millis(() => harvestFormat(format, data)));
    if (bare !== undefined) theirs.push(millis(() => files.map((file) => bare(readFileSync(file, "utf8")))));
  }
  return {
    bytes: files.reduce((sum, file) => sum + readFileSync(file).length, 0),
    millis: median(ours),
    bareMillis: bare === undefined ? null : median(theirs),
  };
}

/** Milliseconds of one turn of work, after one that nobody counts. */
function millis(work: () => unknown): number {
  work();
  const began = performance.now();
  let turns = 0;
  for (; performance.now() - began < ROUND_MS; turns++) work();
  return (performance.now() - began) / turns;
}

/** A tree of elements, which is the least that anybody does with a document. */
function parseXml(text: string): unknown {
  const parser = new SaxesParser<{ readonly xmlns: false }>({ xmlns: false });
  const open: { readonly attributes: unknown; readonly children: unknown[] }[] = [{ attributes: {}, children: [] }];
  parser.on("opentag", ({ attributes }) => {
    const element = { attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  parser.write(text).close();
  return open[0];
}
