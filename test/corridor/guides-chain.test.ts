import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { RULE_SEPARATOR } from "../../src/domain/served.ts";
import {
  codeOf,
  Folder,
  NOON,
  named,
  openGuideBox,
  publishRule,
  reopened,
  ruleFile,
  servedText,
} from "../guides/box.ts";
import { plainTool } from "./box.ts";

const sha = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const TONE = ruleFile({ id: "tone" }, "Be polite.");

describe("[guide-exact] from a file to what is served", () => {
  test("verify, approve, publish, serve: exactly the body of the file that was approved", async () => {
    const { box } = openGuideBox(new Folder().put("tone.md", TONE));
    const states: (string | undefined)[] = [];
    const look = async () => states.push((await box.guides.status())[0]?.state);
    await look();
    const [verified] = await box.guides.verify();
    expect(verified).toMatchObject({ rule: "tone", revision: sha(TONE), file: "tone.md", passed: true, findings: [] });
    await look();
    const id = `tone@${sha(TONE).slice(0, 32)}`;
    const approved = await box.guides.approve(id, { as: "user:sue", why: "read it twice" });
    expect(approved).toEqual({
      rule: "tone",
      revision: sha(TONE),
      by: "user:sue",
      verification: verified?.cited,
      cited: { seq: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      signature: null,
    });
    await look();
    expect(await servedText(box)).toBe("");
    expect(await box.guides.publish(["tone"], { as: "user:tom" })).toEqual([
      { rule: "tone", revision: sha(TONE), before: null, cited: { seq: 3, hash: expect.any(String) } },
    ]);
    await look();
    const outcome = await box.guides.serve({ task: "say hello" });
    expect(outcome).toMatchObject({
      kind: "plan",
      served: { text: "Be polite.", slot: "system_end", app: null, paths: [], withheld: [] },
      report: { given: 1, selected: 1, kept: [{ id: "tone", revision: sha(TONE), bytes: 10 }] },
      unselected: [],
    });
    await box.guides.withdraw("tone", { as: "user:sue", why: "enough of it" });
    await look();
    expect(await servedText(box)).toBe("");
    expect(states).toEqual(["draft", "verified", "approved", "published", "withdrawn"]);
    expect(await box.verifyLedger()).toMatchObject({ ok: true, guides: 4 });
  });

  test("several rules in authored order, and what was not selected with the matcher that did not fire", async () => {
    const folder = new Folder()
      .put("b.md", ruleFile({ id: "b" }, "second"))
      .put("a.md", ruleFile({ id: "a" }, "first"))
      .put("app.md", ruleFile({ id: "app", app: "phone" }, "only there"))
      .put("task.md", ruleFile({ id: "task", task: "refund" }, "of refunds"));
    const { box } = openGuideBox(folder);
    for (const rule of ["b", "a", "app", "task"]) await publishRule(box, rule);
    expect(await servedText(box)).toBe(`first${RULE_SEPARATOR}second`);
    const outcome = await box.guides.serve({ task: "refund ada", app: "phone" });
    expect(outcome).toMatchObject({ kind: "plan", report: { given: 4, selected: 4 } });
    const without = await box.guides.serve({ task: "hello" });
    expect(without).toMatchObject({
      unselected: [
        { id: "app", because: "app" },
        { id: "task", because: "task" },
      ],
    });
  });

  test("another box over the same store serves the same, and has never seen a file", async () => {
    const { box, store } = openGuideBox(new Folder().put("tone.md", TONE));
    await publishRule(box, "tone");
    const other = openGuideBox(new Folder(), { store });
    expect(await servedText(other.box)).toBe("Be polite.");
    expect(await other.box.guides.status()).toEqual([
      {
        rule: "tone",
        file: null,
        revision: null,
        state: "published",
        published: sha(TONE),
        toPublish: false,
        withheld: null,
        safety: false,
        bytes: 10,
        unreadable: null,
      },
    ]);
    // What the one box says, the other hears.
    await box.guides.revoke(await named(box, "tone"), { as: "user:sue", why: "wrong" });
    expect(await servedText(other.box)).toBe("");
    expect(await other.box.guides.serve({ task: "x" })).toMatchObject({
      served: { withheld: [{ id: "tone", code: "approval_revoked" }] },
    });
  });

  test("a difference shows the file and what is published", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box } = openGuideBox(folder);
    expect(await box.guides.diff("tone")).toEqual({ file: TONE, published: null });
    await publishRule(box, "tone");
    folder.put("tone.md", `${TONE}More.\n`);
    expect(await box.guides.diff("tone")).toEqual({ file: `${TONE}More.\n`, published: TONE });
    folder.files.clear();
    expect(await box.guides.diff("tone")).toEqual({ file: null, published: TONE });
    expect(await codeOf(box.guides.diff("other"))).toBe("unknown_rule");
  });

  test("without guides in the config every verb says so", async () => {
    const { box } = openGuideBox();
    const bare = reopened(box, { guides: null });
    expect(await codeOf(bare.guides.serve({ task: "x" }))).toBe("no_guides");
    expect(await codeOf(bare.guides.verify())).toBe("no_guides");
    expect(await codeOf(bare.guides.approve("x@12345678", { as: "user:sue", why: "x" }))).toBe("no_guides");
  });
});

