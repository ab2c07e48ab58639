/** The AI SDK: generateText, which carries the loop itself until stopWhen says so or the model answers. */
import * as sdk7 from "ai";
import * as sdk6 from "ai6";
import { z } from "zod";
import type { Session } from "../loop/variant.ts";
import { ANSWER, callOf, DESCRIPTION, lookup, REQUEST, SYSTEM, TOOL } from "../loop/workload.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

const PARAMS = z.strictObject({ order: z.string().max(12), page: z.int().min(0) });

/** A model of either specification: what differs between them, this workload does not use. */
function instantModel<const Version extends "v3" | "v4">(specificationVersion: Version, turns: number) {
  let turn = 0;
  return {
    specificationVersion,
    provider: "instant",
    modelId: "instant",
    supportedUrls: {},
    doGenerate: async () => {
      turn += 1;
      const params = callOf(turn, turns);
      if (params === null) {
        const content = [{ type: "text" as const, text: ANSWER }];
        return { content, finishReason: { unified: "stop" as const, raw: "stop" }, usage: USAGE, warnings: [] };
      }
      const call = { type: "tool-call" as const, toolCallId: `call_${turn}`, toolName: TOOL };
      const content = [{ ...call, input: JSON.stringify(params) }];
      return {
        content,
        finishReason: { unified: "tool-calls" as const, raw: "tool_calls" },
        usage: USAGE,
        warnings: [],
      };
    },
    doStream: async (): Promise<never> => {
      throw new Error("not asked for here");
    },
  };
}

export async function aiSdk7(): Promise<Session> {
  return {
    run: async (turns) => {
      let lookups = 0;
      const tools = {
        [TOOL]: sdk7.tool({
          description: DESCRIPTION,
          inputSchema: PARAMS,
          execute: async (params) => {
            lookups += 1;
            return lookup(params);
          },
        }),
      };
      const model = instantModel("v4", turns);
      const stopWhen = sdk7.isStepCount(turns + 1);
      const { text } = await sdk7.generateText({ model, instructions: SYSTEM, prompt: REQUEST, tools, stopWhen });
      return { lookups, text };
    },
    close: async () => {},
  };
}

export async function aiSdk6(): Promise<Session> {
  return {
    run: async (turns) => {
      let lookups = 0;
      const tools = {
        [TOOL]: sdk6.tool({
          description: DESCRIPTION,
          inputSchema: PARAMS,
          execute: async (params) => {
            lookups += 1;
            return lookup(params);
          },
        }),
      };
      const model = instantModel("v3", turns);
      const stopWhen = sdk6.stepCountIs(turns + 1);
      const { text } = await sdk6.generateText({ model, system: SYSTEM, prompt: REQUEST, tools, stopWhen });
      return { lookups, text };
    },
    close: async () => {},
  };
}
