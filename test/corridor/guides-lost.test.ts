/** A run that was told rules goes on only while a run that begins now would be told these very bytes. */
import { describe, expect, test } from "vitest";
import { planText, type RoutedRule, type Served, type ServedRule } from "../../src/domain/served.ts";
import { type Store, stage } from "../../src/index.ts";
import type { Parts, Wiring } from "../../src/runtime/parts.ts";
import type { Signalbox } from "../../src/runtime/signalbox.ts";
import { faultyStore, simulatedClock } from "../../src/testing/index.ts";
import {
  codeOf,
  DAY,
  Folder,
  type GuideBox,
  NOON,
  named,
  openGuideBox,
  publishRule,
  reopened,
  ruleFile,
  servedText,
} from "../guides/box.ts";
import { liveModel, payTool, plainTool } from "./box.ts";

const WORD = { as: "user:tom", why: "harmful" };
const reply = (value: object): string => JSON.stringify(value);

/** A run that was told `a` and `lock` (channel B) and has used up its turn, on a store that the test's world changes under. */
async function told(header: { readonly [key: string]: unknown } = {}) {
  const folder = new Folder()
    .put("a.md", ruleFile({ id: "a", ...header }, "OLDRULE."))
    .put("lock.md", ruleFile({ id: "lock", when: { event: "screen", screen: "lock" } }, "LOCKRULE."));
  const model = liveModel((_, n) =>
    n === 1 ? reply({ kind: "action", tool: "look", params: {} }) : reply({ kind: "conversation", text: "done" }),
  );
  const opened = openGuideBox(folder, { tools: [plainTool("look", () => 1)], model });
  const ids = { a: await publishRule(opened.box, "a"), lock: await publishRule(opened.box, "lock") };
  const { run } = await opened.box.run("go", { budgets: { turns: 1 } });
  expect(JSON.stringify(model.requests[0])).toContain("OLDRULE");
  return { ...opened, ids, model, run };
}

type Told = Awaited<ReturnType<typeof told>>;
type Changed = (told: Told) => Promise<Signalbox | undefined> | Signalbox | undefined;

function without({ box }: GuideBox, changed: (guides: NonNullable<Parts["guides"]>) => Partial<Wiring>): Signalbox {
  const { guides } = box.parts;
  if (guides === null) throw new Error("guides are configured");
  return reopened(box, changed(guides));
}

