import { EffectFailed } from "../../domain/effect-failed.ts";
import type { Tool } from "../../domain/tool.ts";
import type { TrialDesign } from "../../domain/trial.ts";
import { holdsValues } from "../../trials/index.ts";

/**
 * The tools of a config as a trial has them: the same descriptions, params and rails, so that the model sees what it sees in
 * production and is judged as it is there; and nothing behind them. What they give, and the records that they are judged by,
 * come from the design. A tool that the design has no result for fails and says so, and nothing is ever performed.
 */
export function enactTools(
  tools: ReadonlyMap<string, Tool>,
  design: Pick<TrialDesign, "results" | "records">,
): ReadonlyMap<string, Tool> {
  return new Map([...tools].map(([name, tool]) => [name, enacted(tool, design)]));
}

function enacted(tool: Tool, { results, records }: Pick<TrialDesign, "results" | "records">): Tool {
  return {
    ...tool,
    // What the design gives stays as it is, whatever a rail or a summary does with its copy.
    record: tool.record === null ? null : (params) => structuredClone(fitting(records, tool, params)?.record ?? null),
    probe: null,
    execute: ({ params }, call) => {
      const given = fitting(results, tool, params);
      if (given === undefined) throw new EffectFailed(`the trial has no result for this call of ${tool.name}`);
      for (const event of given.events) call.emit(structuredClone(event));
      return structuredClone(given.result);
    },
  };
}

type Fitting = Pick<TrialDesign["results"][number], "tool" | "params">;

function fitting<T extends Fitting>(all: readonly T[], tool: Tool, params: T["params"]): T | undefined {
  return all.find((one) => one.tool === tool.name && holdsValues(one.params, params));
}
