import type { Pieces } from "./pieces.ts";

/** The prose of a text without the code fences around its objects, and whether there was one. */
export type Unfenced = { readonly prose: readonly string[]; readonly fenced: boolean };

const FENCE = "```";
/** A fence and the word behind it that names a language. */
const OPENING = /```[\w+-]{0,16}$/;
const OPENING_MAX = 24;

/** A fence that nothing closes is one, too, since the object inside of it is whole. */
export function unfenced({ objects, prose }: Pieces): Unfenced {
  const parts = [...prose];
  let fenced = false;
  for (let i = 0; i < objects.length; i++) {
    const before = (parts[i] ?? "").trimEnd();
    const opening = OPENING.exec(before.slice(-OPENING_MAX));
    if (opening === null) continue;
    fenced = true;
    parts[i] = before.slice(0, before.length - opening[0].length);
    const after = (parts[i + 1] ?? "").trimStart();
    if (after.startsWith(FENCE)) parts[i + 1] = after.slice(FENCE.length);
  }
  return { prose: parts, fenced };
}