describe("[guide-exact] who may say what", () => {
  const open = async () => {
    const opened = openGuideBox(new Folder().put("tone.md", TONE));
    await opened.box.guides.verify();
    return { ...opened, id: `tone@${sha(TONE)}` };
  };
  const word = { as: "user:sue", why: "read it" };

  test.each([
    ["user:bob", "approver_lacks_role"],
    ["user:eve", "unknown_approver"],
    ["", "unknown_approver"],
    ["constructor", "unknown_approver"],
  ])("%s approves, revokes, publishes and withdraws nothing", async (as, code) => {
    const { box, id } = await open();
    expect(await codeOf(box.guides.approve(id, { as, why: "x" }))).toBe(code);
    expect(await codeOf(box.guides.statement(id, { as, why: "x" }))).toBe(code);
    await box.guides.approve(id, word);
    expect(await codeOf(box.guides.revoke(id, { as, why: "x" }))).toBe(code);
    expect(await codeOf(box.guides.publish([id], { as }))).toBe(code);
    await box.guides.publish([id], word);
    expect(await codeOf(box.guides.withdraw("tone", { as, why: "x" }))).toBe(code);
    expect(await servedText(box)).toBe("Be polite.");
  });

  test.each([undefined, null, "", "  \u200b ", 7, "x".repeat(1_001), "\ud800"])(
    "a reason that is none: %j",
    async (why) => {
      const { box, id } = await open();
      const code =
        why === 7 || (typeof why === "string" && why.length > 10) || why === "\ud800" ? "bad_reason" : "no_reason";
      const given = { as: "user:sue", why: why as string };
      expect(await codeOf(box.guides.approve(id, given))).toBe(code);
      expect(await codeOf(box.guides.revoke(id, given))).toBe(code);
      expect(await codeOf(box.guides.withdraw("tone", given))).toBe(code);
    },
  );

  test.each([
    ["tone", "digest_needed"],
    ["tone@", "bad_digest"],
    ["tone@1234567", "bad_digest"],
    ["tone@12345678", "unknown_revision"],
    [`tone@${"1".repeat(32)}`, "unknown_revision"],
    [`tone@${"g".repeat(8)}`, "bad_digest"],
    [`tone@${sha(TONE)}0`, "bad_digest"],
    [`other@${sha(TONE)}`, "unknown_revision"],
    ["@12345678", "digest_needed"],
    [7 as never, "digest_needed"],
  ])("what is named by %s", async (id, code) => {
    const { box } = await open();
    // What is approved has more digits than what is taken back.
    const approving = id === "tone@12345678" ? "bad_digest" : code;
    expect(await codeOf(box.guides.approve(id, word))).toBe(approving);
    expect(await codeOf(box.guides.statement(id, word))).toBe(approving);
    expect(await codeOf(box.guides.revoke(id, word))).toBe(code);
  });

  test("bytes are approved by 32 digits of their digest or more, and taken back by 8, in either case", async () => {
    for (const digits of [sha(TONE).slice(0, 32), sha(TONE).slice(0, 33).toUpperCase(), sha(TONE)]) {
      const { box } = await open();
      expect(await codeOf(box.guides.approve(`tone@${digits}`, word))).toBe("ok");
      expect(await codeOf(box.guides.revoke(`tone@${sha(TONE).slice(0, 9).toUpperCase()}`, word))).toBe("ok");
    }
    for (const digits of [sha(TONE).slice(0, 8), sha(TONE).slice(0, 12), sha(TONE).slice(0, 31)]) {
      const { box } = await open();
      expect(await codeOf(box.guides.approve(`tone@${digits}`, word))).toBe("bad_digest");
      expect(await codeOf(box.guides.statement(`tone@${digits}`, word))).toBe("bad_digest");
    }
  });

  test("a reason is kept with what is said, without the secrets that were declared", async () => {
    const { box, store } = openGuideBox(new Folder().put("tone.md", TONE), { redact: { values: ["hunter22"] } });
    await box.guides.verify();
    await box.guides.approve(`tone@${sha(TONE)}`, { as: "user:sue", why: "ok, hunter22 says" });
    const rows = await store.readGuides(0);
    expect(rows[1]?.body).toMatchObject({ why: "ok, [redacted] says", by: "user:sue", role: "guides" });
    expect(rows[1]?.at).toBe(NOON);
  });
});

