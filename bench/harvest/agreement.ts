import type { Control, Harvested } from "../../src/domain/control-map.ts";
import type { Parsed } from "../../src/domain/parsed.ts";
import type { ReferenceControl } from "./data.ts";

/** How harvested maps agree with the reference, added up. Controls are compared by their ids. */
export type Agreement = {
  readonly maps: number;
  readonly refused: number;
  /** Maps for which somebody has seen the controls before. */
  readonly compared: number;
  /** Compared maps in which both have the same ids. */
  readonly equal: number;
  readonly controls: number;
  readonly reference: number;
  /** Controls of the compared maps that both have. */
  readonly both: number;
  readonly missing: number;
  readonly extra: number;
  /** Of those that both have: how many differ in what. */
  readonly role: number;
  readonly text: number;
  readonly desc: number;
  readonly childText: number;
  readonly resourceId: number;
  readonly clickable: number;
};

export const NOTHING: Agreement = {
  maps: 0,
  refused: 0,
  compared: 0,
  equal: 0,
  controls: 0,
  reference: 0,
  both: 0,
  missing: 0,
  extra: 0,
  role: 0,
  text: 0,
  desc: 0,
  childText: 0,
  resourceId: 0,
  clickable: 0,
};

export function agreementOf(
  harvested: Parsed<Harvested>,
  reference: readonly ReferenceControl[] | undefined,
): Agreement {
  if (!harvested.ok) return { ...NOTHING, maps: 1, refused: 1, reference: reference?.length ?? 0 };
  const { controls } = harvested.value.map;
  if (reference === undefined) return { ...NOTHING, maps: 1, controls: controls.length };
  const theirs = new Map(reference.map((control) => [control.id, control]));
  const pairs = controls.flatMap((ours) => {
    const other = theirs.get(ours.id);
    return other === undefined ? [] : [{ ours, other }];
  });
  const differ = (by: (ours: Control, other: ReferenceControl) => boolean): number =>
    pairs.filter(({ ours, other }) => by(ours, other)).length;
  const [missing, extra] = [reference.length - pairs.length, controls.length - pairs.length];
  return {
    maps: 1,
    refused: 0,
    compared: 1,
    equal: missing === 0 && extra === 0 ? 1 : 0,
    controls: controls.length,
    reference: reference.length,
    both: pairs.length,
    missing,
    extra,
    role: differ((ours, other) => ours.role !== other.role),
    text: differ((ours, { text = "" }) => ours.text !== text),
    desc: differ((ours, { desc = "" }) => ours.desc !== desc),
    childText: differ((ours, { childText = [] }) => JSON.stringify(ours.childText) !== JSON.stringify(childText)),
    resourceId: differ((ours, { resourceId = "" }) => ours.resourceId !== resourceId),
    clickable: differ((ours, { clickable = null }) => clickable !== null && ours.clickable !== clickable),
  };
}

export function added(one: Agreement, other: Agreement): Agreement {
  const keys = Object.keys(NOTHING) as (keyof Agreement)[];
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as Agreement;
}
