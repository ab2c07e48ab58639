/** OpenAI Agents: Runner.run with a model of ours, tracing off, which would only add to it. */
import { Agent, type Model, Runner, tool, Usage } from "@openai/agents";
import { z } from "zod";
import type { Session } from "../loop/variant.ts";
import { ANSWER, callOf, DESCRIPTION, lookup, REQUEST, SYSTEM, TOOL } from "../loop/workload.ts";

const PARAMS = z.strictObject({ order: z.string().max(12), page: z.int().min(0) });

function instantModel(turns: number): Model {
  let turn = 0;
  return {
    getResponse: async () => {
      turn += 1;
      const params = callOf(turn, turns);
      const usage = new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 });
      if (params === null) {
        const content = [{ type: "output_text" as const, text: ANSWER }];
        return { usage, output: [{ type: "message", role: "assistant", status: "completed", content }] };
      }
      const call = { type: "function_call" as const, callId: `call_${turn}`, name: TOOL, status: "completed" as const };
      return { usage, output: [{ ...call, arguments: JSON.stringify(params) }] };
    },
    getStreamedResponse: () => {
      throw new Error("not asked for here");
    },
  };
}

export async function openaiAgents(): Promise<Session> {
  const runner = new Runner({ tracingDisabled: true });
  return {
    run: async (turns) => {
      let lookups = 0;
      const found = tool({
        name: TOOL,
        description: DESCRIPTION,
        parameters: PARAMS,
        execute: async (params) => {
          lookups += 1;
          return JSON.stringify(lookup(params));
        },
      });
      const agent = new Agent({ name: "desk", instructions: SYSTEM, model: instantModel(turns), tools: [found] });
      const result = await runner.run(agent, REQUEST, { maxTurns: turns + 1 });
      return { lookups, text: result.finalOutput ?? "" };
    },
    close: async () => {},
  };
}