describe("verification", () => {
  test("keeps a receipt of what did not pass as well, and a person cannot approve on it", async () => {
    const folder = new Folder()
      .put("a.md", ruleFile({ id: "twice" }, "one"))
      .put("b.md", ruleFile({ id: "twice" }, "two"));
    const { box } = openGuideBox(folder);
    const found = await box.guides.verify();
    expect(found.map(({ passed, rule }) => [rule, passed])).toEqual([
      ["twice", false],
      ["twice", false],
    ]);
    expect(found[0]?.findings.map(({ rule }) => rule)).toEqual(["duplicate_id"]);
    expect(found[0]?.cited).toMatchObject({ seq: 1 });
    expect((await box.guides.status()).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const id = `twice@${found[0]?.revision}`;
    expect(await codeOf(box.guides.approve(id, { as: "user:sue", why: "x" }))).toBe("verification_failed");
  });

  test("a rule that passed once and fails now is not approved on the old receipt", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box } = openGuideBox(folder);
    await box.guides.verify();
    folder.put("copy.md", ruleFile({ id: "tone" }, "Another."));
    await box.guides.verify(["tone"]);
    expect(await codeOf(box.guides.approve(`tone@${sha(TONE)}`, { as: "user:sue", why: "x" }))).toBe(
      "verification_failed",
    );
  });

  test("a file without a certain id is named and gets no receipt; one that has an id and no fit body gets one", async () => {
    const folder = new Folder()
      .put("bad.md", "no header at all")
      .put("empty.md", "---\nid: empty\n---\n")
      .put("latin.md", Uint8Array.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]))
      .put("tone.md", TONE);
    const { box, store } = openGuideBox(folder);
    const found = await box.guides.verify();
    expect(found.map(({ cited, file, passed, rule }) => [file, rule, passed, cited !== null])).toEqual([
      ["bad.md", null, false, false],
      ["empty.md", "empty", false, true],
      ["latin.md", null, false, false],
      ["tone.md", "tone", true, true],
    ]);
    expect(await store.readGuides(0)).toHaveLength(2);
    expect(await codeOf(box.guides.verify(["nobody"]))).toBe("unknown_rule");
    expect(await box.guides.verify(["tone"])).toHaveLength(1);
  });

  test("a file with a declared secret is kept nowhere", async () => {
    const folder = new Folder().put("s.md", ruleFile({ id: "s" }, "The password is hunter22."));
    const { box, store } = openGuideBox(folder, { redact: { values: ["hunter22"] } });
    const [found] = await box.guides.verify();
    expect(found).toMatchObject({ passed: false, cited: null, findings: [{ rule: "secret_in_guide" }] });
    expect(await store.listRevisions()).toEqual([]);
    // One that was declared a secret only after the rule was published is not served either.
    const later = openGuideBox(folder);
    await publishRule(later.box, "s");
    const now = openGuideBox(folder, { store: later.store, redact: { values: ["hunter22"] } });
    expect(await servedText(now.box)).toBe("secret_in_guide");
  });

  test("a rule that is larger than a profile's whole budget does not pass", async () => {
    const folder = new Folder().put("long.md", ruleFile({ id: "long" }, "x".repeat(101)));
    const profiles = { small: { budgetBytes: 100 }, large: { budgetBytes: 101 } };
    expect((await openGuideBox(folder, { profiles }).box.guides.verify())[0]).toMatchObject({
      passed: false,
      findings: [{ rule: "larger_than_budget" }],
    });
    const { large } = profiles;
    expect((await openGuideBox(folder, { profiles: { large } }).box.guides.verify())[0]).toMatchObject({
      passed: true,
    });
  });

  test("safety rules that exceed a budget together fail together, and no other rule does", async () => {
    const folder = new Folder()
      .put("a.md", ruleFile({ id: "a", safety: true }, "x".repeat(60)))
      .put("b.md", ruleFile({ id: "b", safety: true }, "x".repeat(60)))
      .put("c.md", ruleFile({ id: "c" }, "x"));
    const { box } = openGuideBox(folder, { profiles: { default: { budgetBytes: 100 } } });
    expect((await box.guides.verify()).map(({ passed }) => passed)).toEqual([false, false, true]);
  });

  test("a breach by a tool that the config does not have is named, and is no reason not to pass", async () => {
    const breach = (tool: string) => ({ breach: JSON.stringify({ tool }), escalate: "end" });
    const folder = new Folder()
      .put("a.md", ruleFile({ id: "a", ...breach("look") }, "Look away."))
      .put("b.md", ruleFile({ id: "b", ...breach("lok") }, "Look away, too."));
    const { box } = openGuideBox(folder, { tools: [plainTool("look", () => 1)] });
    const unknown = { rule: "unknown_tool", severity: "warning", where: "b.md:3:1" };
    expect((await box.guides.lint()).findings).toMatchObject([unknown]);
    expect(await box.guides.verify()).toMatchObject([
      { rule: "a", passed: true, findings: [] },
      { rule: "b", passed: true, findings: [unknown] },
    ]);
  });

  test("lint writes nothing, and says what verify would find", async () => {
    const { box, store } = openGuideBox(new Folder().put("bad.md", "no header").put("tone.md", TONE));
    const report = await box.guides.lint();
    expect(report).toMatchObject({ files: 2, unreadable: ["bad.md"], rules: [{ id: "tone" }] });
    expect(report.safety).toEqual([{ profile: "default", bytes: 0, budgetBytes: 2_048 }]);
    expect(await store.readGuides(0)).toEqual([]);
  });
});

