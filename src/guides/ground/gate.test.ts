import { expect, test } from "vitest";
import { indexOf } from "../../../test/ground-map.ts";
import type { Guide, Milestone } from "../../domain/guide.ts";
import { GROUND_RULES, type GroundRule, groundFinding } from "./findings.ts";
import { gate, gateReport } from "./gate.ts";
import { groundGuide } from "./ground-guide.ts";
import { SCORE_1 } from "./score-1.ts";

const RULES = Object.keys(GROUND_RULES) as GroundRule[];
const INDEX = indexOf(["Settings", "Send message", "Amount", "Amount", { text: "Pay", disabled: true }]);

function guide(id: string, ...steps: readonly Partial<Milestone>[]): Guide {
  const milestones = steps.map((step) => ({ screen: null, intent: "open the settings", control: null, ...step }));
  return { version: 1, id, task: "", preconditions: [], entry: [], milestones, fallback: "", scope: "" };
}

test("[ground-gate] served if and only if there is no error, whatever warnings there are", () => {
  expect(gate({ findings: [] })).toEqual({ verdict: "served" });
  for (const rule of RULES) {
    const error = GROUND_RULES[rule].severity === "error";
    const verdict = error ? { verdict: "suppressed", rules: [rule] } : { verdict: "served" };
    expect(gate({ findings: [groundFinding(rule, "milestone 1", "")] })).toEqual(verdict);
  }
});

test("[ground-gate] the rules that block are named, each once", () => {
  const findings = ["unbound", "disabled_target", "absent_id", "unbound"].map((rule, i) =>
    groundFinding(rule as GroundRule, `milestone ${i}`, ""),
  );
  expect(gate({ findings })).toEqual({ verdict: "suppressed", rules: ["absent_id", "unbound"] });
});

test("a batch says of each guide what mends it: the words, or a screen to harvest", () => {
  const report = gateReport(
    [
      guide("good", { intent: "pay" }),
      guide("far", { intent: "rotate the picture" }),
      guide("near", { intent: "click on send feedback" }),
      guide("both", { intent: "enter 5 in Amount" }, { control: "c99" }, { intent: "rotate the picture" }),
    ].map((one) => groundGuide(INDEX, one)),
  );
  expect(report.served).toEqual(["good"]);
  const fixes = report.suppressed.map(({ guide, rules, blocked }) => [
    guide,
    rules,
    blocked.map(({ finding, fix }) => `${finding.where} ${finding.rule}: ${fix}`),
  ]);
  expect(fixes).toEqual([
    ["far", ["unbound"], ["milestone 1 unbound: screen"]],
    ["near", ["unbound"], ["milestone 1 unbound: wording"]],
    [
      "both",
      ["absent_id", "ambiguous", "unbound"],
      ["milestone 1 ambiguous: step", "milestone 2 absent_id: step", "milestone 3 unbound: screen"],
    ],
  ]);
  expect(report.byRule).toEqual([
    { rule: "unbound", guides: 3 },
    { rule: "absent_id", guides: 1 },
    { rule: "ambiguous", guides: 1 },
  ]);
});

test("each error has one advice, and it fits", () => {
  const advised = (rule: GroundRule) => {
    const guide = { guide: "g", version: SCORE_1.version, map: "", steps: [] };
    const report = gateReport([{ ...guide, findings: [groundFinding(rule, "guide", "")] }]);
    return report.suppressed[0]?.blocked[0];
  };
  const errors = RULES.filter((rule) => GROUND_RULES[rule].severity === "error");
  const all = errors.map((rule) => advised(rule)?.advice ?? "");
  expect(all.every((advice) => advice.length > 10)).toBe(true);
  expect(advised("other_screen")).toMatchObject({ fix: "step", advice: "name the screen that the control is on" });
  expect(advised("unnamed_target")?.fix).toBe("interface");
  // Two controls of one name are called so already, and an id is in no text that is served.
  expect(advised("ambiguous")?.advice).toMatch(/^name the screen in the step, or the kind of control/);
  const own = all.filter((advice) => advice === "say it in the control's own words");
  const harvests = all.filter((advice) => advice === "harvest the screen that it is on");
  // Nothing is near to a step that is not there.
  expect([own.length, harvests.length]).toEqual([0, 2]);
});

test("of a step on another screen only the screen is to be mended, whatever its words mean there", () => {
  const at = (where: string, ...rules: readonly GroundRule[]) => rules.map((rule) => groundFinding(rule, where, ""));
  const findings = [...at("entry 1", "other_screen", "unbound"), ...at("entry 2", "unbound")];
  const report = gateReport([{ guide: "g", version: SCORE_1.version, map: "", steps: [], findings }]);
  const fixes = report.suppressed[0]?.blocked.map(({ finding, fix }) => `${finding.where} ${finding.rule} ${fix}`);
  expect(fixes).toEqual(["entry 1 other_screen step", "entry 1 unbound step", "entry 2 unbound screen"]);
});
