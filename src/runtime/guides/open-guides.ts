import type { Parts } from "../parts.ts";
import type { Guides, GuideWord, ServeWanted } from "./api.ts";
import { approveRule, approveRules, statementFor } from "./approve.ts";
import { checkedName, checkedNames, checkedOptions } from "./checked-args.ts";
import { diffOf } from "./diff.ts";
import { explain } from "./explain.ts";
import { groundFile } from "./ground-file.ts";
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
    show: (id) => told(async () => shownRule(parts, named("show", id))),
    revision: (id) => told(async () => keptRevision(parts, named("revision", id))),
    lint: () => told(() => lintGuides(parts)),
    verify: (ids) =>
      told(async () => {
        if (ids !== undefined) checkedNames("verify", ids);
        return verifyRules(parts, ids);
      }),
    statement: (id, word) => told(() => statementFor(parts, ...worded("statement", id, word))),
    approve: (id, word) =>
      told(async () => {
        checkedOptions("approve", word, { ...WORD, signature: "any?" });
        return approveRule(parts, id, word);
      }),
    approveAll: (ids, word) =>
      told(async () => {
        checkedNames("approve", ids);
        checkedOptions("approve", word, { ...WORD, signature: "any?" });
        return approveRules(parts, ids, word);
      }),
    revoke: (id, word) => told(async () => revokeRule(parts, ...worded("revoke", id, word))),
    publish: (ids, word) =>
      told(async () => {
        checkedNames("publish", ids);
        checkedOptions("publish", word, WORD);
        return publishRules(parts, ids, word);
      }),
    withdraw: (id, word) => told(async () => withdrawRule(parts, ...worded("withdraw", id, word))),
    serve: (wanted) => told(async () => serve(parts, asked("serve", wanted))),
    pin: (name, wanted, word) =>
      told(async () => {
        checkedName("pin", name);
        checkedOptions("pin", word, { as: "text", reason: "text?" });
        return pinPlan(parts, name, asked("pin", wanted), word);
      }),
    check: () => told(() => checkPins(parts)),
    diff: (id) => told(async () => diffOf(parts, named("diff", id))),
    plan: (wanted) =>
      told(async () => {
        const form = { id: "text", task: "text", map: "text", follow: "flag?", signal: "any?" } as const;
        checkedOptions("plan", wanted, form);
        return planGuide(parts, wanted);
      }),
    ground: (file) =>
      told(async () => {
        checkedOptions("ground", file, { name: "text", text: "text" });
        return groundFile(parts, file);
      }),
    map: (name) => told(async () => mapFor(parts, named("map", name))),
    explain: (run) => told(async () => explain(parts, named("explain", run))),
  };
  return Object.freeze(guides);
}

/** Who, and why, have refusals of their own. */
const WORD = { as: "any?", why: "any?" } as const;

function named(verb: string, id: string): string {
  checkedName(verb, id);
  return id;
}

function worded(verb: string, id: string, word: GuideWord): readonly [string, GuideWord] {
  checkedOptions(verb, word, WORD);
  return [id, word];
}

function asked(verb: string, wanted: ServeWanted): ServeWanted {
  checkedOptions(verb, wanted, { task: "text", app: "text?", paths: "texts?", profile: "text?" });
  return wanted;
}