describe("publication", () => {
  test("[guide-exact] all of these rules or none", async () => {
    const folder = new Folder().put("a.md", ruleFile({ id: "a" }, "A")).put("b.md", ruleFile({ id: "b" }, "B"));
    const { box, store } = openGuideBox(folder);
    await box.guides.verify();
    await box.guides.approve(await named(box, "a"), { as: "user:sue", why: "x" });
    const before = await store.readGuides(0);
    expect(await codeOf(box.guides.publish(["a", "b"], { as: "user:sue" }))).toBe("not_approved");
    expect(await store.readGuides(0)).toEqual(before);
    await box.guides.approve(await named(box, "b"), { as: "user:tom", why: "x" });
    expect(await box.guides.publish(["a", "b"], { as: "user:sue" })).toHaveLength(2);
    expect(await servedText(box)).toBe("A\n\nB");
    expect(await codeOf(box.guides.publish(["a"], { as: "user:sue" }))).toBe("already_published");
  });

  test("what cannot be named is refused", async () => {
    const { box } = openGuideBox(new Folder().put("tone.md", TONE).put("x.md", ruleFile({ id: "tone" }, "x")));
    const as = "user:sue";
    expect(await codeOf(box.guides.publish([], { as }))).toBe("usage");
    expect(await codeOf(box.guides.publish(["nobody"], { as }))).toBe("unknown_rule");
    expect(await codeOf(box.guides.publish(["tone"], { as }))).toBe("duplicate_id");
    await box.guides.verify();
    const id = `tone@${sha(TONE)}`;
    expect(await codeOf(box.guides.publish([id, id], { as }))).toBe("usage");
    expect(await codeOf(box.guides.publish([id], { as }))).toBe("not_approved");
  });

  test("the approved bytes of before can be published again", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box } = openGuideBox(folder);
    const first = await publishRule(box, "tone");
    folder.put("tone.md", ruleFile({ id: "tone" }, "Be short."));
    const second = await publishRule(box, "tone");
    expect(await servedText(box)).toBe("Be short.");
    expect(await box.guides.publish([first], { as: "user:sue" })).toMatchObject([{ before: second.slice(5) }]);
    expect(await servedText(box)).toBe("Be polite.");
  });

  test("[guide-exact] a header that cannot be read blocks publication and serving until it is mended or excluded", async () => {
    const folder = new Folder().put("tone.md", TONE);
    const { box, store } = openGuideBox(folder);
    await box.guides.verify();
    await box.guides.approve(await named(box, "tone"), { as: "user:sue", why: "x" });
    folder.put("broken.md", "---\nid: [\n---\nNever delete anything.\n");
    expect(await codeOf(box.guides.publish(["tone"], { as: "user:sue" }))).toBe("unreadable_header");
    expect(await servedText(box)).toBe("unreadable_header");
    const excluding = openGuideBox(folder, { store, guides: { exclude: ["broken.md"] } });
    await excluding.box.guides.publish(["tone"], { as: "user:sue" });
    expect(await servedText(excluding.box)).toBe("Be polite.");
    expect(await servedText(box)).toBe("unreadable_header");
    folder.files.delete("broken.md");
    expect(await servedText(box)).toBe("Be polite.");
    // A box that has served is no exception: whatever is broken while it is open may be a safety rule.
    folder.put("broken.md", "---\nid: [\n---\nx\n");
    expect(await servedText(box)).toBe("unreadable_header");
    folder.put("broken.md", "---\nid: fine\n---\nx\n");
    expect(await servedText(box)).toBe("Be polite.");
  });

  test("two people publish at once: one after the other, and the chain holds", async () => {
    const folder = new Folder().put("a.md", ruleFile({ id: "a" }, "A")).put("b.md", ruleFile({ id: "b" }, "B"));
    const { box, store } = openGuideBox(folder);
    const other = openGuideBox(folder, { store });
    await Promise.all([box.guides.verify(["a"]), other.box.guides.verify(["b"]), box.guides.verify(["a"])]);
    const ids = [await named(box, "a"), await named(box, "b")] as const;
    await Promise.all([
      box.guides.approve(ids[0], { as: "user:sue", why: "x" }),
      other.box.guides.approve(ids[1], { as: "user:sue", why: "x" }),
    ]);
    await Promise.all([
      box.guides.publish(["a"], { as: "user:sue" }),
      other.box.guides.publish(["b"], { as: "user:tom" }),
    ]);
    for (const one of [box, other.box]) expect(await servedText(one)).toBe("A\n\nB");
    expect(await box.verifyLedger()).toMatchObject({ ok: true, guides: 6 });
  });
});

