/** All variants of the figure `loop`, ours and the peers, in the order in which they are printed. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type VariantId =
  | "bare"
  | "pi-loop"
  | "pi-agent"
  | "ai-sdk-7"
  | "ai-sdk-6"
  | "openai-agents"
  | "langgraph"
  | "langgraph-sqlite"
  | "bare-sqlite"
  | "bare-prepared"
  | "ours"
  | "ours-read"
  | "ours-all-rails"
  | "ours-sqlite";

export type VariantEntry = {
  readonly id: VariantId;
  readonly title: string;
  /** Where it is, seen from here, and under which name it is exported. */
  readonly file: string;
  readonly name: string;
  /** The package that it measures, by its folder's name in `bench/peers/node_modules`; null: nothing to install. */
  readonly package: string | null;
  /** A goal leans on it, so it is measured in several rounds. */
  readonly judged: boolean;
};

const PEERS = fileURLToPath(new URL("../peers/node_modules/", import.meta.url));

export const VARIANTS: readonly VariantEntry[] = [
  own("bare", "bare loop", "bare.ts", "bare"),
  peer("pi-loop", "pi, its loop function", "pi.ts", "piLoop", "@earendil-works/pi-agent-core", true),
  peer("pi-agent", "pi, its Agent class", "pi.ts", "piAgent", "@earendil-works/pi-agent-core"),
  peer("ai-sdk-7", "AI SDK", "ai-sdk.ts", "aiSdk7", "ai"),
  peer("ai-sdk-6", "AI SDK", "ai-sdk.ts", "aiSdk6", "ai6"),
  peer("openai-agents", "OpenAI Agents", "openai-agents.ts", "openaiAgents", "@openai/agents"),
  peer("langgraph", "LangGraph", "langgraph.ts", "langgraph", "@langchain/langgraph"),
  own("ours", "Signalbox, in memory", "ours.ts", "oursInMemory", true),
  own("ours-all-rails", "the same, an irreversible tool", "ours.ts", "oursAllRails"),
  own("ours-read", "the same, chain read at the end", "ours.ts", "oursRead"),
  own("bare-sqlite", "bare loop, 2 transactions", "bare.ts", "bareSqlite", true),
  own("bare-prepared", "the same, log laid down first", "bare.ts", "barePrepared"),
  own("ours-sqlite", "Signalbox, SQLite", "ours.ts", "oursDurable", true),
  peer("langgraph-sqlite", "LangGraph, SQLite saver", "langgraph.ts", "langgraphSqlite", "@langchain/langgraph"),
];

/** What to run where the peers are not installed. */
export const INSTALL_PEERS = "npm ci --prefix bench/peers";

export const peersInstalled = (): boolean => existsSync(PEERS);

/** The installed version of a peer's package. */
export function versionOf(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(`${PEERS}${name}/package.json`, "utf8"));
  return String(
    new Map(Object.entries(typeof manifest === "object" && manifest !== null ? manifest : {})).get("version"),
  );
}

function own(id: VariantId, title: string, file: string, name: string, judged = false): VariantEntry {
  return { id, title, file: `./${file}`, name, package: null, judged };
}

function peer(
  id: VariantId,
  title: string,
  file: string,
  name: string,
  packageName: string,
  judged = false,
): VariantEntry {
  return { id, title, file: `../peers/${file}`, name, package: packageName, judged };
}
