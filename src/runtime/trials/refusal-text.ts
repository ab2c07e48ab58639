import type { Refusal } from "../../domain/served.ts";

/** A refusal in one line. */
export function refusalText({ code, detail, rules }: Refusal): string {
  return `${code}: ${detail}${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
}
