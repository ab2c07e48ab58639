import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, cli, desk, documentIn, effects, type Said, say } from "./stage.ts";

const APPROVERS = { "user:sue": { roles: ["supervisor"] }, "user:tom": { roles: ["teller"] } };
const RUN = ["run", "pay ada", "--as", "operator"];

/** A desk on which a proposal waits; what the model says after that comes from `replies`. */
async function waiting(...replies: readonly unknown[]) {
  const cwd = desk({
    replies: [say.pay("ada", 1_001), ...replies],
    perRunMinor: 2_000,
    config: { approvers: APPROVERS },
  });
  const ran = await cli(cwd, RUN);
  expect(ran.code).toBe(4);
  const [entry] = documentIn(await cli(cwd, ["approvals", "list", "--json"])) as unknown as {
    id: string;
    run: string;
    digest: string;
    text: string;
  }[];
  if (entry === undefined) throw new Error("nothing waits");
  return { cwd, ran, ...entry, token: `${entry.id}@${entry.digest.slice(0, 12)}` };
}

const asSue = ["--as", "user:sue"];

describe("signalbox approvals", () => {
  test("a run that waits says how to see what it waits for", async () => {
    const { ran, id } = await waiting();
    expect(ran.stdout).toContain(`signalbox approvals show ${id}`);
  });

  test("list and show say what would be approved, to the byte", async () => {
    const { cwd, id, text, digest, token } = await waiting();
    const listed = await cli(cwd, ["approvals", "list"]);
    expect(listed.stdout).toContain("waiting · needs supervisor · until ");
    expect(listed.stdout).toContain("pay {account: ada, amountMinor: 1001} cites inv_ada");
    const shown = await cli(cwd, ["approvals", "show", id]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain(text);
    expect(shown.stdout).toContain(`SHA-256 ${digest}`);
    expect(shown.stdout).toContain(`signalbox approvals approve ${token} --as WHO`);
    const narrow = await cli(cwd, ["approvals", "show", id], { isTty: true, columns: 40, env: { NO_COLOR: "1" } });
    expect(narrow.stdout).toContain(`\n  signalbox approvals approve ${token} --as WHO\n`);
    expect(narrow.stdout).toContain(`\n  signalbox approvals reject ${token} --as WHO --why "…"\n`);
  });

  test("approve carries the run on, in this process", async () => {
    const { cwd, id, token } = await waiting(say.answer("it is paid"));
    const approved = await cli(cwd, ["approvals", "approve", token, ...asSue, "--why", "known supplier"]);
    expect(approved).toMatchObject({ code: 0, stderr: "" });
    expect(approved.stdout).toContain(`approved · ${id} · by user:sue`);
    expect(approved.stdout).toContain("it is paid");
    expect(effects(cwd)).toHaveLength(1);
    const all = await cli(cwd, ["approvals", "list", "--state", "all"]);
    expect(all.stdout).toMatch(/used · by user:sue · .* · "known supplier" · at its commit: permit · done/);
    expect((await cli(cwd, ["approvals", "list"])).stdout).toBe("nothing waits for a person\n");
    expect(await cli(cwd, ["approvals", "approve", token, ...asSue])).toMatchObject({ code: 3 });
    expect(effects(cwd)).toHaveLength(1);
  });

  test("without a terminal the bytes have to be named; on one they are shown and asked for", async () => {
    const { cwd, id, text } = await waiting(say.answer("it is paid"));
    const unnamed = await cli(cwd, ["approvals", "approve", id, ...asSue]);
    expect(unnamed).toMatchObject({ code: 2, stdout: "" });
    expect(unnamed.stderr).toContain("say which bytes you approve");
    const wrong = await cli(cwd, ["approvals", "approve", `${id}@00000000`, ...asSue]);
    expect(wrong).toMatchObject({ code: 3 });
    expect(wrong.stderr).toContain("approval_mismatch");
    const questions: string[] = [];
    const asked = (answer: string) => ({
      ask: async (question: string) => {
        questions.push(question);
        return answer;
      },
    });
    const no = await cli(cwd, ["approvals", "approve", id, ...asSue], asked(""));
    expect(no.code).toBe(1);
    expect(no.stdout).toContain("nothing was approved");
    expect(effects(cwd)).toEqual([]);
    const yes = await cli(cwd, ["approvals", "approve", id, ...asSue], asked("y"));
    expect(yes.code).toBe(0);
    expect(yes.stdout).toContain(text);
    expect(questions).toEqual(["Approve this? [y/N] ", "Approve this? [y/N] "]);
    expect(effects(cwd)).toHaveLength(1);
  });

  test("several at once are listed with each digest, and asked for once", async () => {
    const { cwd, ...one } = await waiting(say.pay("ada", 1_001));
    await cli(cwd, ["run", "again", "--for", "customer:eve"]);
    const entries = documentIn(await cli(cwd, ["approvals", "list", "--json"])) as unknown as (typeof one)[];
    expect(entries).toHaveLength(2);
    const ask = async (question: string) => {
      expect(question).toBe("Approve all 2? [y/N] ");
      return "no";
    };
    const said = await cli(cwd, ["approvals", "approve", ...entries.map((entry) => entry.id), ...asSue], { ask });
    for (const entry of entries) expect(said.stdout).toContain(entry.digest);
    expect(said.code).toBe(1);
  });

  test("reject gives the reason to the model, and the run goes on", async () => {
    const { cwd, id } = await waiting(say.answer("then not"));
    const rejected = await cli(cwd, ["approvals", "reject", id, ...asSue, "--why", "not ours"]);
    expect(rejected).toMatchObject({ code: 0 });
    expect(rejected.stdout).toContain("then not");
    expect(effects(cwd)).toEqual([]);
    expect((await cli(cwd, ["show", "last"])).stdout).toContain("then not");
  });

  test("edit proposes something else, which is judged anew", async () => {
    const { cwd, id } = await waiting(say.answer("paid less"));
    const params = '{"account": "ada", "amountMinor": 900}';
    const edited = await cli(cwd, ["approvals", "edit", id, ...asSue, "--params", params]);
    expect(edited).toMatchObject({ code: 0 });
    expect(edited.stdout).toContain("paid less");
    expect(effects(cwd)).toHaveLength(1);
    expect(effects(cwd)[0]).toContain("900");
    const bad = await cli(cwd, ["approvals", "edit", id, ...asSue, "--params", "{"]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("bad_json");
  });

  test("--no-resume leaves the run waiting for somebody who carries it on, and --json is one document", async () => {
    const { cwd, token, run } = await waiting(say.answer("it is paid"));
    const approved = await cli(cwd, ["approvals", "approve", token, ...asSue, "--no-resume", "--json"]);
    expect(documentIn(approved)).toMatchObject({ approvals: [{ state: "approved" }], runs: [] });
    expect(effects(cwd)).toEqual([]);
    expect((await cli(cwd, ["resume", run])).code).toBe(0);
    expect(effects(cwd)).toHaveLength(1);
    const other = await waiting(say.answer("it is paid"));
    const both = await cli(other.cwd, ["approvals", "approve", other.token, ...asSue, "--json"]);
    expect(documentIn(both)).toMatchObject({ approvals: [{ state: "approved" }], runs: [{ ending: "answered" }] });
  });

  test.each<[string, (of: { id: string; token: string }) => string[], number, string]>([
    ["a stranger", ({ token }) => ["approve", token, "--as", "user:eve"], 2, "unknown_approver"],
    ["a person without the role", ({ token }) => ["approve", token, "--as", "user:tom"], 3, "approver_lacks_role"],
    ["nobody", ({ token }) => ["approve", token], 2, "--as"],
    ["a refusal without a reason", ({ id }) => ["reject", id, ...asSue], 2, "no_reason"],
    ["what was never staged", ({ id }) => ["show", `${id}7`], 2, "unknown_approval"],
    ["no id at all", () => ["show", "x"], 2, "unknown_approval"],
    ["a state that there is not", () => ["list", "--state", "open"], 2, "--state takes"],
  ])("%s is refused by name", async (_, argv, code, is) => {
    const { cwd, ...of } = await waiting();
    const said = await cli(cwd, ["approvals", ...argv(of)]);
    expect(said.code).toBe(code);
    expect(said.stderr).toContain(is);
    expect(effects(cwd)).toEqual([]);
  });

  test("[rails-approval-once] what a killed process left waiting is approved by another, and commits once", async () => {
    const cwd = desk({
      replies: [say.pay("ada", 1_001), say.answer("it is paid")],
      perRunMinor: 2_000,
      config: { approvers: APPROVERS },
    });
    expect((await bin(cwd, RUN)).code).toBe(4);
    const [entry] = documentIn(await cli(cwd, ["approvals", "list", "--json"])) as unknown as {
      id: string;
      digest: string;
    }[];
    const token = `${entry?.id}@${entry?.digest}`;
    const approvals = [1, 2, 3].map(() => bin(cwd, ["approvals", "approve", token, ...asSue]));
    const codes = (await Promise.all(approvals)).map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(effects(cwd)).toHaveLength(1);
  });
});

describe("signalbox outcomes", () => {
  test("an effect of which nobody knows is listed, settled by a person, and the run goes on", async () => {
    const cwd = desk({
      replies: [say.pay("ada", 13), say.answer("so it was")],
      perRunMinor: 2_000,
      config: { approvers: APPROVERS },
    });
    expect((await cli(cwd, RUN)).code).toBe(1);
    const listed = await cli(cwd, ["outcomes", "list"]);
    expect(listed.stdout).toMatch(/unknown · \S+-1 · since /);
    const [open] = documentIn(await cli(cwd, ["outcomes", "list", "--json"])) as unknown as {
      id: string;
      run: string;
    }[];
    const resolve = (...more: string[]): Promise<Said> => cli(cwd, ["outcomes", "resolve", String(open?.id), ...more]);
    expect(await resolve(...asSue, "--outcome", "maybe", "--why", "x")).toMatchObject({ code: 2 });
    expect(await resolve(...asSue, "--outcome", "done")).toMatchObject({ code: 2 });
    const settled = await resolve(...asSue, "--outcome", "done", "--why", "in the statement", "--result", '{"n": 1}');
    expect(settled).toMatchObject({ code: 0 });
    expect((await cli(cwd, ["outcomes", "list"])).stdout).toBe("every effect that was begun has its outcome\n");
    expect((await resolve(...asSue, "--outcome", "failed", "--why", "x")).stderr).toContain("already_settled");
    expect(await cli(cwd, ["resume", String(open?.run)])).toMatchObject({ code: 0 });
  });
});

describe("signalbox decide and settle", () => {
  const call = {
    run: "theirs",
    step: 1,
    tool: "pay",
    params: { account: "ada", amountMinor: 5 },
    evidence: ["inv_ada"],
  };
  const write = (cwd: string, value: unknown): string => {
    writeFileSync(join(cwd, "proposal.json"), typeof value === "string" ? value : JSON.stringify(value));
    return "proposal.json";
  };

  test("exit codes and documents: allow 0, deny 3, stage 4; what is allowed is settled", async () => {
    const cwd = desk({ perRunMinor: 2_000, config: { approvers: APPROVERS } });
    const decide = (more: object) => cli(cwd, ["decide", write(cwd, { ...call, ...more }), "--json"]);
    const allowed = await decide({});
    expect(allowed.code).toBe(0);
    expect(documentIn(allowed)).toMatchObject({ outcome: "allow", idempotencyKey: "theirs-1" });
    const denied = await decide({ step: 2, params: { account: "ada", amountMinor: 7 } });
    expect(denied.code).toBe(3);
    expect(documentIn(denied)).toMatchObject({ outcome: "deny", code: "unlucky" });
    const staged = await decide({ step: 3, params: { account: "ada", amountMinor: 1_001 } });
    expect(staged.code).toBe(4);
    expect(documentIn(staged)).toMatchObject({ outcome: "stage", approval: "theirs-3" });
    const settled = await cli(cwd, ["settle", "theirs", "1", "--outcome", "done", "--result", '{"receipt": 1}']);
    expect(settled).toMatchObject({ code: 0, stderr: "" });
    expect(documentIn(await decide({}))).toMatchObject({ code: "already_done", receipt: { result: { receipt: 1 } } });
    // The desk's own tool was called by nobody: the loop that asked does that.
    expect(effects(cwd)).toEqual([]);
    expect(await cli(cwd, ["ledger", "verify"])).toMatchObject({ code: 0 });
  });

  test("approved, the same step is allowed; the run is carried on by nobody but its own loop", async () => {
    const cwd = desk({ perRunMinor: 2_000, config: { approvers: APPROVERS } });
    const file = write(cwd, { ...call, params: { account: "ada", amountMinor: 1_001 } });
    expect((await cli(cwd, ["decide", file])).code).toBe(4);
    const [entry] = documentIn(await cli(cwd, ["approvals", "list", "--json"])) as unknown as {
      id: string;
      digest: string;
    }[];
    const approved = await cli(cwd, ["approvals", "approve", `${entry?.id}@${entry?.digest}`, ...asSue]);
    expect(approved.code).toBe(0);
    expect((await cli(cwd, ["decide", file])).code).toBe(0);
    expect((await cli(cwd, ["decide", file])).code).toBe(3);
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "{", "bad_json"],
    ["the same key twice", '{"run": "a", "run": "b"}', "duplicate_key"],
    ["a prototype", '{"__proto__": {}}', "forbidden_key"],
    ["no object", "[]", "the proposal lacks run, step, tool, params"],
    ["a misspelt key", { ...call, evidenze: [] }, "unknown key"],
    ["no step", { ...call, step: "1" }, "bad_step"],
  ])("a document that is no proposal is refused by name: %s", async (_, value, is) => {
    const cwd = desk({});
    const said = await cli(cwd, ["decide", write(cwd, value)]);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain(is);
  });

  test("a file that is not there, and one that is too large", async () => {
    const cwd = desk({});
    expect((await cli(cwd, ["decide", "none.json"])).stderr).toContain("unreadable");
    expect((await cli(cwd, ["decide", write(cwd, " ".repeat(1_048_577))])).stderr).toContain("too_large");
  });
});
