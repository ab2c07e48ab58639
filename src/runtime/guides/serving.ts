import { canonicalJson } from "../../domain/canonical.ts";
import type { Json } from "../../domain/json.ts";
import { type Redaction, redactText } from "../../domain/redact.ts";
import type { GuideTask } from "../../domain/rule.ts";
import type { Refusal, Served, WithheldRule } from "../../domain/served.ts";

/** What the corridor asks of the guides: what a run is told, and whether what it was told still holds. */
export type Serving = {
  /** What a run with this task is told: a receipt, or why there can be none. */
  serve(task: GuideTask): Promise<ServedOrRefusal>;
  /** Why a run that was told this may not go on, in one line: an approval was taken back since. null: it may. */
  lost(served: Served): Promise<string | null>;
};

export type ServedOrRefusal =
  | { readonly kind: "served"; readonly served: Served }
  | (Refusal & { readonly withheld: readonly WithheldRule[] });

/** What runs act in and are about, for the rules' matchers. */
export type About = { readonly app: string | null; readonly paths: readonly string[] };

/** Approved text is served as it is, so a declared secret in it is no slip that could be mended on the way. */
export function holdsSecret(served: Served, redaction: Redaction): boolean {
  const text = canonicalJson(served as unknown as Json);
  const parts = [served.text, ...served.report.routed.map((rule) => rule.text), text];
  return parts.some((part) => redactText(part, redaction) !== part);
}

/** A refusal in one line, as an ending's detail and an error say it. */
export function refusalText({ code, detail, rules }: Refusal): string {
  return `${code}: ${detail}${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
}
