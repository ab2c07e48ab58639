/**
 * What may not matter to a decision, and what may only ever make it stricter: laws between two decisions, which hold whatever
 * is right for either of them. Each law also says how often it has to have been put to the test.
 */
import { expect, test } from "vitest";
import type { SaidCase, SaidRule } from "../../spec/decision/said.ts";
import type { Sighting } from "../../src/domain/provenance.ts";
import * as door from "../../src/index.ts";
import * as rails from "../../src/rails/index.ts";
import { type Decision, decide } from "../../src/rails/index.ts";
import { type Draw, drawFrom } from "../hostile/draw.ts";
import { seed } from "../seed.ts";
import { Builder } from "./decision/build.ts";
import { CASES_PER_WORLD, drawCase, drawRule, drawWorld, shown } from "./decision/worlds.ts";

const WORLDS = 500;
const RANKS = { deny: 0, stage: 1, permit: 2 } as const;

const builder = new Builder({ door, rails });
const decided = (about: SaidCase): Decision => decide(builder.input(about));
const rank = ({ outcome }: Decision): number => RANKS[outcome];
const codeOf = (said: Decision): string | null => (said.outcome === "deny" ? said.denial.code : null);

/** A change of a case, or null where it is none; and what must be true of the decisions before and after it. */
type Law = {
  readonly name: string;
  readonly change: (about: SaidCase, draw: Draw) => SaidCase | null;
  readonly holds: (before: Decision, after: Decision, about: SaidCase) => boolean;
  /** What has to have been seen some times, or nothing was tested. */
  readonly tells: (before: Decision, after: Decision, about: SaidCase) => boolean;
};

function plain(decision: Decision): string {
  const { authorised: _, ...rest } = { authorised: null, ...decision };
  return JSON.stringify(rest);
}

function ruleFor(draw: Draw, about: SaidCase, more: Partial<SaidRule>): SaidRule {
  return { ...drawRule(draw, "added"), tools: [about.tool?.name ?? ""], ...more };
}

function insert<T>(list: readonly T[], one: T, draw: Draw): readonly T[] {
  const at = draw.below(list.length + 1);
  return [...list.slice(0, at), one, ...list.slice(at)];
}

function shuffled<T>(list: readonly T[], draw: Draw): readonly T[] {
  return list.reduce<readonly T[]>((all, one) => insert(all, one, draw), []);
}

const isApprovals = (said: Decision): boolean => codeOf(said)?.startsWith("approval_") === true;
const isCaps = (said: Decision): boolean => said.rule === "caps";
const MAIL: Sighting = { source: "untrusted", tool: "mail", path: "subject" };

