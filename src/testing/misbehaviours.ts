import { SAID_WRONG } from "./misbehaviours-said.ts";
import { SENT_WRONG } from "./misbehaviours-sent.ts";

/** Everything that a misbehaving server can do. docs/model-servers.md is written from it, and each entry is run by a test. */
export const MISBEHAVIOURS = [...SAID_WRONG, ...SENT_WRONG] as const;

export type MisbehaviourName = (typeof MISBEHAVIOURS)[number]["name"];
