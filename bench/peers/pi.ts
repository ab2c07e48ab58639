/**
 * pi's agent core, twice: its loop function with the two stream events that it needs, which is the quickest way through it
 * and the one that ours is held against; and its Agent class with the events of a provider that streams the whole call at once.
 */
import { Agent, type AgentMessage, type AgentTool, runAgentLoop, type StreamFn } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, createAssistantMessageEventStream, type Model } from "@earendil-works/pi-ai";
import type { Session } from "../loop/variant.ts";
import { ANSWER, callOf, DESCRIPTION, type LookupParams, lookup, REQUEST, SYSTEM, TOOL } from "../loop/workload.ts";

const USAGE = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

const MODEL: Model<"openai-completions"> = {
  id: "instant",
  name: "instant",
  api: "openai-completions",
  provider: "instant",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 1_000,
};

function said(turn: number, turns: number): AssistantMessage {
  const params = callOf(turn, turns);
  return {
    role: "assistant",
    content:
      params === null
        ? [{ type: "text", text: ANSWER }]
        : [{ type: "toolCall", id: `call_${turn}`, name: TOOL, arguments: { ...params } }],
    api: MODEL.api,
    provider: MODEL.provider,
    model: MODEL.id,
    usage: USAGE,
    stopReason: params === null ? "stop" : "toolUse",
    timestamp: Date.now(),
  };
}

function lookupTool(performed: () => void): AgentTool {
  return {
    name: TOOL,
    label: TOOL,
    description: DESCRIPTION,
    parameters: {
      type: "object",
      properties: { order: { type: "string", maxLength: 12 }, page: { type: "integer", minimum: 0 } },
      required: ["order", "page"],
      additionalProperties: false,
    },
    execute: async (_id, params) => {
      performed();
      const result = lookup(params as LookupParams);
      return { content: [{ type: "text", text: JSON.stringify(result) }], details: undefined };
    },
  };
}

/** A model without latency; `whole` sends the events of a stream as well, each block in one delta. */
function instantModel(turns: number, whole: boolean): StreamFn {
  let turn = 0;
  return () => {
    turn += 1;
    const message = said(turn, turns);
    const stream = createAssistantMessageEventStream();
    stream.push({ type: "start", partial: message });
    const block = message.content[0];
    if (whole && block?.type === "toolCall") {
      stream.push({ type: "toolcall_start", contentIndex: 0, partial: message });
      const delta = JSON.stringify(block.arguments);
      stream.push({ type: "toolcall_delta", contentIndex: 0, delta, partial: message });
      stream.push({ type: "toolcall_end", contentIndex: 0, toolCall: block, partial: message });
    }
    stream.push({ type: "done", reason: message.stopReason === "stop" ? "stop" : "toolUse", message });
    return stream;
  };
}

function textOf(message: AgentMessage | undefined): string {
  const content = message?.role === "assistant" ? message.content[0] : undefined;
  return content?.type === "text" ? content.text : "";
}

export async function piLoop(): Promise<Session> {
  return {
    run: async (turns) => {
      let lookups = 0;
      const tool = lookupTool(() => {
        lookups += 1;
      });
      const messages = await runAgentLoop(
        [{ role: "user", content: REQUEST, timestamp: Date.now() }],
        { messages: [{ role: "system", content: SYSTEM, timestamp: Date.now() }], tools: [tool] },
        { model: MODEL, convertToLlm: (all) => all },
        () => {},
        undefined,
        instantModel(turns, false),
      );
      return { lookups, text: textOf(messages.at(-1)) };
    },
    close: async () => {},
  };
}

export async function piAgent(): Promise<Session> {
  return {
    run: async (turns) => {
      let lookups = 0;
      const tool = lookupTool(() => {
        lookups += 1;
      });
      const agent = new Agent({
        initialState: { systemPrompt: SYSTEM, model: MODEL, tools: [tool] },
        streamFn: instantModel(turns, true),
      });
      await agent.prompt(REQUEST);
      return { lookups, text: textOf(agent.state.messages.at(-1)) };
    },
    close: async () => {},
  };
}
