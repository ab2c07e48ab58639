import type { Placement } from "../domain/placement.ts";
import { type PolicyRule, ruleNames } from "../domain/policy.ts";
import type { Principal } from "../domain/principal.ts";
import type { Tool } from "../domain/tool.ts";
import { openings } from "./closed-schema.ts";

/** How each rail of one tool is met (design 6.1). */
export type RailRow = {
  readonly tool: string;
  readonly placement: Placement;
  readonly effect: Tool["effect"];
  /** `closed`: a type through which nothing travels that it does not name. `unknown`: its schema cannot be read. */
  readonly output: "closed" | "open" | "unknown";
  /** Who may use it: ids, or null where no principals are declared and everybody may. */
  readonly input: readonly string[] | null;
  /** The rules that judge it, its own first; none where its placement alone permits it. */
  readonly action: readonly string[];
  /** How many ids must be cited; null where nothing has to be. */
  readonly evidence: number | null;
  /** Fields of the params whose values must have been seen. */
  readonly provenance: readonly string[];
  /** Names of caps. */
  readonly blastRadius: readonly string[];
  /** Where the user sees it before it counts, for a draft. */
  readonly review: string | null;
  /** Whether nothing but hints says when it may be used: no rail beside the type of its params. */
  readonly hintOnly: boolean;
};

/** The matrix of tools and rails. */
export function railMatrix(
  tools: readonly Tool[],
  policies: readonly PolicyRule[],
  principals: readonly Principal[] | null,
): readonly RailRow[] {
  return tools.map((tool) => {
    const own = typeof tool.authorise === "function" ? [`${tool.name}.authorise`] : [];
    const action = [...own, ...policies.filter((rule) => ruleNames(rule, tool.name)).map(({ id }) => id)];
    const provenance = Object.keys(tool.provenance ?? {});
    const blastRadius = tool.caps.map(({ name }) => name);
    const evidence = tool.evidence?.min ?? null;
    return {
      tool: tool.name,
      placement: tool.placement,
      effect: tool.effect,
      output: outputOf(tool),
      input: principals?.filter((principal) => principal.tools.includes(tool.name)).map(({ id }) => id) ?? null,
      action,
      evidence,
      provenance,
      blastRadius,
      review: tool.review,
      hintOnly: action.length + provenance.length + blastRadius.length === 0 && evidence === null,
    };
  });
}

function outputOf({ paramsSchema }: Tool): RailRow["output"] {
  if (paramsSchema === null) return "unknown";
  // A text without a bound that evidence or provenance justifies is checked there; here it is said as it is.
  return openings(paramsSchema).length === 0 ? "closed" : "open";
}