describe("[guide-exact] what no new run is told, no older one is told again", () => {
  const cases: readonly (readonly [string, string, Changed])[] = [
    [
      "revoked",
      "approval_revoked: a: ",
      async ({ box, ids }) => {
        await box.guides.revoke(ids.a, WORD);
        return undefined;
      },
    ],
    [
      "withdrawn",
      "withdrawn: a: ",
      async ({ box }) => {
        await box.guides.withdraw("a", WORD);
        return undefined;
      },
    ],
    [
      "withdrawn after another revision had taken its place",
      "withdrawn: a: ",
      async ({ box, folder }) => {
        folder.put("a.md", ruleFile({ id: "a" }, "NEWRULE."));
        await publishRule(box, "a");
        await box.guides.withdraw("a", WORD);
        return undefined;
      },
    ],
    [
      "a rule of channel B that never came, withdrawn",
      "withdrawn: lock: ",
      async ({ box }) => {
        await box.guides.withdraw("lock", WORD);
        return undefined;
      },
    ],
    [
      "expired",
      "expired: a: it expired on 2026-12-05",
      ({ clock }) => {
        clock.advance(30 * DAY);
        return undefined;
      },
    ],
    [
      "an approver who lost the role",
      "approver_lost_role: a: ",
      (opened) => without(opened, () => ({ approvers: new Map() })),
    ],
    [
      "signatures that are required since",
      "signature_missing: a: ",
      (opened) => without(opened, (guides) => ({ guides: { ...guides, signaturesRequired: true } })),
    ],
    [
      "a profile that has changed",
      "stale_profile: a: ",
      (opened) =>
        without(opened, (guides) => {
          const profile = guides.profiles.get("default");
          if (profile === undefined) throw new Error("there is a default");
          return { guides: { ...guides, profiles: new Map([["default", { ...profile, budgetBytes: 1_000 }]]) } };
        }),
    ],
    [
      "a profile that is gone",
      "unknown_profile: ",
      (opened) => without(opened, (guides) => ({ guides: { ...guides, profiles: new Map() } })),
    ],
    [
      "a secret that was declared since",
      "secret_in_guide: a: ",
      ({ box }) => reopened(box, { redaction: { values: ["OLDRULE"], fields: [] } }),
    ],
    [
      "bytes that are gone",
      "revision_damaged: a@",
      ({ box, store }) => reopened(box, { store: { ...faultyStore(store), readRevision: async () => null } }),
    ],
  ];

  test.each(cases)("%s", async (_, detail, change) => {
    const opened = await told({ expires: "2026-12-05" });
    const box = (await change(opened)) ?? opened.box;
    const again = await box.continue(opened.run);
    expect(again.ending).toBe("guide_refused");
    expect(again.detail.startsWith(detail), again.detail).toBe(true);
    expect(opened.model.requests).toHaveLength(1);
  });

  test("a newer revision takes nothing, nor does a publication of the same bytes on another approval", async () => {
    const opened = await told();
    const { box, folder, ids, model, run } = opened;
    folder.put("a.md", ruleFile({ id: "a" }, "NEWRULE."));
    await publishRule(box, "a");
    expect(await servedText(box)).toBe("NEWRULE.");
    expect((await box.continue(run)).ending).toBe("answered");
    expect(JSON.stringify(model.requests[1])).toContain("OLDRULE");
    // The approval that these bytes were published on was taken back, and they were published anew on another.
    const other = await told();
    await other.box.guides.revoke(ids.a, WORD);
    await other.box.guides.withdraw("a", WORD);
    await publishRule(other.box, "a", "user:tom");
    expect((await other.box.continue(other.run)).ending).toBe("answered");
  });

  test("an older run whose approval was taken back does not go on for the new revision's sake", async () => {
    const { box, folder, ids, run } = await told();
    folder.put("a.md", ruleFile({ id: "a" }, "NEWRULE."));
    await publishRule(box, "a");
    await box.guides.revoke(ids.a, WORD);
    expect(await box.continue(run)).toMatchObject({
      ending: "guide_refused",
      detail: expect.stringMatching(/^approval_revoked: a: row \d+ took its approval back$/),
    });
    expect(await servedText(box)).toBe("NEWRULE.");
  });

  test("a resume asks too: what was approved to be done is not done by a run whose rules are gone", async () => {
    const folder = new Folder().put("a.md", ruleFile({ id: "a" }, "OLDRULE."));
    const paid: string[] = [];
    const pay = payTool(
      () => {
        paid.push("paid");
        return {};
      },
      { authorise: () => stage("supervisor") },
    );
    const model = liveModel(() =>
      reply({ kind: "action", tool: "pay", params: { id: "a", amountMinor: 5 }, evidence: ["e1"] }),
    );
    const { box } = openGuideBox(folder, { tools: [pay], model });
    await publishRule(box, "a");
    const first = await box.thread({ customer: "customer:ada" }).run("go");
    expect(first.ending).toBe("awaiting_approval");
    const [entry] = await box.approvals.list();
    await box.approvals.approve(entry?.id ?? "", { as: "user:tom", why: "ok" });
    await box.guides.withdraw("a", WORD);
    expect(await box.resume(first.run)).toMatchObject({ ending: "guide_refused", performed: 0 });
    expect(paid).toEqual([]);
  });
});

