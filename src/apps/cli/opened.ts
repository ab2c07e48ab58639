import { existsSync } from "node:fs";
import { createSignalbox, type Signalbox, SignalboxError } from "../../index.ts";
import type { Io } from "./io.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** How a command opens a box. */
export type Opening = {
  readonly config?: string;
  readonly json?: boolean;
  readonly debug?: boolean;
  /** It reads a ledger that is there, and makes none: a misspelt path must not pass for an empty ledger. */
  readonly reads?: boolean;
};

/** Opens the box of a config, works with it and closes it, whatever happens. */
export async function opened(
  io: Io,
  options: Opening,
  work: (box: Signalbox) => number | Promise<number>,
): Promise<number> {
  const loaded = await loadConfig(io, options.config);
  if (options.reads === true && !hasLedger(loaded)) {
    throw new SignalboxError("no_ledger", `there is no database at ${String(loaded.config.store)}`, {
      hint: "the first signalbox run makes one; or mend `store` in the config",
    });
  }
  const box = createSignalbox(loaded.config);
  try {
    return await work(box);
  } finally {
    await box.close();
  }
}

/** Whether there is anything to read: false only where the config names a file that is not there. */
export function hasLedger({ config }: LoadedConfig): boolean {
  const { store } = config;
  return typeof store !== "string" || store === "memory" || store.startsWith("file:") || existsSync(store);
}
