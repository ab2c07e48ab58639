import { RULE_SEPARATOR, type Served } from "../domain/served.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";

/**
 * What the model was told by a rule: the receipt has the text of one on channel B as it is, and that of any other within the
 * text of the plan, where the sizes of those before it say where it stands. Null where the receipt does not bear this out.
 */
export function ruleText({ report, text }: Pick<Served, "report" | "text">, id: string): string | null {
  const routed = report.routed.find((rule) => rule.id === id);
  if (routed !== undefined) return routed.text;
  let rest = text;
  for (const rule of report.kept) {
    const own = utf8Prefix(rest, rule.bytes);
    const behind = rest.slice(own.length);
    if (utf8Length(own) !== rule.bytes || !(behind === "" || behind.startsWith(RULE_SEPARATOR))) return null;
    if (rule.id === id) return own;
    rest = behind.slice(RULE_SEPARATOR.length);
  }
  return null;
}