describe("[guide-exact] what would be withheld is not published", () => {
  test("an expired revision does not take the place of a safety rule that holds", async () => {
    const folder = new Folder().put("a.md", ruleFile({ id: "a", safety: true }, "Never pay twice."));
    const { box, clock, store } = openGuideBox(folder);
    await publishRule(box, "a");
    folder.put("a.md", ruleFile({ id: "a", safety: true, expires: "2026-12-01" }, "Never pay twice, ever."));
    const [verified] = await box.guides.verify();
    const id = `a@${verified?.revision}`;
    await box.guides.approve(id, { as: "user:sue", why: "x" });
    clock.advance(DAY);
    const rows = (await store.readGuides(0)).length;
    expect(await codeOf(box.guides.publish([id], WORD))).toBe("expired");
    expect((await store.readGuides(0)).length).toBe(rows);
    expect(await servedText(box)).toBe("Never pay twice.");
  });

  test("nor does one whose bytes are not those that were approved", async () => {
    const { box, store } = openGuideBox(new Folder().put("a.md", ruleFile({ id: "a" }, "A.")));
    const [verified] = await box.guides.verify();
    const id = `a@${verified?.revision}`;
    await box.guides.approve(id, { as: "user:sue", why: "x" });
    const rotten = reopened(box, { store: { ...faultyStore(store), readRevision: async () => new Uint8Array([7]) } });
    expect(await codeOf(rotten.guides.publish([id], WORD))).toBe("revision_damaged");
  });
});

const REQUEST = "refund it";
const HOUR = DAY / 24;

/** What a run with this request was told: an ordinary rule, a safety rule and one of channel B; one had no room, one had expired. */
async function receipt() {
  const folder = new Folder()
    .put("a.md", ruleFile({ id: "a", breach: { tool: "pay" }, escalate: "end" }, "Never pay twice."))
    .put("b.md", ruleFile({ id: "b", safety: true }, "Ask before paying."))
    .put("c.md", ruleFile({ id: "c", order: 1 }, "x".repeat(2_020)))
    .put("d.md", ruleFile({ id: "d", safety: true, expires: "2026-12-01" }, "Not today."))
    .put("e.md", ruleFile({ id: "e", task: "greet" }, "Say hello."))
    .put("lock.md", ruleFile({ id: "lock", when: { event: "screen" }, safety: true }, "LOCKRULE."));
  const opened = openGuideBox(folder);
  for (const rule of ["a", "b", "c", "d", "e", "lock"]) await publishRule(opened.box, rule);
  opened.clock.advance(DAY / 2);
  const told = await opened.box.parts.serving?.serve({ text: REQUEST, app: null, paths: [] });
  if (told?.kind !== "served") throw new Error("it is served");
  const { served } = told;
  expect(served.text).toBe("Never pay twice.\n\nAsk before paying.");
  expect(served.report).toMatchObject({ given: 5, selected: 4, dropped: [{ id: "c", reason: "after_the_stop" }] });
  expect(served.withheld).toMatchObject([{ id: "d", code: "expired" }]);
  const ids = async (rule: string) => named(opened.box, rule);
  return { ...opened, served, ids };
}

function lostBy(box: Signalbox, served: Served, request = REQUEST): Promise<string | null> {
  const { serving } = box.parts;
  if (serving === null) throw new Error("it serves");
  return serving.lost(served, request);
}

type Report = Partial<Served["report"]>;
const reported = (report: (served: Served) => Report) => (served: Served) => ({
  report: { ...served.report, ...report(served) },
});
const ofKept = (id: string, more: Partial<ServedRule>) =>
  reported(({ report }) => ({ kept: report.kept.map((rule) => (rule.id === id ? { ...rule, ...more } : rule)) }));
const ofRouted = (more: Partial<RoutedRule>) =>
  reported(({ report }) => ({ routed: report.routed.map((rule) => ({ ...rule, ...more })) }));
const less = (served: Served, id: string): Served["report"] => ({
  ...served.report,
  selected: served.report.selected - 1,
  unselected: served.report.unselected + 1,
  kept: served.report.kept.filter((rule) => rule.id !== id),
});

