/** Faults planted in the rails, each of which the slow rails must notice. */
import type { Patch } from "../../twins/twin.ts";

export type RailsTwin = { readonly fault: string; readonly patches: readonly Patch[] };

function twin(fault: string, file: string, find: string, replace: string): RailsTwin {
  return { fault, patches: [{ file: `rails/${file}`, find, replace }] };
}

export const RAILS_TWINS: readonly RailsTwin[] = [
  twin(
    "a permit beats a stage",
    "policy.ts",
    'together(verdicts) ??\n    verdicts.find((verdict) => verdict.effect === "permit")',
    'verdicts.find((verdict) => verdict.effect === "permit") ??\n    together(verdicts) ??\n    undefined',
  ),
  twin(
    "a rule that throws is skipped",
    "policy.ts",
    "catch {\n    return denied(rule.id,",
    'catch {\n    if (rule.id !== "") return null;\n    return denied(rule.id,',
  ),
  twin(
    "what is truthy fires a rule",
    "policy.ts",
    'if (isPromised(fires) || typeof fires !== "boolean")',
    "if (isPromised(fires))",
  ),
  twin("a tool may deny with any code", "policy.ts", " && tool.denials.includes(code)", ""),
  twin(
    "what nothing permits is permitted",
    "policy.ts",
    "if (named) return denied",
    "if (named && verdicts.length > 0) return denied",
  ),
  twin(
    "an item that is dated ahead is fresh",
    "evidence.ts",
    "at - now <= CLOCK_SKEW_MS",
    "at - now <= maxAgeMs + CLOCK_SKEW_MS",
  ),
  twin("an item is fresh a millisecond too long", "evidence.ts", "now - at <= maxAgeMs", "now - at <= maxAgeMs + 1"),
  twin("the same id twice is two", "evidence.ts", "[...new Set(proposal.evidence)]", "[...proposal.evidence]"),
  twin(
    "one cited item that is ours is enough",
    "evidence.ts",
    "item.owner !== context.principal.id && item.owner !== context.customer",
    "items.length === 0 && item.owner !== context.principal.id && item.owner !== context.customer",
  ),
  twin(
    "a cap holds one unit more",
    "caps.ts",
    "slot.used + want.amount > want.limit",
    "slot.used + want.amount > want.limit + 1",
  ),
  twin(
    "only the first cap counts",
    "caps.ts",
    "for (const want of wanted) {",
    "for (const want of wanted.slice(0, 1)) {",
  ),
  twin(
    "an amount may be negative",
    "caps.ts",
    "!Number.isSafeInteger(amount) || amount < 0",
    "!Number.isSafeInteger(amount)",
  ),
  twin(
    "a sliding window lets go a part too early",
    "cap-window.ts",
    "name(now - lengthMs + 1)",
    "name(now - lengthMs + 1 + slidingPartMs(lengthMs))",
  ),
  twin("a week begins on Sunday", "cap-window.ts", "weekOf(day)", "weekOf(dayIn(window.zone, now + 86_400_000))"),
  twin(
    "a staged proposal is stopped by a cap that is full",
    "decide.ts",
    'if (judged.effect === "stage" && approval === null) {',
    'if (judged.effect === "stage" && approval === null && input.capUse.every(({ used }) => used === 0)) {',
  ),
  twin(
    "an approval is good for a millisecond more",
    "decide.ts",
    "if (now >= approval.expiresAt)",
    "if (now > approval.expiresAt)",
  ),
  twin(
    "what an approval was given for is not compared",
    "decide.ts",
    "const stale = staleParts(approval, role);",
    "const stale = staleParts({ ...approval, today: { ...approval.approved } }, role);",
  ),
  twin(
    "an approval stands for the caps",
    "decide.ts",
    'if (over !== null) return denied("caps", over, checked.params);',
    'if (over !== null && approval === null) return denied("caps", over, checked.params);',
  ),
  twin(
    "an approval overrides a denial",
    "decide.ts",
    'if (judged.effect === "deny") return',
    'if (judged.effect === "deny" && (input.approval ?? null) === null) return',
  ),
  twin(
    "a stage by provenance is forgotten where a rule permits",
    "decide.ts",
    'unseen !== null && said.effect !== "deny" ? (together([unseen, said])',
    'unseen !== null && said.effect === "stage" ? (together([unseen, said])',
  ),
  twin(
    "untrusted sightings count",
    "provenance.ts",
    'source !== "untrusted" && rule.from.includes(source)',
    'source === "untrusted" || rule.from.includes(source)',
  ),
  twin(
    "nothing inside of a text is looked at",
    "provenance.ts",
    "const bad = inside",
    "const bad = inside.slice(0, 0)",
  ),
  twin(
    "a key that a schema drops is not missed",
    "output.ts",
    'const lost = lostKey(given, checked.value, "");',
    "const lost = null as string | null;",
  ),
];
