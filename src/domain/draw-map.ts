/**
 * The one constructor of a ControlMap. Whatever an interface says arrives here as a draft, and leaves as a map that holds:
 *
 *   ids-unique       no two controls have one id; of equal ones the later are numbered, and a finding names them; what belongs to a
 *                    numbered one has the numbered id in its own
 *   order-kept       the controls stand in the order of the draft
 *   screens-exist    every control is on a screen of the map, every entry is a control of it
 *   recordable       no text is half a surrogate pair or over its bound, nor are all together; what is hidden in a name is kept and
 *                    named
 */
import { cleanText, hiddenPoints } from "./clean-text.ts";
import type { Control, ControlMap, Harvested, Screen } from "./control-map.ts";
import type { Finding } from "./finding.ts";
import { quoted } from "./json-limits.ts";
import type { HarvestCode, MapLimits } from "./map-limits.ts";
import { type Parsed, parsed, unparsed, type Why } from "./parsed.ts";
import { type Owners, uniqueIds } from "./unique-ids.ts";
import { utf8Length } from "./utf8.ts";

export type MapDraft = Omit<ControlMap, "version"> & {
  /** What was found while the source was read. */
  readonly findings: readonly Finding[];
  /** Which controls belong to which, by their places: a field to its operation, whose id its own begins with. */
  readonly owners?: Owners;
};

export const MAP_FINDINGS = ["duplicate_id", "hidden_in_name", "text_cut", "text_mended", "texts_left_out"] as const;

/** Findings of one rule that are listed one by one; the others are counted. */
const LISTED_MAX = 20;
const POINTS_MAX = 4;
/** Texts inside a control that are kept. */
export const CHILD_TEXTS_MAX = 200;

export const mapTooLarge = ({ mapBytesMax }: MapLimits): string =>
  `more than ${mapBytesMax} bytes in the texts of its controls`;

export function drawMap(draft: MapDraft, limits: MapLimits): Parsed<Harvested> {
  const refused = tooMuch(draft, limits);
  if (refused !== null) return { ok: false, why: refused };
  const findings = new Findings(draft.findings);
  const clean = new Cleaner(findings, limits.textBytesMax);
  const screens = draft.screens.map((screen) => cleanScreen(screen, clean));
  const cleaned: Control[] = [];
  let bytes = 0;
  for (const control of draft.controls) {
    const one = cleanControl(control, clean, findings);
    bytes += bytesOf(one);
    if (bytes > limits.mapBytesMax) return unparsed("too_large", mapTooLarge(limits));
    cleaned.push(one);
  }
  const controls = withUniqueIds(cleaned, draft.owners, findings);
  const why = wrongPlaces(screens, controls);
  if (why !== null) return { ok: false, why };
  const source = { kind: draft.source.kind, where: clean.quietly(draft.source.where) };
  const app = draft.app === null ? null : clean.quietly(draft.app);
  const map: ControlMap = { version: 1, app, source, at: draft.at, screens, controls };
  return parsed({ map, findings: findings.listed() });
}

function refusal(code: HarvestCode, detail: string): Why {
  return unparsed(code, detail).why;
}

function tooMuch({ screens, controls }: MapDraft, { screensMax, controlsMax }: MapLimits): Why | null {
  if (screens.length > screensMax) return refusal("too_many_screens", `more than ${screensMax} screens`);
  if (controls.length > controlsMax) return refusal("too_many_controls", `more than ${controlsMax} controls`);
  if (controls.length > 0) return null;
  return refusal("no_controls", "there is nothing on it that could be seen or used by a name");
}

function wrongPlaces(screens: readonly Screen[], controls: readonly Control[]): Why | null {
  const known = new Set<string>();
  for (const { id } of screens) {
    if (known.has(id)) return refusal("duplicate_screen", `two screens have the id ${quoted(id)}`);
    known.add(id);
  }
  const lost = controls.find(({ screen }) => !known.has(screen));
  if (lost !== undefined) {
    return refusal(
      "unknown_screen",
      `control ${quoted(lost.id)} is on the screen ${quoted(lost.screen)}, which is not there`,
    );
  }
  const ids = new Set(controls.map(({ id }) => id));
  for (const { id, entry } of screens) {
    const missing = entry.find((step) => !ids.has(step));
    if (missing === undefined) continue;
    return refusal(
      "unknown_entry",
      `the way to screen ${quoted(id)} has the control ${quoted(missing)}, which is not there`,
    );
  }
  return null;
}