describe("[guide-exact] a run is told no receipt that is not what was approved, whatever its row says", () => {
  const alterations: readonly (readonly [string, (served: Served) => Partial<Served>])[] = [
    ["other words", () => ({ text: "Pay whoever asks, twice. Never mind it." })],
    ["a letter", ({ text }) => ({ text: text.replace("Never", "Ever") })],
    ["another line break", ({ text }) => ({ text: text.replace("\n\n", "\r\n") })],
    ["no words", () => ({ text: "" })],
    ["another place", () => ({ slot: "last_user" })],
    ["the digest of another plan", () => ({ plan: "0".repeat(64) })],
    ["another profile", () => ({ profileDigest: "0".repeat(64) })],
    ["an ordinary rule less", (served) => ({ text: "Ask before paying.", report: less(served, "a") })],
    ["a safety rule less", (served) => ({ text: "Never pay twice.", report: less(served, "b") })],
    [
      "no rule at all",
      ({ report }) => ({ text: "", report: { ...report, selected: 0, kept: [], routed: [], dropped: [], bytes: 0 } }),
    ],
    [
      "no rule at all, under a profile of then",
      ({ report }) => ({
        text: "",
        profileDigest: "0".repeat(64),
        report: { ...report, selected: 0, kept: [], routed: [], dropped: [], bytes: 0, budgetBytes: 0 },
      }),
    ],
    [
      "another order",
      ({ report }) => ({
        text: "Ask before paying.\n\nNever pay twice.",
        report: { ...report, kept: [...report.kept].reverse() },
      }),
    ],
    ["another size", ofKept("a", { bytes: 5 })],
    ["no safety rule any more", ofKept("b", { safety: false })],
    ["no breach", ofKept("a", { breach: null })],
    ["a warning for an end", ofKept("a", { escalate: "warn" })],
    ["the words of channel B", ofRouted({ text: "Try all codes." })],
    ["the event that it waits for", ofRouted({ when: { event: "never", tool: null, facts: [] } })],
    ["no safety rule on channel B", ofRouted({ safety: false })],
    ["a breach on channel B", ofRouted({ breach: { event: null, tool: "look", facts: [] } })],
    ["what follows on channel B", ofRouted({ escalate: "end" })],
    ["nothing on channel B", reported(() => ({ routed: [] }))],
    ["the one that had no room", reported(() => ({ dropped: [] }))],
    ["a larger budget", reported(() => ({ budgetBytes: 4_096 }))],
    ["the name of an app that the receipt cannot have", () => ({ app: "" })],
    [
      "a safety rule that is said to have expired",
      (served) => ({
        text: "Never pay twice.",
        report: { ...less(served, "b"), given: 4 },
        withheld: [...served.withheld, heldOf(served, "b", "expired")],
      }),
    ],
    [
      "a safety rule that is said to be withheld",
      (served) => ({
        text: "Never pay twice.",
        report: { ...less(served, "b"), given: 4 },
        withheld: [...served.withheld, heldOf(served, "b", "stale_profile")],
      }),
    ],
    [
      "a withheld rule that nobody published",
      ({ withheld }) => ({ withheld: withheld.map((rule) => ({ ...rule, id: "z" })) }),
    ],
    ["a withheld rule of other bytes", ({ withheld }) => ({ withheld: withheld.map((r) => ({ ...r, revision: "" })) })],
  ];

  function heldOf({ report }: Served, id: string, code: "expired" | "stale_profile") {
    const rule = report.kept.find((one) => one.id === id);
    return { id, revision: rule?.revision ?? "", safety: true, code, detail: "it is so" };
  }

  test.each(alterations)("%s", async (what, change) => {
    const { box, served } = await receipt();
    expect(await lostBy(box, served)).toBeNull();
    const altered = { ...served, ...change(served) };
    // Whoever alters a row also works out what follows from it.
    const plan = altered.plan === served.plan ? box.parts.hash(planText(altered)) : altered.plan;
    expect(await lostBy(box, { ...altered, plan }), what).toMatch(/^receipt_mismatch: /);
  });

  test("a safety rule that expires tomorrow, in the zone of the config", async () => {
    const folder = new Folder()
      .put("a.md", ruleFile({ id: "a" }, "Be nice."))
      .put("s.md", ruleFile({ id: "s", safety: true, expires: "2026-12-01" }, "Never pay twice."));
    for (const [zone, hours] of [
      ["UTC", 36],
      ["Pacific/Honolulu", 46],
      ["Pacific/Kiritimati", 22],
    ] as const) {
      const opened = openGuideBox(folder, { zone, clock: simulatedClock(NOON - DAY) });
      for (const rule of ["a", "s"]) await publishRule(opened.box, rule);
      const serve = async () => {
        const told = await opened.box.parts.serving?.serve({ text: REQUEST, app: null, paths: [] });
        if (told?.kind !== "served") throw new Error("it is served");
        return told.served;
      };
      opened.clock.advance(hours * HOUR - 1);
      const served = await serve();
      expect(served.text, zone).toBe("Be nice.\n\nNever pay twice.");
      const report = { ...less(served, "s"), given: 1, unselected: 0, bytes: 8 };
      const held = heldOf(served, "s", "expired");
      const forged = { ...served, text: "Be nice.", report, withheld: [held] };
      const plan = opened.box.parts.hash(planText(forged));
      expect(await lostBy(opened.box, { ...forged, plan }), zone).toMatch(/^receipt_mismatch: .*withheld/);
      // The next moment it has expired, and a run that begins then goes on from then on.
      opened.clock.advance(1);
      const then = await serve();
      expect(then.withheld, zone).toMatchObject([{ id: "s", code: "expired" }]);
      for (const days of [0, 1, 100]) {
        opened.clock.advance(days * DAY);
        expect(await lostBy(reopened(opened.box, {}), then), zone).toBeNull();
      }
    }
  });

  test("another request, of which other rules are", async () => {
    const { box, served } = await receipt();
    expect(await lostBy(box, served, "greet her")).toMatch(/^receipt_mismatch: /);
  });

  test("a row of the guides that there is not", async () => {
    const { box, served } = await receipt();
    const { chain } = served;
    if (chain === null) throw new Error("it names its row");
    const others = [
      null,
      undefined,
      { ...chain, hash: "0".repeat(64) },
      { ...chain, seq: chain.seq + 1 },
      { ...chain, seq: 0 },
    ];
    for (const other of others) {
      expect(await lostBy(box, { ...served, chain: other as Served["chain"] })).toMatch(/^chain_broken: /);
    }
    // An older one is one that other rules were published at.
    const row = (await box.parts.store.readGuides(0)).find(({ seq }) => seq === chain.seq - 1);
    expect(await lostBy(box, { ...served, chain: { seq: row?.seq ?? 0, hash: row?.hash ?? "" } })).toMatch(
      /^receipt_mismatch: /,
    );
  });
});

