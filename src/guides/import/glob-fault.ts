import { parsePathGlob } from "../glob.ts";
import { hiddenRuns } from "../hidden-points.ts";
import { hasLooseComma } from "../read-header.ts";

/** Why a foreign glob cannot be one of ours, in words, or null where it can. */
export function globFault(glob: string): string | null {
  // To us it is an ordinary character, and the glob would match what nobody has.
  if (glob.startsWith("!")) return "it takes files away, and a rule only names those that it is for";
  const hidden = hiddenRuns(glob, 1).runs[0];
  if (hidden !== undefined || /[\n\t]/.test(glob)) return hidden?.message ?? "it has a line break or a tab";
  // First, since it has a bound to the length.
  const read = parsePathGlob(glob);
  if (!read.ok) return read.why.detail;
  return hasLooseComma(glob) ? "it has a comma outside braces" : null;
}
