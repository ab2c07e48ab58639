/**
 * Where the two services' data lie. They are public (sierra-research/tau2-bench, MIT), they are read when they are needed,
 * and nothing of them is kept in this repository.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "signalbox";

/** The folder of the data: `SIGNALBOX_TAU_DATA`, or beside the checkout. */
export const TAU_DATA =
  process.env.SIGNALBOX_TAU_DATA ?? fileURLToPath(new URL("../../../shared/data/tau", import.meta.url));

/** The data is not there or has another shape. One line, which says what to do. */
export class NoTauData extends Error {}

/** Reads and parses one file of the folder. Throws `NoTauData` where it is absent or has another shape. */
export function readData<S extends z.ZodType>(directory: string, name: string, schema: S): z.infer<S> {
  const path = join(directory, name);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new NoTauData(`cannot read ${path}: name the folder that holds it in SIGNALBOX_TAU_DATA`);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new NoTauData(`${path} is not JSON`);
  }
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new NoTauData(`${path} has another shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}
