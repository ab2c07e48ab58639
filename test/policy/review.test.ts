import {
  checkPolicy,
  defineTool,
  deny,
  type PolicyConfig,
  type PolicyRule,
  permit,
  railsOf,
  stage,
  z,
} from "signalbox";
import { describe, expect, test } from "vitest";

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: "A tool.",
    placement: "staff-reversible",
    effect: "idempotent",
    params: z.strictObject({ n: z.int() }),
    authorise: () => permit(),
    execute: () => null,
    summarise: () => "done",
    ...(more as object),
  });

const bare = (name: string) =>
  defineTool({
    name,
    description: "A tool.",
    placement: "internal",
    effect: "idempotent",
    params: z.strictObject({ text: z.string() }),
    execute: () => null,
    summarise: () => "done",
  });

const byPolicy = { authorise: "by_policy" };
const sometimes: PolicyRule["when"] = ({ params }) => Number(params.n) > 1;
const always: PolicyRule["when"] = () => true;

function rule(id: string, effect: PolicyRule["effect"], more: Partial<PolicyRule> = {}): PolicyRule {
  return {
    id,
    tools: ["pay"],
    effect,
    when: sometimes,
    ...(effect === "permit" ? {} : { code: `${id}_code` }),
    ...more,
  };
}

const everybody = { operator: { tools: "all" } } as const;

/** What is found, each as `severity rule: where`. */
function found(config: PolicyConfig): readonly string[] {
  const all = { principals: everybody, ...config };
  return checkPolicy(all).map(({ severity, rule: name, where }) => `${severity} ${name}: ${where}`);
}

function ofRules(...policies: readonly PolicyRule[]): readonly string[] {
  return found({
    tools: [tool("pay", byPolicy), tool("refund", byPolicy)],
    policies: [...policies, rule("refunds", "permit", { tools: ["refund"] })],
  });
}

describe("the review of rules", () => {
  test("[policy-check] rules that can decide are not found fault with", () => {
    expect(ofRules(rule("a", "permit"), rule("b", "deny"), rule("c", "permit", { when: always }))).toEqual([]);
    expect(found({ tools: [tool("pay")] })).toEqual([]);
  });

  test("[policy-check] a rule that names a tool that there is not is an error, also beside one that there is", () => {
    expect(ofRules(rule("a", "permit", { tools: ["pay", "pya"] }))).toEqual([
      "error rule_names_unknown: policy rule a",
    ]);
    expect(ofRules(rule("a", "permit", { tools: ["p*", "x*"] }))).toEqual(["error rule_names_unknown: policy rule a"]);
    expect(ofRules(rule("a", "permit"), rule("b", "deny", { tools: ["pya"] }))).toEqual([
      "error rule_names_nothing: policy rule b",
    ]);
  });

  test.each([
    ["an arrow", (() => true) as PolicyRule["when"]],
    ["an arrow with params", ((_proposal, _record) => true) as PolicyRule["when"]],
    [
      "a block",
      (() => {
        return true;
      }) as PolicyRule["when"],
    ],
    [
      "a function",
      function whenever() {
        return true;
      } as PolicyRule["when"],
    ],
    [
      "a method",
      {
        when() {
          return true;
        },
      }.when as PolicyRule["when"],
    ],
  ])("[policy-check] a rule that another always overrides is an error: %s", (_, when) => {
    expect(ofRules(rule("a", "permit"), rule("b", "deny", { when }))).toEqual([
      "error rule_unreachable: policy rule a",
      "warning tool_never_permitted: tool pay",
    ]);
  });

  test("[policy-check] only a stronger effect overrides, and only where it covers every tool of the rule", () => {
    expect(ofRules(rule("a", "permit"), rule("b", "stage", { when: always }))).toEqual([
      "error rule_unreachable: policy rule a",
      "warning role_nobody_has: policy rule b",
    ]);
    expect(ofRules(rule("a", "deny"), rule("b", "permit", { when: always }))).toEqual([]);
    const both = rule("a", "permit", { tools: ["pay", "refund"] });
    expect(ofRules(both, rule("b", "deny", { when: always }))).toEqual(["warning tool_never_permitted: tool pay"]);
    expect(
      ofRules(both, rule("b", "deny", { when: always }), rule("c", "deny", { when: always, tools: ["re*"] })),
    ).toContain("error rule_unreachable: policy rule a");
  });

  test("[policy-check] a rule that never applies, one that stands twice, a tool that only denials name", () => {
    expect(ofRules(rule("a", "permit"), rule("b", "deny", { when: () => false }))).toEqual([
      "error rule_unreachable: policy rule b",
    ]);
    expect(ofRules(rule("a", "permit"), rule("b", "permit"))).toEqual(["warning rule_twice: policy rule b"]);
    expect(ofRules(rule("a", "permit"), rule("b", "permit", { when: always }))).toEqual([]);
    expect(ofRules(rule("a", "deny"))).toEqual(["warning tool_never_permitted: tool pay"]);
  });

  test("[policy-check] a role that nobody has", () => {
    const staging = tool("pay", {
      authorise: ({ params }: { params: { n: number } }) => (params.n > 1 ? stage("supervisor") : permit()),
    });
    expect(found({ tools: [staging] })).toEqual(["warning role_nobody_has: tool pay"]);
    const traced = tool("pay", { provenance: { n: { from: ["request"], otherwise: { stage: "supervisor" } } } });
    expect(found({ tools: [traced] })).toEqual(["warning role_nobody_has: tool pay"]);
    expect(found({ tools: [tool("pay", { denials: ["stage"], authorise: () => deny("stage") })] })).toEqual([]);
  });

  test("[policy-check] caps that hold nothing or everything, that differ in case, or that nobody can use", () => {
    const cap = (name: string, limit: number) => ({ name, limit, window: "per_run" });
    const capped = (name: string, ...caps: readonly object[]) => tool(name, { caps });
    expect(found({ tools: [capped("a", cap("x", 0), cap("y", Number.MAX_SAFE_INTEGER), cap("z", 1))] })).toEqual([
      "warning cap_shut: tool a",
      "warning cap_open: tool a",
    ]);
    expect(found({ tools: [capped("a", cap("paid", 1)), capped("b", cap("Paid", 1), cap("paid", 1))] })).toEqual([
      "warning cap_alike: tool b",
    ]);
    const principals = { "agent:a": { tools: ["a"] } };
    expect(
      found({ tools: [capped("a", cap("paid", 1)), capped("b", cap("sent", 1), cap("paid", 1))], principals }),
    ).toEqual(["warning cap_unused: cap sent", "warning tool_unused: tool b"]);
  });

  test("[policy-check] principals that may do nothing, or that are not declared, and a box without a tool", () => {
    expect(found({ tools: [tool("pay")], principals: { a: { tools: [] }, b: { tools: "all" } } })).toEqual([
      "warning principal_idle: principal a",
    ]);
    expect(checkPolicy({ tools: [tool("pay")] }).map(({ rule: name }) => name)).toEqual(["principals_none"]);
    expect(found({ tools: [] })).toEqual([
      "warning no_tools: config.tools",
      "warning principal_idle: principal operator",
    ]);
  });

  test("[policy-check] what stops the start is told alone", () => {
    expect(found({ tools: [tool("pay", byPolicy)], policies: [] })).toEqual(["error missing_rail: tool pay"]);
    expect(found({ tools: "all" } as never)).toEqual([expect.stringContaining("config.tools")]);
  });
});

