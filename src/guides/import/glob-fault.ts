import { HIDDEN } from "../../domain/hidden.ts";

const UNITS_MAX = 1_024;
const ALTERNATIVES_MAX = 256;
const DEPTH_MAX = 8;
const UNSEEN = new RegExp(`${HIDDEN.source}|[\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, "u");

/** Why a foreign glob cannot be one of ours, in words, or null where it can. */
export function globFault(glob: string): string | null {
  if (glob.length > UNITS_MAX) return `has more than ${UNITS_MAX} characters`;
  if (UNSEEN.test(glob)) return "has characters that cannot be seen";
  if (glob.startsWith("!")) return "takes files away, and a rule only names those that it is for";
  if (/^[./]*$/.test(glob)) return "names nothing";
  let depth = 0;
  let alternatives = 0;
  for (let at = 0; at < glob.length; at++) {
    const mark = glob.charAt(at);
    if (mark === "[") {
      const end = endOfSet(glob, at);
      if (end === -1) return "has a [ that is not closed, or whose range runs backwards";
      at = end;
    } else if (mark === "{") {
      depth += 1;
      alternatives += 1;
      if (glob.charAt(at + 1) === "}") return "has braces with nothing in them";
    } else if (mark === ",") {
      if (depth === 0) return "has a comma outside braces";
      alternatives += 1;
    } else if (mark === "}") depth -= 1;
    if (depth < 0) return "has a } that closes nothing";
    if (depth > DEPTH_MAX || alternatives > ALTERNATIVES_MAX) return "has too many braces";
  }
  return depth > 0 ? "has a { that is not closed" : null;
}

/** Where the bracket closes: a `]` right behind the first stands for itself. */
function endOfSet(glob: string, open: number): number {
  const first = glob.charAt(open + 1) === "!" ? open + 2 : open + 1;
  const end = glob.indexOf("]", first + 1);
  if (end === -1) return -1;
  for (const [, from = "", to = ""] of glob.slice(first, end).matchAll(/(.)-(.)/gsu)) {
    if ((from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)) return -1;
  }
  return end;
}
