/**
 * Live pages, in a real browser. The first screen is the address; each further one is reached, in a fresh tab, by following the
 * declared paths from there, so that a screen does not depend on which were looked at before.
 */
import type { Browser } from "playwright-core";
import { onScreen } from "../../domain/control-id.ts";
import type { Control, Harvested, Screen } from "../../domain/control-map.ts";
import { drawMap } from "../../domain/draw-map.ts";
import type { EntryPath } from "../../domain/entry-path.ts";
import type { WebSource } from "../../domain/harvest-source.ts";
import { quoted } from "../../domain/json-limits.ts";
import { isNameless, namelessWords } from "../../domain/nameless.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { WEB_LIMITS, type WebLimits } from "../../domain/web-limits.ts";
import type { Harvester, WebHarvest } from "../../ports/harvester.ts";
import type { Clock } from "../../ports/world.ts";
import { BROWSER_OPTIONS, type BrowserOptions } from "./browser-options.ts";
import type { SeenControl } from "./controls-of-page.ts";
import { findTarget } from "./find-target.ts";
import { openBrowser } from "./open-browser.ts";
import { openGate } from "./origin-gate.ts";
import { PageNotes } from "./page-notes.ts";
import { takeStep } from "./take-step.ts";
import { originOf, type PageRules, type SeenScreen, WebPage } from "./web-page.ts";

export type WebOptions = {
  readonly limits?: Partial<WebLimits>;
  readonly browser?: Partial<BrowserOptions>;
};
export type WebHarvesterOptions = WebOptions & { readonly clock: Pick<Clock, "now"> };

/** Several harvests with one browser, which starts with the first of them. */
export type WebHarvesters = {
  /** `limits`: where they are others than for all. */
  harvester(source: WebSource, limits?: Partial<WebLimits>): Harvester;
  close(): Promise<void>;
};

export function webHarvesters(options: WebHarvesterOptions): WebHarvesters {
  const { clock } = options;
  const limits: WebLimits = { ...WEB_LIMITS, ...options.limits };
  const browser = new OpenedBrowser({ ...BROWSER_OPTIONS, ...options.browser });
  return {
    harvester: (source, others) => ({
      kind: "web",
      harvest: () => harvestWeb(source, clock, { ...limits, ...others }, browser),
    }),
    close: () => browser.close(),
  };
}

/** One harvest with a browser of its own, which is closed when it answers. */
export function webHarvester(source: WebSource, options: WebHarvesterOptions): Harvester {
  return {
    kind: "web",
    async harvest() {
      const harvesters = webHarvesters(options);
      try {
        return await harvesters.harvester(source).harvest();
      } finally {
        await harvesters.close();
      }
    },
  };
}

/** For the corridor, which has the bounds that every map has. */
export function webHarvest(options: WebOptions = {}): WebHarvest {
  return (source, limits, clock) =>
    webHarvester(source, { ...options, clock, limits: { ...limits, ...options.limits } });
}

class OpenedBrowser {
  readonly #options: BrowserOptions;
  #opening: Promise<Parsed<Browser>> | null = null;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  async open(): Promise<Parsed<Browser>> {
    this.#opening ??= openBrowser(this.#options);
    const opened = await this.#opening;
    if (!opened.ok || opened.value.isConnected()) return opened;
    this.#opening = openBrowser(this.#options);
    return await this.#opening;
  }

  async close(): Promise<void> {
    const opened = await this.#opening;
    this.#opening = null;
    if (opened?.ok === true) await opened.value.close();
  }
}

async function harvestWeb(
  source: WebSource,
  clock: Pick<Clock, "now">,
  limits: WebLimits,
  opened: OpenedBrowser,
): Promise<Parsed<Harvested>> {
  const fault = faultOf(source, limits);
  if (fault !== null) return fault;
  const origins = new Set([originOf(source.url), ...source.allowOrigins.map(originOf)]);
  const gate = await openGate({ origins, bytesMax: limits.bytesMax });
  let timer = setTimeout(() => {}, 0);
  try {
    const browser = await opened.open();
    if (!browser.ok) return browser;
    const notes = new PageNotes(placeOf(source.url));
    const rules: PageRules = { origins, leaveOut: new Set(source.leaveOut), limits, notes };
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), limits.totalMs);
    });
    const harvest = new Harvest(source, browser.value, gate.url, rules, clock);
    const work = harvest.run();
    // What is broken off ends with an error that nobody waits for.
    work.catch(() => {});
    const outcome = await Promise.race([work, late, gate.filled]);
    if (outcome === null && !gate.full) {
      // A page that does not let go may not even close: with its browser it does.
      await opened.close();
      return unparsed("timed_out", `not done after ${limits.totalMs} ms`);
    }
    if (outcome === null) await harvest.breakOff();
    // A page that was cut off is half a page, whatever was seen of it.
    return outcome === null || gate.full
      ? unparsed("too_large", `the page loads more than ${limits.bytesMax} bytes`)
      : outcome;
  } finally {
    clearTimeout(timer);
    await gate.close();
  }
}

