import { cleanText } from "../../domain/clean-text.ts";
import type { Control, Harvested, HarvestKind, Screen } from "../../domain/control-map.ts";
import { CHILD_TEXTS_MAX, drawMap, mapTooLarge } from "../../domain/draw-map.ts";
import type { Finding } from "../../domain/finding.ts";
import { FIRST_SCREEN } from "../../domain/harvest-source.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { isNameless, namelessWords } from "../../domain/nameless.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";

/** One text to read, and what is known of it besides. */
export type Reading = {
  readonly app: string | null;
  /** A file's name or an address. */
  readonly where: string;
  readonly text: string;
  /** The id of the screen that it shows; null: what the text says, or the first. */
  readonly screen: string | null;
  readonly leaveOut: readonly string[];
  readonly map: string | null;
  /** When it was read, in milliseconds. */
  readonly at: number;
};

/** Reads one format: a text in, a map of one screen out. */
export type Read = (reading: Reading, limits: MapLimits) => Parsed<Harvested>;

/** What a control is made of; what the interface does not give is empty. */
export type Seen = Partial<Control> & Pick<Control, "id" | "role" | "clickable">;

/** Findings of a reading, as far as one text goes; drawMap adds its own. */
export const READING_FINDINGS = [
  "nameless",
  "left_out_nothing",
  "unread_line",
  "unread_key",
  "more_pages",
  "missing_ref",
  "not_expanded",
  "spaces_cut",
] as const;

/** Lines or keys that one finding names. */
const NAMED_MAX = 5;

/** Characters of a text, and of all texts, that are gathered for each byte that a map keeps: white space may still go. */
const GATHERED_A_BYTE = 4;

/**
 * The controls of a text while it is read: of one screen, unless a control says that it is on another. What a source says once
 * and means a thousand times is bounded here, before it is copied.
 */
export class Gathering {
  readonly #leaveOut: ReadonlySet<string>;
  readonly #limits: MapLimits;
  readonly #unitsMax: number;
  #units = 0;
  readonly #controls: Control[] = [];
  readonly #owners = new Map<number, number>();
  readonly #leftOut = new Set<string>();
  readonly #notes = new Map<(typeof READING_FINDINGS)[number], { readonly named: Set<string>; count: number }>();
  readonly screen: string;
  /** Of what can be used: what nothing names, passed over, and in the map. */
  #nameless = 0;
  #namelessInMap = 0;

  constructor({ leaveOut, screen }: Pick<Reading, "leaveOut" | "screen">, limits: MapLimits) {
    this.#leaveOut = new Set(leaveOut);
    this.#limits = limits;
    this.#unitsMax = GATHERED_A_BYTE * limits.mapBytesMax;
    this.screen = screen ?? FIRST_SCREEN;
  }

  /** Whether there is more than a map may have already, so that reading on is for nothing. */
  get full(): boolean {
    return this.#controls.length > this.#limits.controlsMax || this.#units > this.#unitsMax;
  }

  get count(): number {
    return this.#controls.length;
  }

  /** Its place among the controls. `owner`: the place of the one that it belongs to, and whose id its own begins with. */
  add({ id, role, clickable, ...seen }: Seen, owner: number | null = null): number {
    const at = this.#controls.length;
    if (this.full) return at;
    if (owner !== null) this.#owners.set(at, owner);
    const { screen = this.screen, text = "", desc = "", childText = [], resourceId = "", value = "" } = seen;
    const { disabled = false } = seen;
    if (clickable && isNameless({ text, desc, resourceId, childText })) this.#namelessInMap += 1;
    this.#controls.push({
      id: this.short(id),
      screen: this.short(screen),
      role: this.short(role),
      text: this.short(text),
      desc: this.short(desc),
      // One more than is kept, so that a map's findings say that there were more.
      childText: childText.slice(0, CHILD_TEXTS_MAX + 1).map((one) => this.short(one)),
      resourceId: this.short(resourceId),
      value: this.short(value),
      clickable,
      disabled,
    });
    return at;
  }

  /** As much of a text as matters to a map, which cuts what is longer and says so. */
  short(text: string): string {
    const { textBytesMax } = this.#limits;
    const kept = text.length > GATHERED_A_BYTE * textBytesMax ? text.slice(0, GATHERED_A_BYTE * textBytesMax) : text;
    this.#units += kept.length;
    if (kept !== text && !cleanText(kept, textBytesMax).cut) {
      this.note("spaces_cut", `${quoted(kept.trimStart())} has more white space in it than is read`);
    }
    return kept;
  }

  /** Counts a control that is in no map, since nothing names it: no step can mean it. */
  nameless(): void {
    this.#nameless += 1;
  }

  /** Whether the element of one of these names is no part of the interface. */
  leavesOut(...names: readonly string[]): boolean {
    if (this.#leaveOut.size === 0) return false;
    const name = names.find((one) => one !== "" && this.#leaveOut.has(one));
    if (name !== undefined) this.#leftOut.add(name);
    return name !== undefined;
  }

  /** Notes what was passed over. Each rule becomes one finding that names the first few and counts the others. */
  note(rule: (typeof READING_FINDINGS)[number], what: string): void {
    const noted = this.#notes.get(rule) ?? { named: new Set(), count: 0 };
    this.#notes.set(rule, noted);
    if (noted.named.has(what)) return;
    noted.count += 1;
    if (noted.named.size < NAMED_MAX) noted.named.add(what);
  }

  /** The map. What is known of a screen is known of the first. */
  draw(
    { app, where, at }: Pick<Reading, "app" | "where" | "at">,
    kind: HarvestKind,
    screen: Pick<Screen, "title" | "where">,
    limits: MapLimits,
  ): Parsed<Harvested> {
    if (this.#units > this.#unitsMax) return unparsed("too_large", mapTooLarge(limits));
    const [first = this.screen, ...others] = new Set(this.#controls.map((control) => control.screen));
    const screens = [
      { id: first, ...screen, entry: [] },
      ...others.map((id) => ({ id, title: "", where: "", entry: [] })),
    ];
    const findings = this.#findings(where);
    const [controls, owners] = [this.#controls, this.#owners];
    return drawMap({ app, source: { kind, where }, at, screens, controls, owners, findings }, limits);
  }

  #findings(where: string): readonly Finding[] {
    for (const name of this.#leaveOut) {
      if (!this.#leftOut.has(name)) this.note("left_out_nothing", `${quoted(name)} names no element`);
    }
    if (this.#nameless > 0) {
      const one = this.#nameless === 1;
      this.note(
        "nameless",
        `${this.#nameless} ${one ? "control has" : "controls have"} no name of any kind, and no step can mean ${one ? "it" : "them"}`,
      );
    }
    if (this.#namelessInMap > 0) this.note("nameless", namelessWords(this.#namelessInMap));
    return [...this.#notes].map(([rule, { named, count }]) => {
      const more = count - named.size;
      const message = `${[...named].join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
      return { rule, severity: "warning", where, message } as const;
    });
  }
}

/** The texts inside a control: each once, in order, and none that is its own name again. */
export function otherTexts(texts: readonly string[], ...names: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "" && !names.includes(text));
}

/** A control's value and the states that it is in, as one text. */
export function heldText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