describe("[guide-exact] what happens since a run was told its rules takes nothing from it that they do not lose", () => {
  const since: readonly (readonly [string, (of: Awaited<ReturnType<typeof receipt>>) => Promise<unknown>])[] = [
    ["nothing", async () => {}],
    [
      "another safety rule",
      async ({ box, folder }) => {
        folder.put("n.md", ruleFile({ id: "n", safety: true }, "New."));
        await publishRule(box, "n");
      },
    ],
    [
      "other bytes of each rule",
      async ({ box, folder }) => {
        folder.put("b.md", ruleFile({ id: "b", safety: true, task: "greet" }, "Ask."));
        folder.put("c.md", ruleFile({ id: "c" }, "Short."));
        folder.put("e.md", ruleFile({ id: "e", safety: true }, "Say hello to everybody."));
        for (const rule of ["b", "c", "e"]) await publishRule(box, rule);
      },
    ],
    [
      "those that it was not told are withdrawn, revoked, published again",
      async ({ box, ids }) => {
        await box.guides.withdraw("c", WORD);
        await box.guides.withdraw("d", WORD);
        await box.guides.revoke(await ids("e"), WORD);
        await publishRule(box, "c", "user:tom");
      },
    ],
    ["a pin", async ({ box }) => box.guides.pin("p", { task: REQUEST }, { as: "user:sue" })],
    ["days", async ({ clock }) => clock.advance(100 * DAY)],
  ];

  test.each(since)("%s", async (_, happens) => {
    const opened = await receipt();
    await happens(opened);
    expect(await lostBy(opened.box, opened.served)).toBeNull();
    expect(await lostBy(reopened(opened.box, {}), opened.served)).toBeNull();
  });

  test("another origin of the profile's figures", async () => {
    const { box, served } = await receipt();
    const measured = (guides: NonNullable<Parts["guides"]>, more: object) => {
      const profile = guides.profiles.get("default");
      if (profile === undefined) throw new Error("there is a default");
      return { guides: { ...guides, profiles: new Map([["default", { ...profile, ...more }]]) } };
    };
    const again = without({ box } as GuideBox, (guides) =>
      measured(guides, { measured: "of today", bytesPerToken: 3 }),
    );
    expect(await lostBy(again, served)).toBeNull();
    // By which the window may hold less than it was told: then no new run would be told it either.
    const less = without({ box } as GuideBox, (guides) => measured(guides, { bytesPerToken: 0.001 }));
    expect(await lostBy(less, served)).toMatch(/^channel_b_exceeds_window: /);
    expect(await servedText(less, REQUEST)).toBe("channel_b_exceeds_window");
  });

  test("a rule that it was not told and that is another by now is still needed, and its bytes can be put back", async () => {
    const { box, folder, served, ids, store } = await receipt();
    const [, gone] = (await ids("e")).split("@");
    const old = folder.files.get("e.md") ?? "";
    folder.put("e.md", ruleFile({ id: "e", task: "greet" }, "Say hello, louder."));
    await publishRule(box, "e");
    let isGone = true;
    const writing: Partial<Store> = {
      readRevision: async (revision) => (isGone && revision === gone ? null : store.readRevision(revision)),
      appendGuides: async (rows, revisions) => {
        if (revisions.some(({ digest }) => digest === gone)) isGone = false;
        return store.appendGuides(rows, revisions);
      },
    };
    const damaged = reopened(box, { store: { ...faultyStore(store), ...writing } });
    expect(await lostBy(damaged, served)).toMatch(/^revision_damaged: e@.* this run began.* \(e\)$/);
    expect(await damaged.guides.verify(["e"])).toMatchObject([{ passed: true, restored: false }]);
    expect(await lostBy(damaged, served)).toMatch(/^revision_damaged: e@/);
    folder.put("e.md", old);
    expect(await damaged.guides.verify(["e"])).toMatchObject([{ passed: true, restored: true }]);
    expect(await lostBy(damaged, served)).toBeNull();
  });

  test("a run that was told nothing is asked for nothing: its profile may change", async () => {
    const folder = new Folder().put("e.md", ruleFile({ id: "e", task: "greet", safety: true }, "Say hello."));
    const opened = openGuideBox(folder);
    await publishRule(opened.box, "e");
    const told = await opened.box.parts.serving?.serve({ text: REQUEST, app: null, paths: [] });
    if (told?.kind !== "served") throw new Error("it is served");
    const changed = without(opened, (guides) => {
      const profile = guides.profiles.get("default");
      if (profile === undefined) throw new Error("there is a default");
      const other = { ...profile, budgetBytes: 7, slot: "last_user" as const };
      return { guides: { ...guides, profiles: new Map([["default", other]]) } };
    });
    expect(await lostBy(changed, told.served)).toBeNull();
    expect(await lostBy(changed, told.served, "greet her")).toMatch(/^receipt_mismatch: /);
  });

  test("rules that were assumed, of a task about more files than are looked at", async () => {
    const folder = new Folder().put("p.md", ruleFile({ id: "p", paths: ["**/*.rs"] }, "Rust."));
    const opened = openGuideBox(folder);
    await publishRule(opened.box, "p");
    const paths = Array.from({ length: 1_100 }, (_, i) => `src/${i}.ts`);
    const told = await opened.box.parts.serving?.serve({ text: `${REQUEST} in web/a.ts`, app: "x", paths });
    if (told?.kind !== "served") throw new Error("it is served");
    expect(told.served.report.assumed).toEqual(["p"]);
    expect(await lostBy(opened.box, told.served, `${REQUEST} in web/a.ts`)).toBeNull();
  });
});
