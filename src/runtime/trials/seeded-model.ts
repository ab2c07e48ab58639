import type { Model } from "../../ports/model.ts";

/** The same model, asked with this seed and probed in this way. What it is made of stays its own: a model may be anybody's object. */
export function seededModel(model: Model, seed: number, probe: Model["probe"]): Model {
  const { name, kind, where, price, mode, settings, countTokens } = model;
  return {
    name,
    kind,
    where,
    ...(price === undefined ? {} : { price }),
    ...(mode === undefined ? {} : { mode }),
    ...(settings === undefined ? {} : { settings }),
    complete: (request) => model.complete({ ...request, seed }),
    ...(probe === undefined ? {} : { probe }),
    ...(countTokens === undefined ? {} : { countTokens: (text, signal) => countTokens.call(model, text, signal) }),
  };
}