const LAWS: readonly Law[] = [
  {
    // Which of several stages asks for its role is a matter of order, and an approval is for one role.
    name: "[rails-deny-overrides] the order of the rules changes no outcome",
    change: (about, draw) =>
      about.approval === null && about.rules.length > 1 ? { ...about, rules: shuffled(about.rules, draw) } : null,
    holds: (before, after) => before.outcome === after.outcome && reserved(before) === reserved(after),
    tells: (before, after) => before.outcome !== "deny" && before.rule !== after.rule,
  },
  {
    name: "a rule that is there twice is one",
    change: (about, draw) =>
      about.rules.length > 0 ? { ...about, rules: [...about.rules, draw.pick(about.rules)] } : null,
    holds: (before, after) => plain(before) === plain(after),
    tells: (before) => before.rule.startsWith("rule_"),
  },
  {
    name: "a rule for another tool changes nothing",
    change: (about, draw) => ({
      ...about,
      rules: insert(about.rules, ruleFor(draw, about, { tools: ["other", "paying*"] }), draw),
    }),
    holds: (before, after) => plain(before) === plain(after),
    tells: ({ outcome }) => outcome === "permit",
  },
  {
    name: "[rails-deny-overrides] an added deny never allows more",
    change: (about, draw) => ({ ...about, rules: insert(about.rules, ruleFor(draw, about, { effect: "deny" }), draw) }),
    holds: (before, after) => rank(after) <= rank(before),
    tells: (before, after) => before.outcome !== "deny" && after.outcome === "deny",
  },
  {
    name: "[rails-silence-denies] an added rule that is broken denies, whatever its effect",
    change: (about, draw) => ({
      ...about,
      rules: insert(about.rules, ruleFor(draw, about, { when: { is: "throws" } }), draw),
    }),
    holds: (_before, after) => after.outcome === "deny",
    tells: ({ outcome }) => outcome === "permit",
  },
  {
    name: "an added stage never allows more than waiting",
    change: (about, draw) => ({
      ...about,
      approval: null,
      rules: insert(
        about.rules,
        ruleFor(draw, about, { effect: "stage", code: "supervisor", when: { is: "always" } }),
        draw,
      ),
    }),
    holds: (_before, after) => after.outcome !== "permit",
    tells: (_before, after) => after.outcome === "stage",
  },
  {
    name: "an added permit that holds takes nothing away, and only ever fills a silence",
    change: (about, draw) => ({
      ...about,
      rules: insert(about.rules, ruleFor(draw, about, { effect: "permit", when: { is: "always" } }), draw),
    }),
    holds: (before, after) => {
      if (before.outcome !== "deny") return after.outcome === before.outcome && reserved(before) === reserved(after);
      // No denial of another rail, and no denial that a rule has spoken, is moved by it.
      return ["no_permit", "no_policy"].includes(codeOf(before) ?? "") || plain(before) === plain(after);
    },
    tells: (before, after) => codeOf(before) === "no_permit" && after.outcome === "permit",
  },
  {
    name: "[rails-approval-binds] an approval moves no denial, and without it what was staged waits",
    change: (about) => (about.approval === null ? null : { ...about, approval: null }),
    holds: (approved, alone) => {
      // Without an approval a permit is the rules' own; with one it is the same, or the approval is no good.
      if (alone.outcome === "permit") return isApprovals(approved) || plain(approved) === plain(alone);
      if (alone.outcome === "stage") return approved.outcome === "permit" || isApprovals(approved) || isCaps(approved);
      return isApprovals(approved) ? isCaps(alone) : plain(approved) === plain(alone);
    },
    tells: (approved, alone) => approved.outcome === "permit" && alone.outcome === "stage",
  },
  {
    name: "[rails-cap-exact] more use of a cap never allows more, and changes nothing else",
    change: (about, draw) => {
      const cap = about.tool?.caps.at(draw.below(about.tool.caps.length));
      if (cap === undefined) return null;
      const keys = ["all", about.customer ?? "nobody", about.principal.id];
      const held = keys.map((key) => ({
        ...about,
        cap: cap.name,
        key,
        at: about.now,
        amount: draw.pick([1, 4, 1_000]),
      }));
      return { ...about, held: [...about.held, ...held] };
    },
    holds: (before, after) =>
      codeOf(after) === "cap_exceeded" ? before.outcome === "permit" || isCaps(before) : plain(before) === plain(after),
    tells: (before, after) => before.outcome === "permit" && codeOf(after) === "cap_exceeded",
  },
  {
    name: "[rails-provenance] another sighting where outsiders write changes no outcome",
    change: (about, draw) => withSightings(about, (seen) => insert(seen, MAIL, draw)),
    holds: (before, after) => before.outcome === after.outcome && before.rule === after.rule,
    tells: (before, after) => codeOf(before) === "provenance_missing" && codeOf(after) === "provenance_untrusted",
  },
  {
    // What waits holds nothing, so a cap that is full does not stop it yet. And an approval is for one role: that of the stage
    // by provenance where there is one.
    name: "[rails-provenance] a sighting fewer never allows more, and at most lets wait what a cap refused",
    change: (about) => (about.approval === null ? withSightings(about, (seen) => seen.slice(1)) : null),
    holds: (before, after) => rank(after) <= rank(before) || (isCaps(before) && after.outcome === "stage"),
    tells: (before, after) => before.outcome === "permit" && after.outcome !== "permit",
  },
  {
    name: "[rails-evidence] an invented id beside good ones denies",
    change: (about) =>
      about.tool?.evidence == null
        ? null
        : { ...about, asked: { ...about.asked, evidence: [...about.asked.evidence, "evt_0"] } },
    holds: (_before, after) => after.outcome === "deny",
    tells: ({ outcome }) => outcome === "permit",
  },
  {
    name: "[rails-permission] without the tool among its own a principal is told nothing but that",
    change: (about) =>
      about.tool === null
        ? null
        : { ...about, principal: { ...about.principal, tools: ["another", `${about.tool.name}x`] } },
    holds: (before, after) => codeOf(after) === "permission" || before.rule === "loop",
    tells: ({ outcome }) => outcome === "permit",
  },
];

function reserved(decision: Decision): string {
  return JSON.stringify(decision.outcome === "permit" ? decision.reservations : null);
}

function withSightings(about: SaidCase, change: (seen: readonly Sighting[]) => readonly Sighting[]): SaidCase | null {
  if (about.tool?.provenance == null) return null;
  const entries = Object.entries(about.provenance).map(([path, seen]) => [path, change(seen)] as const);
  // A path that nobody has seen anywhere is there as well.
  const fields = Object.keys(about.tool.provenance).filter((field) => !Object.hasOwn(about.provenance, field));
  return {
    ...about,
    provenance: Object.fromEntries([...fields.map((field) => [field, change([])] as const), ...entries]),
  };
}

const TOLD_MIN = 5;

test.each(LAWS.map((law) => [law.name, law] as const))("%s", (_name, { change, holds, tells }) => {
  let told = 0;
  for (let n = 0; n < WORLDS; n++) {
    const draw = drawFrom(seed, n);
    const world = drawWorld(draw);
    for (let i = 0; i < CASES_PER_WORLD; i++) {
      const about = drawCase(draw, world);
      const changed = change(about, draw);
      if (changed === null) continue;
      const [before, after] = [decided(about), decided(changed)];
      if (!holds(before, after, about)) {
        expect.fail(`before ${plain(before)}\nafter ${plain(after)}\nof ${shown(about)}\nchanged to ${shown(changed)}`);
      }
      if (tells(before, after, about)) told += 1;
    }
  }
  expect(told, "how often it was put to the test").toBeGreaterThanOrEqual(TOLD_MIN);
});