test("[doctor-matrix] the matrix says how each rail of each tool is met", () => {
  const paying = defineTool({
    name: "pay",
    description: "Pay.",
    placement: "irreversible",
    effect: "once",
    params: z.strictObject({ to: z.string(), n: z.int() }),
    record: () => ({ events: [{ id: "e" }] }),
    evidence: { min: 2, from: (record) => record.events },
    provenance: { to: { from: ["request"] } },
    authorise: () => permit(),
    caps: [{ name: "paid", limit: 1, window: "per_run" }],
    execute: () => null,
    summarise: () => "paid",
  });
  const config: PolicyConfig = {
    tools: [paying, bare("note"), tool("mail", byPolicy)],
    policies: [rule("payments", "deny"), rule("mails", "permit", { tools: ["mail"] })],
    principals: { "agent:a": { tools: ["pay", "note"] }, "agent:b": { tools: "all" } },
  };
  expect(railsOf(config)).toEqual([
    {
      tool: "pay",
      placement: "irreversible",
      effect: "once",
      output: "open",
      input: ["agent:a", "agent:b"],
      action: ["pay.authorise", "payments"],
      evidence: 2,
      provenance: ["to"],
      blastRadius: ["paid"],
      review: null,
      hintOnly: false,
    },
    {
      tool: "note",
      placement: "internal",
      effect: "idempotent",
      output: "open",
      input: ["agent:a", "agent:b"],
      action: [],
      evidence: null,
      provenance: [],
      blastRadius: [],
      review: null,
      hintOnly: true,
    },
    {
      tool: "mail",
      placement: "staff-reversible",
      effect: "idempotent",
      output: "closed",
      input: ["agent:b"],
      action: ["mails"],
      evidence: null,
      provenance: [],
      blastRadius: [],
      review: null,
      hintOnly: false,
    },
  ]);
  expect(railsOf({ tools: [bare("note")] })[0]?.input).toBeNull();
});
