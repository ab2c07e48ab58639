import type { Parts } from "../parts.ts";
import type { Guides } from "./api.ts";
import { approveRule, approveRules, statementFor } from "./approve.ts";
import { diffOf } from "./diff.ts";
import { explain } from "./explain.ts";
import { lintGuides } from "./lint.ts";
import { checkPins, pinPlan } from "./pin.ts";
import { mapFor, planGuide } from "./plan-guide.ts";
import { publishRules } from "./publish.ts";
import { revokeRule } from "./revoke.ts";
import { serve } from "./serve.ts";
import { keptRevision, shownRule } from "./show.ts";
import { statusOf } from "./status.ts";
import { verifyRules } from "./verify.ts";
import { withdrawRule } from "./withdraw.ts";

type Told = <T>(work: () => Promise<T>) => Promise<T>;

/** `box.guides`. `told` turns what a store throws into what an operator is told. */
export function openGuides(parts: Parts, told: Told): Guides {
  const guides: Guides = {
    status: () => told(() => statusOf(parts)),
    show: (id) => told(() => shownRule(parts, id)),
    revision: (id) => told(() => keptRevision(parts, id)),
    lint: () => told(() => lintGuides(parts)),
    verify: (ids) => told(() => verifyRules(parts, ids)),
    statement: (id, word) => told(() => statementFor(parts, id, word)),
    approve: (id, word) => told(() => approveRule(parts, id, word)),
    approveAll: (ids, word) => told(() => approveRules(parts, ids, word)),
    revoke: (id, word) => told(async () => revokeRule(parts, id, word)),
    publish: (ids, word) => told(() => publishRules(parts, ids, word)),
    withdraw: (id, word) => told(async () => withdrawRule(parts, id, word)),
    serve: (wanted) => told(() => serve(parts, wanted)),
    pin: (name, wanted, word) => told(() => pinPlan(parts, name, wanted, word)),
    check: () => told(() => checkPins(parts)),
    diff: (id) => told(() => diffOf(parts, id)),
    plan: (wanted) => told(() => planGuide(parts, wanted)),
    map: (name) => told(() => mapFor(parts, name)),
    explain: (run) => told(() => explain(parts, run)),
  };
  return Object.freeze(guides);
}
