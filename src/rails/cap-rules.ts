import type { Finding } from "../domain/finding.ts";
import type { Tool } from "../domain/tool.ts";
import { describeWindow, windowFault } from "./cap-window.ts";

/** What is wrong with the caps that the tools declare. Every finding is an error: a cap that does not hold is none. */
export function checkCapRules(tools: readonly Tool[]): readonly Finding[] {
  const findings: Finding[] = [];
  /** Who declared a cap first, and as what. */
  const declared = new Map<string, { readonly tool: string; readonly as: string }>();
  for (const tool of tools) {
    const where = `tool ${String(tool.name)}`;
    const say = (message: string): void => {
      findings.push({ rule: "bad_cap", severity: "error", where, message });
    };
    const names = new Set<string>();
    for (const cap of tool.caps) {
      if (typeof cap !== "object" || cap === null || typeof cap.name !== "string" || cap.name === "") {
        say("each of its `caps` needs a `name`");
        continue;
      }
      const { name, limit, window } = cap;
      if (names.has(name)) say(`cap ${name} is declared twice; give one another name`);
      names.add(name);
      const fitting = Number.isSafeInteger(limit) && limit >= 0;
      if (!fitting) say(`cap ${name}: the limit must be a whole number in minor units`);
      const fault = windowFault(window);
      if (fault !== null) say(`cap ${name}: ${fault}`);
      for (const part of ["amount", "key"] as const) {
        if (cap[part] !== undefined && typeof cap[part] !== "function")
          say(`cap ${name}: its \`${part}\` must be a function`);
      }
      if (!fitting || fault !== null) continue;
      // Tools with a cap of one name share its books, so it has to be one cap.
      const as = `${limit} ${describeWindow(window)}`;
      const first = declared.get(name);
      if (first === undefined) declared.set(name, { tool: tool.name, as });
      else if (first.as !== as) {
        say(
          `cap ${name} is ${as} here and ${first.as} in tool ${first.tool}: tools share a cap by its name, so make them one`,
        );
      }
    }
  }
  return findings;
}
