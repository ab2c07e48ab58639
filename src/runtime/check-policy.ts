import type { Finding } from "../domain/finding.ts";
import type { Principal } from "../domain/principal.ts";
import { type RailRow, railMatrix, reviewPolicy } from "../rails/index.ts";
import { checkRules, type PolicyConfig } from "./config.ts";

/**
 * Everything that is wrong with the rules of a config, and what is likely not meant. Where they could not start, only what
 * stops them: the rest of what could be said would mislead.
 */
export function checkPolicy(config: PolicyConfig): readonly Finding[] {
  const wrong = checkRules(config);
  if (wrong.some(({ severity }) => severity === "error")) return wrong;
  const { tools, policies = [], approvers = {} } = config;
  const reviewed = reviewPolicy({ tools, policies, principals: principalsIn(config), approvers });
  return tools.length === 0 ? [...wrong, NO_TOOLS, ...reviewed] : [...wrong, ...reviewed];
}

const NO_TOOLS: Finding = {
  rule: "no_tools",
  severity: "warning",
  where: "config.tools",
  message: "is empty: nothing can be proposed",
};

/** How each rail of each tool of a config is met. */
export function railsOf(config: PolicyConfig): readonly RailRow[] {
  return railMatrix(config.tools, config.policies ?? [], principalsIn(config));
}

function principalsIn({ principals, tools }: PolicyConfig): readonly Principal[] | null {
  if (principals === undefined) return null;
  const all = tools.map(({ name }) => name);
  return Object.entries(principals).map(([id, principal]) => ({
    id,
    tools: principal.tools === "all" ? all : principal.tools,
    attributes: principal.attributes ?? {},
  }));
}