describe("[input-redaction] a declared secret in what a run or a pin is about", () => {
  const SECRET = "tvly-CANARY-0123456789";
  const redact = { values: [SECRET] };
  const named = [
    { app: `app.${SECRET}` },
    { paths: ["a.ts", `src/${SECRET}/b.ts`] },
    { app: "app", paths: [SECRET] },
  ] as const;

  test.each(named)("%j is refused, and nothing is recorded", async (about) => {
    const { box, store } = openGuideBox(new Folder().put("tone.md", TONE), { redact });
    await publishRule(box, "tone");
    const rows = await store.readGuides(0);
    await expect(box.run("go", about)).rejects.toMatchObject({ code: "bad_about" });
    expect(await box.runs()).toEqual([]);
    expect(await codeOf(box.guides.pin("p", { task: "x", ...about }, { as: "ci" }))).toBe("bad_about");
    expect(await store.readGuides(0)).toEqual(rows);
  });

  test("a pin of a profile that there is not is refused, whatever it is called", async () => {
    const { box, store } = openGuideBox(new Folder().put("tone.md", TONE), { redact });
    expect(await codeOf(box.guides.pin("p", { task: "x", profile: SECRET }, { as: "ci" }))).toBe("bad_about");
    await expect(box.guides.pin("p", { task: "x", profile: "no-such" }, { as: "ci" })).rejects.toMatchObject({
      code: "unknown_profile",
      hint: "there is default",
    });
    expect(await store.readGuides(0)).toEqual([]);
    // What the request says of it is replaced before paths are looked for in it.
    await box.guides.pin("p", { task: `fix src/${SECRET}/x.ts` }, { as: "ci" });
    expect(JSON.stringify(await store.readGuides(0))).not.toContain(SECRET);
  });
});

