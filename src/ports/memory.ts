import type { Passage } from "../domain/event.ts";

/** What `retrieve` asks. Returns the passages that answer the query, best first; none is a legitimate answer. */
export type Memory = { search(query: string, signal: AbortSignal): Promise<readonly Passage[]> };
