import { openMemoryStore } from "../../adapters/store-memory/index.ts";
import { openTrialWorld } from "../../runtime/index.ts";
import { opened } from "./opened.ts";
import type { TrialDoor } from "./trial-run.ts";

/** The world of a trial is the config's box, looked at: its ledger is read for rules that were verified, and nothing is written. */
export const trialDoor: TrialDoor = (io, options, design, work) =>
  opened(io, { ...options, looks: true }, async (box) =>
    work(await openTrialWorld(box.parts, design, openMemoryStore)),
  );
