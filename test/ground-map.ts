import type { Control, ControlMap } from "../src/domain/control-map.ts";
import { type GroundIndex, groundIndex } from "../src/guides/ground/ground-index.ts";

/** A control of which only what matters is said; a text alone is a button of that text. */
export type Row = string | Partial<Control>;

/** A map of one screen, `home`, unless a row says otherwise. The ids are c0, c1 and so on. */
export function mapOf(rows: readonly Row[]): ControlMap {
  const controls = rows.map((row, i) => ({
    ...{ id: `c${i}`, screen: "home", role: "button", text: "", desc: "", childText: [], resourceId: "", value: "" },
    ...{ clickable: true, disabled: false },
    ...(typeof row === "string" ? { text: row } : row),
  }));
  const screens = [...new Set(["home", ...controls.map(({ screen }) => screen)])];
  return {
    version: 1,
    app: "sample",
    source: { kind: "web", where: "http://127.0.0.1/" },
    at: 0,
    screens: screens.map((id) => ({ id, title: id, where: "", entry: [] })),
    controls,
  };
}

/** With its text in place of the digest's hash: two maps have the same digest if they are the same. */
export function indexOf(rows: readonly Row[]): GroundIndex {
  return groundIndex(mapOf(rows), (text) => text);
}
