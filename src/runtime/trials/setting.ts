import { canonicalJson } from "../../domain/canonical.ts";
import type { Json } from "../../domain/json.ts";
import type { Principal } from "../../domain/principal.ts";
import { redactText } from "../../domain/redact.ts";
import type { TrialSetting } from "../../domain/trial-run.ts";
import { type Parts, scopeOf } from "../parts.ts";

/**
 * Everything that the runs of a trial are made under and that its design does not say, each by its name, so that whoever goes
 * on under another setting can be told what is another. What has no short form is told by its digest.
 */
export function settingOf(parts: Parts, principal: Principal): TrialSetting {
  const { budgets, hash, model, policyVersion, redaction, window, zone } = parts;
  const { price } = model;
  const named = {
    ...under("model", {
      ...model.settings,
      kind: model.kind,
      where: model.where,
      mode: model.mode ?? "flat",
      price: price === undefined ? null : `${price.promptMicro} and ${price.completionMicro}`,
    }),
    ...under("budgets", budgets),
    ...under("window", window),
    zone,
    prompt: scopeOf(parts, principal).promptVersion,
    policies: policyVersion,
    principal: hash(canonicalJson(principal as unknown as Json)),
  };
  const clean = (value: TrialSetting[string]) => (typeof value === "string" ? redactText(value, redaction) : value);
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, clean(value)]));
}

function under(part: string, values: TrialSetting): TrialSetting {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]));
}
