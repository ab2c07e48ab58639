import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bytesOf } from "./build.ts";
import { closure, type Locked } from "./closure.ts";

export const PEERS_FOLDER = fileURLToPath(new URL("../peers/", import.meta.url));

export type ImportedPeer = {
  readonly title: string;
  /** What a program imports for an agent's loop. */
  readonly specifier: string;
  /** What it installs for that. */
  readonly packages: readonly [string, ...string[]];
};

export const IMPORTED_PEERS: readonly ImportedPeer[] = [
  { title: "pi", specifier: "@earendil-works/pi-agent-core", packages: ["@earendil-works/pi-agent-core"] },
  { title: "AI SDK", specifier: "ai", packages: ["ai"] },
  { title: "AI SDK", specifier: "ai6", packages: ["ai6"] },
  { title: "OpenAI Agents", specifier: "@openai/agents", packages: ["@openai/agents"] },
  {
    title: "LangGraph",
    specifier: "@langchain/langgraph/prebuilt",
    packages: ["@langchain/langgraph", "@langchain/core"],
  },
];

/** Bytes on disk of a peer and of all that it depends on, where the peers are installed. */
export function installedBytes({ packages }: ImportedPeer): number {
  const lock: unknown = JSON.parse(readFileSync(join(PEERS_FOLDER, "package-lock.json"), "utf8"));
  const all = new Map(Object.entries((lock as { readonly packages: { readonly [folder: string]: Locked } }).packages));
  return [...closure(all, packages)]
    .map((folder) => join(PEERS_FOLDER, folder))
    .filter((folder) => existsSync(folder))
    .reduce((sum, folder) => sum + bytesOf(folder, "node_modules"), 0);
}