function faultOf(
  { url, paths, allowOrigins }: WebSource,
  { screensMax }: WebLimits,
): ReturnType<typeof unparsed> | null {
  const bad = [url, ...allowOrigins].find((one) => !/^https?:$/.test(URL.canParse(one) ? new URL(one).protocol : ""));
  if (bad !== undefined)
    return unparsed("bad_url", `${quoted(bad)} is no address that begins with http:// or https://`);
  const { username, password } = new URL(url);
  if (username !== "" || password !== "")
    return unparsed("bad_url", "an address with a password would stand in the map");
  return paths.length + 1 > screensMax ? unparsed("too_many_screens", `more than ${screensMax} screens`) : null;
}

/** A screen that was reached: what is on it, and by which controls. */
type Reached = {
  readonly path: EntryPath | null;
  readonly seen: SeenScreen;
  readonly entry: readonly string[];
};

class Harvest {
  readonly #source: WebSource;
  readonly #browser: Browser;
  readonly #gate: string;
  readonly #rules: PageRules;
  readonly #clock: Pick<Clock, "now">;
  readonly #reached = new Map<string, Reached>();
  #controls = 0;
  #page: WebPage | null = null;

  constructor(source: WebSource, browser: Browser, gate: string, rules: PageRules, clock: Pick<Clock, "now">) {
    this.#source = source;
    this.#browser = browser;
    this.#gate = gate;
    this.#rules = rules;
    this.#clock = clock;
  }

  async run(): Promise<Parsed<Harvested>> {
    const { first, paths } = this.#source;
    const start = await this.#reach(null);
    if (!start.ok) return start;
    this.#reached.set(first, start.value);
    for (const path of paths) {
      const reached = await this.#reach(path);
      if (!reached.ok) return reached;
      this.#reached.set(path.screen, reached.value);
      this.#noteWhatIsNew(path, reached.value);
    }
    return this.#draw();
  }

  async breakOff(): Promise<void> {
    await this.#page?.close();
  }