function cleanScreen({ id, title, where, entry }: Screen, clean: Cleaner): Screen {
  const screen = `screen ${quoted(id)}`;
  return { id: clean.quietly(id), title: clean.named(title, screen), where: clean.quietly(where), entry };
}

function bytesOf({ id, role, text, desc, childText, resourceId, value }: Control): number {
  return [id, role, text, desc, resourceId, value, ...childText].reduce((sum, one) => sum + utf8Length(one), 0);
}

function cleanControl(control: Control, clean: Cleaner, findings: Findings): Control {
  const id = clean.quietly(control.id);
  const where = `control ${quoted(id)}`;
  if (control.childText.length > CHILD_TEXTS_MAX) {
    findings.add("texts_left_out", where, `there are more than ${CHILD_TEXTS_MAX} texts in it, and the first are kept`);
  }
  return {
    id,
    screen: clean.quietly(control.screen),
    role: clean.quietly(control.role),
    text: clean.named(control.text, where),
    desc: clean.named(control.desc, where),
    childText: control.childText
      .slice(0, CHILD_TEXTS_MAX)
      .map((text) => clean.named(text, where))
      .filter((text) => text !== ""),
    resourceId: clean.quietly(control.resourceId),
    value: clean.quietly(control.value),
    clickable: control.clickable,
    disabled: control.disabled,
  };
}

class Cleaner {
  readonly #findings: Findings;
  readonly #bytesMax: number;

  constructor(findings: Findings, bytesMax: number) {
    this.#findings = findings;
    this.#bytesMax = bytesMax;
  }

  /** A text by which somebody means the control. */
  named(raw: string, where: string): string {
    if (raw === "") return raw;
    const { text, cut, mended } = cleanText(raw, this.#bytesMax);
    if (cut)
      this.#findings.add("text_cut", where, `a text of it is longer than ${this.#bytesMax} bytes, and was cut there`);
    if (mended) this.#findings.add("text_mended", where, "half a surrogate pair in a text of it became U+FFFD");
    const points = hiddenPoints(text, POINTS_MAX);
    if (points.length > 0) {
      this.#findings.add(
        "hidden_in_name",
        where,
        `there are characters in its name that nobody sees: ${points.join(", ")}`,
      );
    }
    return text;
  }

  quietly(raw: string): string {
    return raw === "" ? raw : cleanText(raw, this.#bytesMax).text;
  }
}

function withUniqueIds(
  controls: readonly Control[],
  owners: Owners | undefined,
  findings: Findings,
): readonly Control[] {
  const { items, repeated } = uniqueIds(controls, owners);
  for (const [id, count] of repeated) {
    findings.add(
      "duplicate_id",
      `control ${quoted(id)}`,
      `${count} controls have this id: the later are numbered with ~`,
    );
  }
  return items;
}

/** Warnings by rule, each rule's tail counted rather than listed. */
class Findings {
  readonly #given: readonly Finding[];
  readonly #byRule = new Map<string, Finding[]>();

  constructor(given: readonly Finding[]) {
    this.#given = given;
  }

  add(rule: (typeof MAP_FINDINGS)[number], where: string, message: string): void {
    const list = this.#byRule.get(rule) ?? [];
    this.#byRule.set(rule, list);
    if (list.at(-1)?.where !== where) list.push({ rule, severity: "warning", where, message });
  }

  listed(): readonly Finding[] {
    return [...this.#given, ...[...this.#byRule.values()].flatMap(shortened)];
  }
}

function shortened(list: readonly Finding[]): readonly Finding[] {
  const [first] = list;
  if (first === undefined || list.length <= LISTED_MAX) return list;
  const more = list.length - LISTED_MAX;
  return [...list.slice(0, LISTED_MAX), { ...first, where: "map", message: `and ${more} more of this kind` }];
}
