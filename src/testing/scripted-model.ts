import type { Json } from "../domain/json.ts";
import type { Model, ModelReply, ModelRequest } from "../ports/model.ts";

/** What a scripted model says: text as it is, an object as JSON, or a function of the request. */
export type ScriptedReply =
  | string
  | { readonly [key: string]: Json }
  | ((request: ModelRequest) => string | { readonly [key: string]: Json });

export type ScriptedModel = Model & {
  /** The requests so far, oldest first. */
  readonly requests: readonly ModelRequest[];
};

/**
 * A model that says what it is told, in order. When its lines are used up it fails with `script_exhausted`. Where it stands in
 * the script is kept in the process alone: each new one, so each command, begins with the first line again.
 */
export function scriptedModel(script: {
  readonly name?: string;
  readonly replies: Iterable<ScriptedReply>;
}): ScriptedModel {
  const lines = script.replies[Symbol.iterator]();
  const requests: ModelRequest[] = [];
  return {
    name: script.name ?? "scripted",
    kind: "scripted",
    where: "a script in this process",
    requests,
    complete: async (request): Promise<ModelReply> => {
      requests.push(request);
      const next = lines.next();
      if (next.done === true) return { ok: false, code: "script_exhausted", detail: "the script has no further reply" };
      const said = typeof next.value === "function" ? next.value(request) : next.value;
      const text = typeof said === "string" ? said : JSON.stringify(said);
      return { ok: true, text, finish: "stop", promptTokens: null, completionTokens: null };
    },
  };
}
