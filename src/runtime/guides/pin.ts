import { canonicalJson } from "../../domain/canonical.ts";
import { redactText } from "../../domain/redact.ts";
import type { Refusal, Served } from "../../domain/served.ts";
import { checkedWhy } from "../approvals.ts";
import { checkedId, refuseSecret, refuseSecretAbout } from "../authority.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { PinCheck, PinResult, ServeWanted } from "./api.ts";
import { guidesIn } from "./guide-parts.ts";
import { planLines } from "./plan-lines.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { say } from "./say.ts";
import { planFor, taskOf } from "./serve.ts";

/**
 * Keeps the plan of a named task, app and profile (design 7.3). A pin that says what it said before is not written again; one
 * that says something else needs a reason.
 *
 * @throws SignalboxError `pin_without_reason`, `bad_id`, `bad_about`, `unknown_profile`, `bad_task`, `chain_broken`.
 */
export async function pinPlan(
  parts: Parts,
  name: string,
  wanted: ServeWanted,
  word: { readonly as: string; readonly reason?: string },
): Promise<PinResult> {
  const by = checkedId("person", word.as);
  checkedId("pin", name);
  for (const id of [by, name]) refuseSecret(parts, id);
  const reason = checkedWhy(parts, word.reason);
  const { profile: usual, profiles } = guidesIn(parts);
  const profile = wanted.profile ?? usual;
  refuseSecretAbout(parts, [wanted.app, ...(wanted.paths ?? []), profile]);
  if (!profiles.has(profile)) {
    throw new SignalboxError("unknown_profile", `there is no profile "${textOf(profile).slice(0, 60)}"`, {
      hint: `there is ${[...profiles.keys()].join(", ")}`,
    });
  }
  const task = taskOf(parts, { ...wanted, task: redactText(wanted.task, parts.redaction) });
  return say(parts, async () => {
    const state = await soundChain(parts);
    const today = await todayOf(parts, task, profile);
    const before = state.pins.get(name)?.record;
    const same = before !== undefined && before.plan === today.plan && before.profile === profile;
    if (same && canonicalJson(before.task) === canonicalJson(task)) {
      return { name, plan: today.plan, before: before.plan, unchanged: true, refused: today.refused };
    }
    const { lines, plan, refused } = today;
    const at = parts.clock.now();
    if (before !== undefined && reason === null) {
      throw new SignalboxError("pin_without_reason", `${name} is pinned already, and its plan is another one now`, {
        exitCode: 3,
        hint: "look at what changed with `guides check`, and say why with --reason",
      });
    }
    await appendRecords(parts, state, [{ kind: "guide_pinned", at, name, task, profile, plan, lines, by, reason }]);
    return { name, plan, before: before?.plan ?? null, unchanged: false, refused };
  });
}

/** Holds every pinned plan against what would be served today. */
export async function checkPins(parts: Parts): Promise<readonly PinCheck[]> {
  const state = await soundChain(parts);
  const checks: PinCheck[] = [];
  for (const [name, { record }] of [...state.pins].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { lines: before, plan: pinned, profile, task } = record;
    const { lines: after, plan: today } = await todayOf(parts, task, profile);
    checks.push({ name, ok: pinned === today, task, profile, pinned, today, before, after });
  }
  return checks;
}

async function todayOf(parts: Parts, ...[task, profile]: [Parameters<typeof planFor>[1], string]) {
  const planned = await planFor(parts, task, profile);
  const said: Served | Refusal = planned.kind === "plan" ? planned.served : planned;
  const plan = "kind" in said ? parts.hash(canonicalJson({ code: said.code, rules: said.rules })) : said.plan;
  return { plan, lines: planLines(said), refused: "kind" in said ? said.code : null };
}
