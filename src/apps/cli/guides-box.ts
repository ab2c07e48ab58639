import { type Guides, type Signalbox, SignalboxError } from "../../index.ts";

/** The guides of a box; a config without them has none. */
export function guidesOf({ guides }: Pick<Signalbox, "guides">): Guides {
  if (guides !== null) return guides;
  throw new SignalboxError("no_guides", "the config names no folder of rules", {
    hint: 'add guides: "./guides" to it',
  });
}
