/** LangGraph's prebuilt agent with a chat model of ours, and the same with its SQLite saver. */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import type { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { z } from "zod";
import type { Session } from "../loop/variant.ts";
import { ANSWER, callOf, DESCRIPTION, lookup, REQUEST, SYSTEM, TOOL } from "../loop/workload.ts";

const PARAMS = z.strictObject({ order: z.string().max(12), page: z.int().min(0) });

class InstantModel extends BaseChatModel {
  turn = 0;
  turns = 0;

  _llmType(): string {
    return "instant";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(): Promise<ChatResult> {
    this.turn += 1;
    const args = callOf(this.turn, this.turns);
    const message =
      args === null
        ? new AIMessage(ANSWER)
        : new AIMessage({ content: "", tool_calls: [{ id: `call_${this.turn}`, name: TOOL, args: { ...args } }] });
    return { generations: [{ message, text: "" }] };
  }
}

async function open(saver: SqliteSaver | null): Promise<Omit<Session, "close">> {
  const model = new InstantModel({});
  let lookups = 0;
  const found = tool(
    async (params: z.infer<typeof PARAMS>) => {
      lookups += 1;
      return JSON.stringify(lookup(params));
    },
    { name: TOOL, description: DESCRIPTION, schema: PARAMS },
  );
  const agent = createReactAgent({
    llm: model,
    tools: [found],
    prompt: SYSTEM,
    ...(saver === null ? {} : { checkpointer: saver }),
  });
  let run = 0;
  return {
    run: async (turns) => {
      model.turn = 0;
      model.turns = turns;
      lookups = 0;
      run += 1;
      const input = { messages: [{ role: "user", content: REQUEST }] };
      // Two steps of the graph a turn, and room to spare.
      const config = { recursionLimit: turns * 3 + 10, configurable: { thread_id: `thread-${run}` } };
      const { messages } = await agent.invoke(input, config);
      return { lookups, text: String(messages.at(-1)?.content ?? "") };
    },
  };
}

export async function langgraph(): Promise<Session> {
  return { ...(await open(null)), close: async () => {} };
}

export async function langgraphSqlite(folder: string): Promise<Session> {
  const saver = (await loadSaver()).fromConnString(join(folder, "langgraph.db"));
  return {
    ...(await open(saver)),
    close: async () => {
      saver.db.close();
    },
  };
}

let loaded: Promise<typeof SqliteSaver> | null = null;

/**
 * The saver wants better-sqlite3, which has to be compiled (minutes, and for one version of Node only). It is installed
 * without its install script, and the saver's import is led to the few calls that it makes, over node:sqlite.
 */
function loadSaver(): Promise<typeof SqliteSaver> {
  loaded ??= (async () => {
    const standIn = new URL("./better-sqlite3.ts", import.meta.url).href;
    registerHooks({
      resolve: (specifier, context, next) => next(specifier === "better-sqlite3" ? standIn : specifier, context),
    });
    return (await import("@langchain/langgraph-checkpoint-sqlite")).SqliteSaver;
  })();
  return loaded;
}
