import type { Ending } from "./ending.ts";
import type { Json } from "./json.ts";
import type { Why } from "./parsed.ts";
import type { Receipt } from "./receipt.ts";

/**
 * How a step came to its tool. `direct`: the model named it in an action. `local`, `adapter` and `code_work` are what
 * plan auto-correction did (design 5.2.4); the last two are denials: nobody can perform it.
 */
export type Route = "direct" | "local" | "adapter" | "code_work" | "unroutable" | "actor_not_in_allowlist";

/** A Command: the one thing that may happen next in a run. The loop names it; only the corridor carries it out. */
export type Command =
  | { readonly kind: "ask_model"; readonly turn: number; readonly call: number; readonly mode: AskMode }
  | {
      readonly kind: "perform";
      readonly step: number;
      readonly tool: string;
      readonly params: Json;
      readonly evidence: readonly string[];
      readonly route: Route;
      /** The work is done already: nothing is performed, the receipt goes back (design 5.2.3). */
      readonly receipt: Receipt | null;
    }
  /** Rules whose event has happened are put into the prompt, before anything else goes on. */
  | { readonly kind: "inject"; readonly step: number; readonly rules: readonly string[] }
  | { readonly kind: "await_approval"; readonly step: number; readonly role: string }
  | { readonly kind: "retrieve"; readonly query: string }
  | { readonly kind: "end"; readonly ending: Ending; readonly detail: string; readonly text: string };

/** `turn`: a fresh turn. `reask`: the same turn again, with the reason why the reply could not be read. `closing`: answer from the passages only. */
export type AskMode =
  | { readonly kind: "turn" }
  | { readonly kind: "reask"; readonly why: Why }
  | { readonly kind: "closing" };
