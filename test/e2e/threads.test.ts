import type { Model, RunEvent } from "signalbox";
import { countedIds, misbehavingServer, scriptedModel, simulatedClock } from "signalbox/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { bin, cli, desk, documentIn, effects, openDesk, say } from "./stage.ts";

type Kind<K extends RunEvent["kind"]> = Extract<RunEvent, { kind: K }>;

function only<K extends RunEvent["kind"]>(events: readonly RunEvent[], kind: K): readonly Kind<K>[] {
  return events.filter((event): event is Kind<K> => event.kind === kind);
}

/** What the model was shown in its n-th call. */
function promptOf(
  model: { readonly requests: readonly { readonly messages: readonly { content: string }[] }[] },
  n: number,
) {
  return model.requests[n]?.messages.map((message) => message.content).join("\n") ?? "";
}

describe("messages of a thread", () => {
  test("[thread-messages] the second and third prompt carry what was said and done before; another thread's does not", async () => {
    const model = scriptedModel({
      replies: [
        say.pay("ada", 5),
        say.answer("Ada has her five francs."),
        say.answer("Bob has nothing yet."),
        say.answer("As I said."),
        say.answer("Hello."),
      ],
    });
    const box = await openDesk(desk({}), { model });
    const thread = box.thread({ id: "t" });
    await thread.run("Pay Ada what she is owed");
    await thread.run("And Bob?");
    await thread.run("Are you sure?");
    await box.run("Hello");

    const second = promptOf(model, 2);
    const earlier =
      "EARLIER IN THIS THREAD\n> operator: Pay Ada what she is owed\n> did: paid ada (receipt 1)\n> you: Ada has her five francs.";
    expect(second).toContain(earlier);
    expect(second.indexOf(earlier)).toBeLessThan(second.indexOf("REQUEST\n> And Bob?"));
    const third = promptOf(model, 3);
    expect(third).toContain(`${earlier}\n> operator: And Bob?\n> you: Bob has nothing yet.`);
    expect(third).toContain("REQUEST\n> Are you sure?");
    expect(promptOf(model, 4)).toBe("REQUEST\n> Hello");
  });

  test("[thread-messages] [rails-once-settles] the same payment in the next run returns the first receipt; in another thread it is a payment", async () => {
    const cwd = desk({});
    const replies = [say.pay("ada", 5), say.answer(), say.pay("ada", 5), say.answer(), say.pay("ada", 5), say.answer()];
    const box = await openDesk(cwd, { model: scriptedModel({ replies }) });
    const first = await box.run("Pay Ada", { id: "t" });
    const second = await box.run("Pay Ada again", { id: "t" });
    expect(effects(cwd)).toEqual(["pay ada 5"]);
    const events = await box.events(second.run);
    expect(only(events, "settled_before")).toMatchObject([
      { tool: "pay", result: { receipt: 1 }, receipt: { run: first.run, step: 1 } },
    ]);
    expect([...only(events, "decided"), ...only(events, "started")]).toEqual([]);
    const elsewhere = await box.run("Pay Ada", { id: "u" });
    expect(effects(cwd)).toEqual(["pay ada 5", "pay ada 5"]);
    expect(only(await box.events(elsewhere.run), "settled_before")).toEqual([]);
  });

  test("[thread-messages] each run has budgets and caps per run of its own, and the day's cap goes on", async () => {
    const cwd = desk({});
    const pays = [say.pay("ada", 800), say.pay("ada", 101), say.answer()];
    const more = [say.pay("ada", 801), say.pay("ada", 99), say.answer()];
    const most = [say.pay("ada", 302), say.pay("ada", 300), say.answer()];
    const model = scriptedModel({ replies: [...pays, ...more, ...most] });
    const box = await openDesk(cwd, { model, budgets: { turns: 3 } });
    const thread = box.thread({ id: "t" });
    const denials: string[][] = [];
    for (const request of ["one", "two", "three"]) {
      const outcome = await thread.run(request);
      expect(outcome).toMatchObject({ ending: "answered", turns: 3 });
      const decided = only(await box.events(outcome.run), "decided");
      denials.push(decided.flatMap((one) => (one.denial === null ? [] : [one.denial.detail.split(":")[0] ?? ""])));
    }
    // 800 of 900, and 101 is one too many; 801 + 99 reach it; of the day's 2,000 then 300 are left.
    expect(denials).toEqual([["paid_per_run"], [], ["paid_per_day"]]);
    expect(effects(cwd)).toEqual(["pay ada 800", "pay ada 801", "pay ada 99", "pay ada 300"]);
  });

  test("[thread-messages] over the command line, in processes of their own: the second asks the model with the first's exchange", async () => {
    const replies = [
      say.pay("bob", 6),
      say.answer("Bob is paid."),
      say.pay("bob", 6),
      say.answer("He was paid before."),
    ];
    const server = await misbehavingServer({ replies: replies.map((reply) => JSON.stringify(reply)) });
    onTestFinished(() => server.close());
    const cwd = desk({ model: { baseUrl: server.baseUrl, name: "m" } });

    const first = await bin(cwd, ["run", "Pay Bob", "--as", "agent:desk", "--json"]);
    const { thread, run } = documentIn(first) as { thread: string; run: string };
    const second = await bin(cwd, ["run", "Once more", "--as", "agent:desk", "--thread", thread]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(effects(cwd)).toEqual(["pay bob 6"]);
    expect(JSON.parse(server.requests[2]?.text ?? "{}").messages.at(-1).content).toContain(
      "> operator: Pay Bob\n> did: paid bob (receipt 1)\n> you: Bob is paid.",
    );
    expect(second.stdout).toContain(`receipt of run ${run}, step 1`);
    expect(second.stdout).not.toContain(`thread ${thread}`);
    const listed = documentIn(await cli(cwd, ["runs", "--thread", thread, "--json"])) as { request: string }[];
    expect(listed.map((one) => one.request)).toEqual(["Once more", "Pay Bob"]);
    expect((await cli(cwd, ["ledger", "verify"])).code).toBe(0);
  });
});

describe("the prompt version", () => {
  const replies = [
    say.look("a"),
    "prose",
    say.pay("ada", 7),
    say.plan(["pay", { account: "ada", amountMinor: 5 }, "inv_ada"]),
    say.answer(),
  ];

  async function versionsOf(setting: Parameters<typeof desk>[0], as = "operator"): Promise<readonly string[]> {
    const model: Model = { ...scriptedModel({ replies }), name: "scripted-8b" };
    const box = await openDesk(desk(setting), { model, ids: countedIds(), clock: simulatedClock(0) });
    const { run } = await box.run("please", { as });
    const events = await box.events(run);
    const proposals = [...only(events, "replied"), ...only(events, "decided")];
    expect(proposals).toHaveLength(8);
    for (const proposal of proposals) expect(proposal.model).toBe("scripted-8b");
    return [...new Set([...only(events, "began"), ...proposals].map((event) => event.promptVersion))];
  }

  test("[oracle-prompt-version] every reply and every decision carries it, and the model; it is one digest for a run", async () => {
    const versions = await versionsOf({});
    expect(versions).toHaveLength(1);
    expect(versions[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await versionsOf({})).toEqual(versions);
  });

  test("[oracle-prompt-version] another description of a tool, or other tools, are another version; another policy is not", async () => {
    const [plain] = await versionsOf({});
    const [described] = await versionsOf({ description: "Look something up, carefully." });
    const [scoped] = await versionsOf({}, "agent:desk");
    const [stricter] = await versionsOf({ ceilingMinor: 3 });
    expect(new Set([plain, described, scoped]).size).toBe(3);
    expect(stricter).toBe(plain);
  });
});
