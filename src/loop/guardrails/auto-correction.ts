import type { Route } from "../../domain/command.ts";
import type { Json } from "../../domain/json.ts";
import type { PlanStep } from "../../domain/reply.ts";

/**
 * Guardrail 4: plan auto-correction. The model picks the tool, the system picks the path (design 5.2.4). The model is
 * not told that it was wrong; the ledger is, through the route.
 */

/** The local actors by name (design 11); each may or may not be installed. */
export const LOCAL_ACTORS = ["builder", "scribe", "context", "graph", "seer", "aesthesis"] as const;

/** Kinds of replies that models put where an actor belongs. */
const NOT_ACTORS: readonly string[] = [...LOCAL_ACTORS, "conversation", "action", "plan", "retrieve"];

/** Words that make a description code work: written out, lower case, matched as whole words. */
export const CODE_WORDS: readonly string[] = [
  "implement",
  "refactor",
  "function",
  "class",
  "module",
  "compile",
  "unit test",
  "code",
  "rust",
  "typescript",
  "javascript",
  "python",
  "java",
  "golang",
  "c++",
];

export type RoutedStep = {
  readonly tool: string;
  readonly params: Json;
  readonly evidence: readonly string[];
  readonly route: Route;
};

/** Which actors there are: a tool's name, and whether it is a local actor. */
export type ActorTable = { readonly get: (name: string) => { readonly local: boolean } | undefined };

/**
 * Where a plan's step goes. `alone`: it is the plan's only step, so code work without an actor goes to the builder.
 * `actors` are those of the principal. A tool that exists for others is `unroutable` here, as if it did not exist, where
 * an action that names it is denied with `permission`: both perform nothing.
 */
export function routeStep(step: PlanStep, actors: ActorTable, alone: boolean): RoutedStep {
  const found = actors.get(step.actor);
  const rest = { params: step.params, evidence: step.evidence };
  if (found !== undefined) return { tool: step.actor, ...rest, route: found.local ? "local" : "adapter" };
  if (NOT_ACTORS.includes(step.actor)) return { tool: step.actor, ...rest, route: "actor_not_in_allowlist" };
  const builder = actors.get("builder");
  if (alone && builder?.local === true && isCodeWork(step.description)) {
    return { tool: "builder", ...rest, route: "code_work" };
  }
  return { tool: step.actor, ...rest, route: "unroutable" };
}

export function isCodeWork(description: string): boolean {
  const words = ` ${description.toLowerCase().replace(/[^a-z0-9+#]+/g, " ")} `;
  return CODE_WORDS.some((word) => words.includes(` ${word} `) || words.includes(` ${word}s `));
}
