import { type Profile, profileText } from "../../domain/profile.ts";
import { redactText } from "../../domain/redact.ts";
import type { Rule } from "../../domain/rule.ts";
import { planText, type Served } from "../../domain/served.ts";
import type { RuleRef, TrialDesign, TrialTask } from "../../domain/trial.ts";
import { compile, guideTask, parseRule, ruleSet } from "../../guides/index.ts";
import type { Model } from "../../ports/model.ts";
import type { Store } from "../../ports/store.ts";
import { type LaidRule, laidRules } from "../../trials/index.ts";
import { principalOf } from "../authority.ts";
import { SignalboxError } from "../error.ts";
import { decodeUtf8 } from "../guides/decode-utf8.ts";
import { guidesIn } from "../guides/guide-parts.ts";
import { readFolder } from "../guides/read-folder.ts";
import type { Parts } from "../parts.ts";
import { openSignalbox } from "../signalbox.ts";
import { checkTools } from "./check-tools.ts";
import { enactTools } from "./enact-tools.ts";
import { probeOnce } from "./probe-once.ts";
import { seededModel } from "./seeded-model.ts";
import { settingOf } from "./setting.ts";
import type { ServedArm, TrialCarried, TrialCarry, TrialWorld } from "./trial-world.ts";

/**
 * The world of a trial: the box's profile, model, rails and window; its rules by their exact bytes, from the store or, where
 * they were never verified, from the folder; nothing behind its tools, and a store of its own for each run, so that the box's
 * ledger, caps and threads are as they were.
 *
 * Throws a SignalboxError `unknown_profile`, `unknown_revision`, `secret_in_guide`, and `bad_trial` where the design
 * names a tool that the box does not have.
 */
export async function openTrialWorld(parts: Parts, design: TrialDesign, openStore: () => Store): Promise<TrialWorld> {
  const profile = guidesIn(parts).profiles.get(design.profile);
  if (profile === undefined) {
    throw new SignalboxError("unknown_profile", `the config has no profile "${design.profile}"`);
  }
  checkTools(design, parts.tools);
  const rules = await rulesOf(parts, [design.rule, ...design.fillers]);
  const principal = principalOf(parts, design.as);
  const probe = probeOnce(parts.model);
  const enacted = { ...parts, tools: enactTools(parts.tools, design) };
  return {
    clock: parts.clock,
    hash: parts.hash,
    model: parts.model.name,
    get setting() {
      return settingOf(parts, principal);
    },
    ...(probe === undefined ? {} : { meet: probe }),
    serveArm: async (laid, task) => serveArm(parts, profile, rules, laid, task),
    carry: (run) => carryOne(enacted, openStore, probe, run),
  };
}

/** As `guides serve` does, but for the rules of the arm. */
function serveArm(
  parts: Parts,
  profile: Profile,
  rules: ReadonlyMap<string, Rule>,
  laid: readonly LaidRule[],
  { app, paths, text }: TrialTask,
): ServedArm {
  const task = guideTask(text, { app, paths });
  if (!task.ok) throw new SignalboxError("bad_task", task.why.detail);
  const plan = compile(ruleSet(laidRules(laid, rules)), task.value, profile);
  if (plan.kind === "refusal") return plan;
  const { report, slot, text: told } = plan;
  const names = {
    plan: parts.hash(planText({ slot, text: told, report })),
    profileDigest: parts.hash(profileText(profile)),
  };
  const served: Served = {
    ...names,
    chain: null,
    app: task.value.app,
    paths: task.value.paths,
    slot,
    text: told,
    report,
    withheld: [],
  };
  return { kind: "served", served };
}

async function carryOne(
  parts: Parts,
  openStore: () => Store,
  probe: Model["probe"],
  run: TrialCarry,
): Promise<TrialCarried> {
  const { design, seed, served, signal, task } = run;
  const serving = { serve: async () => ({ kind: "served" as const, served }), lost: async () => null };
  const box = openSignalbox({
    ...parts,
    model: seededModel(parts.model, seed, probe),
    store: openStore(),
    memory: null,
    serving,
  });
  try {
    const about = { ...(task.app === null ? {} : { app: task.app }), paths: task.paths };
    const whom = design.customer === null ? {} : { customer: design.customer };
    const outcome = await box.run(task.text, { as: design.as, ...whom, ...about, signal });
    return { run: outcome.run, events: await box.events(outcome.run) };
  } finally {
    await box.close();
  }
}

/** The rules by their revisions: what was verified lies in the store, and what is only written lies in the folder. */
async function rulesOf(parts: Parts, refs: readonly RuleRef[]): Promise<ReadonlyMap<string, Rule>> {
  const folder = new Map((await readFolder(parts)).files.map((file) => [file.digest, file]));
  const rules = new Map<string, Rule>();
  for (const { id, revision } of refs) {
    const bytes = (await parts.store.readRevision(revision)) ?? folder.get(revision)?.bytes ?? null;
    const named = `${id}@${revision.slice(0, 12)}`;
    if (bytes === null) {
      throw new SignalboxError("unknown_revision", `nobody has the bytes of ${named}`, {
        hint: "signalbox guides list names the digests of the files",
      });
    }
    const text = parts.hashBytes(bytes) === revision ? decodeUtf8(bytes) : null;
    const read = text?.ok === true ? parseRule({ name: `${id}.md`, text: text.value, digest: revision }) : null;
    if (text?.ok !== true || read?.ok !== true || read.rule.id !== id) {
      throw new SignalboxError("unknown_revision", `the bytes of ${named} hold no rule of this id`);
    }
    if (redactText(text.value, parts.redaction) !== text.value) {
      throw new SignalboxError("secret_in_guide", `a declared secret stands in ${named}`);
    }
    rules.set(revision, read.rule);
  }
  return rules;
}
