import { type GroundedGuide, groundRule, parseRule } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import { groundedIn, knownChain } from "./grounded-findings.ts";
import { mapFor } from "./plan-guide.ts";

/**
 * The guide of a rule file in its map as that is now.
 *
 * @throws SignalboxError `no_guide`, `unknown_map` and what else keeps a map from being read.
 */
export async function groundFile(
  parts: Parts,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<GroundedGuide> {
  const read = parseRule({ name, text, digest: parts.hash(text) });
  const guide = read.ok ? read.rule.guide : null;
  if (!read.ok || guide === null) {
    const why = read.ok ? "has no `guide` in its header" : (read.findings[0]?.message ?? "cannot be read");
    throw noGuide(name, why);
  }
  const { digest, index } = await mapFor(parts, guide.map);
  const grounded = groundRule(index, read.rule, groundedIn(await knownChain(parts), read.rule, digest));
  if (grounded === null) throw noGuide(name, "has no `guide` in its header");
  return grounded;
}

function noGuide(name: string, why: string): SignalboxError {
  return new SignalboxError("no_guide", `${name} ${why}`, { hint: "signalbox guides plan makes one", exitCode: 1 });
}
