/** What the retail figure reads at run time. Source: sierra-research/tau2-bench (MIT). */
import { type Database, loadDatabase } from "../../../examples/tau/retail/database.ts";
import { loadTasks, type Suite } from "../tasks.ts";

export type RetailData = Suite & { readonly database: Database };

/** Reads the two files of a folder. Throws `NoTauData` where one is absent or has another shape. */
export function loadRetail(directory: string): RetailData {
  return { ...loadTasks(directory, "retail"), database: loadDatabase(directory) };
}