  /** Goes from the address to a screen, by all paths that lead there. */
  async #reach(path: EntryPath | null): Promise<Parsed<Reached>> {
    const page = await WebPage.open(this.#browser, this.#gate, this.#rules);
    this.#page = page;
    try {
      const gone = await page.goTo(this.#source.url);
      if (!gone.ok) return gone;
      const way = this.#wayTo(path);
      let entry: readonly string[] = [];
      for (const leg of way) {
        const ids = await this.#follow(leg, page);
        if (!ids.ok) return ids;
        entry = [...entry, ...ids.value];
      }
      const seen = await this.#arrive(way.at(-1) ?? null, page);
      if (!seen.ok) return seen;
      if (path !== null && this.#looksAsBefore(path, seen.value)) await page.hear();
      this.#controls += seen.value.controls.length;
      const { controlsMax } = this.#rules.limits;
      return this.#controls > controlsMax
        ? unparsed("too_many_controls", `more than ${controlsMax} controls on all screens`)
        : parsed({ path, seen: seen.value, entry });
    } finally {
      await page.close();
    }
  }

  #wayTo(path: EntryPath | null): readonly EntryPath[] {
    if (path === null) return [];
    const before = path.from === null ? null : (this.#reached.get(path.from)?.path ?? null);
    return [...this.#wayTo(before), path];
  }

  /** Does the steps of one path on the screen where it starts; the ids of the controls that it was done with. */
  async #follow(path: EntryPath, page: WebPage): Promise<Parsed<readonly string[]>> {
    const from = path.from ?? this.#source.first;
    const start = this.#reached.get(from);
    const ids: string[] = [];
    for (const [i, step] of path.steps.entries()) {
      const at = `screen ${quoted(path.screen)}, step ${i + 1} on screen ${quoted(from)}`;
      const before = await this.#arrive(i === 0 ? (start?.path ?? null) : null, page);
      if (!before.ok) return before;
      const { look, controls } = before.value;
      // By the ids that the map will have, since that is where people take them from.
      const target = findTarget(
        step,
        controls.map((control) => ({ ...control, id: this.#idOn(from, control) })),
        at,
      );
      if (!target.ok) return target;
      const { id } = target.value;
      if (start !== undefined && !start.seen.controls.some((control) => this.#idOn(from, control) === id)) {
        const why = "is there only after the step before it: declare what it is on as a screen of its own";
        return unparsed("step_target_missing", `${at}: the control ${quoted(id)} ${why}`);
      }
      const taken = await takeStep(step, target.value, look.around, page, at);
      if (!taken.ok) return taken;
      ids.push(id);
    }
    return parsed(ids);
  }

  /** Waits until a screen is up: at rest, and showing what its path says that it shows. */
  async #arrive(path: EntryPath | null, page: WebPage): Promise<Parsed<SeenScreen>> {
    const shows = path?.shows ?? null;
    const seen = await page.atRest(({ controls }) => shows === null || controls.some((one) => isCalled(one, shows)));
    if (seen.ok || seen.why.code !== "screen_not_reached" || path === null) return seen;
    const ms = this.#rules.limits.screenMs;
    return unparsed(
      "screen_not_reached",
      `screen ${quoted(path.screen)}: nothing called ${quoted(shows ?? "")} is there after ${ms} ms`,
    );
  }

  #idOn(screen: string, { id }: SeenControl): string {
    return screen === this.#source.first ? id : onScreen(screen, id);
  }

  #noteWhatIsNew(path: EntryPath, { seen }: Reached): void {
    const { notes } = this.#rules;
    if (seen.controls.length === 0) notes.add("empty_screen", `nothing is on screen ${quoted(path.screen)}`);
    if (!this.#looksAsBefore(path, seen)) return;
    notes.add("nothing_changed", `screen ${quoted(path.screen)} looks exactly like ${quoted(this.#from(path))}`);
  }

  #looksAsBefore(path: EntryPath, seen: SeenScreen): boolean {
    const before = this.#reached.get(this.#from(path))?.seen;
    return before !== undefined && sameScreen(before, seen);
  }

  #from({ from }: EntryPath): string {
    return from ?? this.#source.first;
  }

  #draw(): Parsed<Harvested> {
    const { app, url, leaveOut } = this.#source;
    const { notes, limits } = this.#rules;
    for (const name of leaveOut) {
      if (!notes.leftOut.has(name)) notes.add("left_out_nothing", `${quoted(name)} names no element`);
    }
    const screens: Screen[] = [];
    const controls: Control[] = [];
    for (const [id, { seen, entry }] of this.#reached) {
      const { pathname } = new URL(seen.look.url);
      screens.push({ id, title: seen.look.title, where: pathname, entry });
      for (const control of seen.controls)
        controls.push({ ...plain(control), screen: id, id: this.#idOn(id, control) });
    }
    const nameless = controls.filter((control) => control.clickable && isNameless(control)).length;
    if (nameless > 0) notes.add("nameless", namelessWords(nameless));
    const source = { kind: "web", where: placeOf(url) } as const;
    const findings = notes.findings();
    return drawMap({ app, source, at: this.#clock.now(), screens, controls, findings }, limits);
  }
}

/** A control without the browser's own words for it. */
function plain({ backendId: _backendId, tag: _tag, ...control }: SeenControl): Omit<Control, "screen"> {
  return control;
}

function isCalled({ text, desc, childText }: SeenControl, name: string): boolean {
  return text === name || desc === name || childText.includes(name);
}

function sameScreen(one: SeenScreen, other: SeenScreen): boolean {
  const told = ({ look, controls }: SeenScreen): string => JSON.stringify([look.url, look.title, controls.map(plain)]);
  return told(one) === told(other);
}

/** Where a page is, as a map keeps it and findings say it: what stands in a query may be a token. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const address = new URL(url);
  address.hash = "";
  address.search = "";
  return address.href;
}
