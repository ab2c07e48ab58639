/** A run that was told rules goes on only while a run that begins now would be told these very bytes. */
import { describe, expect, test } from "vitest";
import { stage } from "../../src/index.ts";
import type { Parts, Wiring } from "../../src/runtime/parts.ts";
import type { Signalbox } from "../../src/runtime/signalbox.ts";
import { faultyStore } from "../../src/testing/index.ts";
import {
  codeOf,
  DAY,
  Folder,
  type GuideBox,
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
