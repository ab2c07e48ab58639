import { clipMiddle, columnsOf } from "./text.ts";

/** Below this a name says too little: then it stands on a line of its own. */
const NAME_COLUMNS_MIN = 24;

/** Names that share a column of at most `room`; null where they do not fit one and stay apart. */
export function namesIn(names: readonly string[], room: number): readonly string[] | null {
  if (widest(names) <= room) return names;
  if (room < NAME_COLUMNS_MIN) return null;
  const cut = names.map((name) => clipMiddle(name, room));
  return new Set(cut).size === new Set(names).size ? cut : null;
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
}
