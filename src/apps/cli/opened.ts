import { existsSync } from "node:fs";
import { createSignalbox, type Signalbox, SignalboxError } from "../../index.ts";
import { errorWidthOf, type Io, paint } from "./io.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";
import { wrap } from "./text.ts";

/** How a command opens a box. */
export type Opening = {
  readonly config?: string;
  readonly json?: boolean;
  readonly debug?: boolean;
  /** It reads a ledger that is there, and makes none: a misspelt path must not pass for an empty ledger. */
  readonly reads?: boolean;
  /** The command that makes a ledger for it, where it is not `signalbox run`. */
  readonly maker?: string;
  /** It looks at what is there, which is nothing where no ledger is, and makes none. */
  readonly looks?: boolean;
};

/** Opens the box of a config, works with it and closes it, whatever happens. */
export async function opened(
  io: Io,
  options: Opening,
  work: (box: Signalbox, isForgotten: boolean) => number | Promise<number>,
): Promise<number> {
  const loaded = await loadConfig(io, options.config);
  if (options.reads === true && !hasLedger(loaded)) {
    throw new SignalboxError("no_ledger", `there is no database at ${String(loaded.config.store)}`, {
      hint: `${options.maker ?? "the first signalbox run"} makes one; or mend \`store\` in the config`,
    });
  }
  if (options.reads === true && isForgotten(loaded)) {
    throw new SignalboxError(
      "no_ledger",
      "the config keeps its ledger in memory, so there is none of an earlier command",
      {
        hint: "give `store` a path",
      },
    );
  }
  const isThere = options.looks !== true || hasLedger(loaded);
  const box = createSignalbox(isThere ? loaded.config : { ...loaded.config, store: "memory" });
  try {
    return await work(box, isForgotten(loaded));
  } finally {
    await box.close();
    if (options.json !== true && options.looks !== true && isForgotten(loaded)) sayForgotten(io);
  }
}

/** Whether what is recorded is gone when the command ends. */
function isForgotten({ config }: LoadedConfig): boolean {
  return config.store === "memory";
}

function sayForgotten(io: Io): void {
  const said = "the ledger was in memory and is gone now: nothing of it can be replayed, approved or continued";
  const room = errorWidthOf(io);
  for (const text of Number.isFinite(room) ? wrap(said, room) : [said]) io.stderr.write(`${paint(io, "dim", text)}\n`);
}

/** Whether there is anything to read: false only where the config names a file that is not there. */
function hasLedger({ config }: LoadedConfig): boolean {
  const { store } = config;
  return typeof store !== "string" || store === "memory" || store.startsWith("file:") || existsSync(store);
}