describe("pins", () => {
  const open = async () => {
    const folder = new Folder()
      .put("tone.md", TONE)
      .put("lock.md", ruleFile({ id: "lock", when: { event: "lock_screen" } }, "Stop."));
    const opened = openGuideBox(folder);
    await publishRule(opened.box, "tone");
    return opened;
  };

  test("an unchanged plan is fine, a changed one is not until it is pinned again with a reason", async () => {
    const { box, folder, store } = await open();
    const first = await box.guides.pin("hello", { task: "say hello" }, { as: "ci" });
    expect(first).toMatchObject({ name: "hello", before: null, unchanged: false });
    expect(await box.guides.pin("hello", { task: "say hello" }, { as: "ci" })).toMatchObject({ unchanged: true });
    expect(await box.guides.check()).toMatchObject([
      { name: "hello", ok: true, pinned: first.plan, today: first.plan },
    ]);

    await publishRule(box, "lock");
    folder.put("tone.md", ruleFile({ id: "tone" }, "Be short."));
    await publishRule(box, "tone");
    const [check] = await box.guides.check();
    expect(check).toMatchObject({ name: "hello", ok: false, pinned: first.plan });
    expect(check?.before).toEqual([
      "profile default: 10 of 2048 bytes at system_end",
      `kept tone@${sha(TONE).slice(0, 12)} (10 bytes)`,
      "--- text",
      "| Be polite.",
    ]);
    expect(check?.after.slice(2)).toEqual([
      expect.stringMatching(/^routed lock@[0-9a-f]{12} \(5 bytes\): when \{"event":"lock_screen"/),
      "--- text",
      "| Be short.",
      "--- text of lock",
      "| Stop.",
    ]);
    const rows = (await store.readGuides(0)).length;
    expect(await codeOf(box.guides.pin("hello", { task: "say hello" }, { as: "ci" }))).toBe("pin_without_reason");
    expect((await store.readGuides(0)).length).toBe(rows);
    const word = { as: "ci", reason: "shorter now" };
    expect(await box.guides.pin("hello", { task: "say hello" }, word)).toMatchObject({
      before: first.plan,
      plan: check?.today,
    });
    expect(await box.guides.check()).toMatchObject([{ ok: true }]);
    expect((await store.readGuides(rows))[0]?.body).toMatchObject({ reason: "shorter now", by: "ci", name: "hello" });
  });

  test("a refusal is pinned like a plan, and another task or profile is another pin", async () => {
    const { box, clock, folder } = await open();
    folder.put("safe.md", ruleFile({ id: "safe", safety: true }, "Never delete anything."));
    await box.guides.revoke(await publishRule(box, "safe"), { as: "user:sue", why: "wrong" });
    const refused = await box.guides.pin("gone", { task: "x" }, { as: "ci" });
    expect(await box.guides.check()).toMatchObject([
      { name: "gone", ok: true, after: ["refused: safety_withheld", "  safe"] },
    ]);
    expect(refused.plan).toMatch(/^[0-9a-f]{64}$/);
    clock.advance(1);
    expect(await codeOf(box.guides.pin("gone", { task: "another" }, { as: "ci" }))).toBe("pin_without_reason");
    await box.guides.withdraw("safe", { as: "user:sue", why: "wrong" });
    expect(await codeOf(box.guides.pin("gone", { task: "x" }, { as: "ci" }))).toBe("pin_without_reason");
    expect(await codeOf(box.guides.pin("no name", { task: "x" }, { as: "ci" }))).toBe("bad_id");
  });
});
