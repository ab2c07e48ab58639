/**
 * A ControlMap: the controls that were harvested from a real interface (design 7.5), with where they are from and when. Guides
 * are grounded in one, and a score means something only within one.
 */
import { canonicalJson } from "./canonical.ts";
import type { Finding } from "./finding.ts";
import type { Json } from "./json.ts";

/** What a map can be called: its file is that name with `.json`. */
export const MAP_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What a map can be harvested from: a live page, a text in one of these formats, or our own controls as JSONL. */
export const HARVEST_KINDS = [
  "web",
  "aria",
  "android",
  "ios",
  "autodroid",
  "actree",
  "mcp",
  "openapi",
  "jsonl",
] as const;
export type HarvestKind = (typeof HARVEST_KINDS)[number];

/** Something that can be seen or used on a screen. A text that the interface does not give is empty. */
export type Control = {
  /** Unique in its map. */
  readonly id: string;
  /** The screen that it is on. */
  readonly screen: string;
  /** As the interface names it, without the package: `button`, `checkbox`, `EditText`. */
  readonly role: string;
  readonly text: string;
  /** Its description for assistive technology, where that is not its text. */
  readonly desc: string;
  /** The texts inside it, in reading order. */
  readonly childText: readonly string[];
  readonly resourceId: string;
  /** What it holds now: a field's content, a box's state. Not part of its name. */
  readonly value: string;
  readonly clickable: boolean;
  readonly disabled: boolean;
};

/** One screen: what tells it from the others of its interface (an activity, a path, a title), and how one gets there. */
export type Screen = {
  readonly id: string;
  readonly title: string;
  /** Where the interface itself says it is: the path of a page, the package of an app; empty where it does not say. */
  readonly where: string;
  /** The ids of the controls that lead here from the first screen, in order; empty for the first. */
  readonly entry: readonly string[];
};

export type ControlMap = {
  readonly version: 1;
  readonly app: string | null;
  readonly source: { readonly kind: HarvestKind; readonly where: string };
  /** When it was harvested, in milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  readonly screens: readonly Screen[];
  /** In the order of the interface. */
  readonly controls: readonly Control[];
};

/** The text whose SHA-256 names a map: what is in the interface. When it was looked at is not part of it. */
export function mapText({ version, app, source, screens, controls }: ControlMap): string {
  return canonicalJson({ version, app, source, screens, controls } as unknown as Json);
}

/**
 * The text whose SHA-256 names one screen as it was harvested: for events that say which screen is up (design 5.3). A guide that
 * waits for the screen with this digest is not told where the screen has changed since.
 */
export function screenText({ screens, controls }: ControlMap, id: string): string {
  const screen = screens.find((one) => one.id === id) ?? null;
  const on = controls.filter((control) => control.screen === id).map(({ value: _, ...control }) => control);
  return canonicalJson({ title: screen?.title ?? null, controls: on } as unknown as Json);
}

/** A map and what was found on the way to it. A finding here is a warning: what makes a map impossible refuses it. */
export type Harvested = { readonly map: ControlMap; readonly findings: readonly Finding[] };
