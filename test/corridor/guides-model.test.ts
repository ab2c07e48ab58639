/**
 * Honest and hostile people work on the same rules in random order, against a naive account of who approved what. Whatever
 * they do: the bytes that are served are bytes that a person with the role approved, and did not take back.
 *
 * The hostile one writes into the folder and into the store, replays what was recorded and alters what is read; what they do
 * not have is anybody's private key (or, in the second test, the key of the ledger).
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { hmacSha256 } from "../../src/adapters/world-node/index.ts";
import type { Row } from "../../src/domain/row.ts";
import type { Config, Signalbox, Store } from "../../src/index.ts";
import { codeOf, Folder, named, newKey, openGuideBox, ruleFile } from "../guides/box.ts";
import { approved, GuideWriter, published, revisionOf, revoked, verified, withdrawn } from "../guides/sayings.ts";
import { seed } from "../seed.ts";

const KEYS = { "user:sue": newKey(), "user:tom": newKey(), "user:eve": newKey() };
type Person = keyof typeof KEYS;
const HONEST: readonly Person[] = ["user:sue", "user:tom"];

/** What files can hold, by the digest of it: the rule and its text. */
const CONTENTS = [
  { rule: "tone", text: "Be polite." },
  { rule: "tone", text: "Be polite!" },
  { rule: "tone", text: "Give everybody a refund." },
  { rule: "safe", text: "Never delete anything." },
  { rule: "safe", text: "Delete what you like." },
].map((content) => {
  const file = ruleFile({ id: content.rule, safety: content.rule === "safe" }, content.text);
  return { ...content, file, ...revisionOf(file) };
});
type Content = (typeof CONTENTS)[number];

const content = fc.constantFrom(...CONTENTS);
const person = fc.constantFrom(...HONEST);
const act = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("write" as const), content }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("verify" as const) }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("approve" as const), by: person, content }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("publish" as const), by: person, content }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("revoke" as const), by: person, content }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("withdraw" as const), by: person, content }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("role" as const), by: person, has: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("intrude" as const),
      content,
      as: fc.constantFrom(...HONEST, "user:eve" as const),
      cite: fc.integer({ min: 0, max: 9 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("forge" as const),
      content,
      kind: fc.nat(4),
      cite: fc.integer({ min: 0, max: 9 }),
      by: person,
      replay: fc.boolean(),
    }),
    weight: 3,
  },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
const acts = fc.array(act, { minLength: 5, maxLength: 40, size: "max" });

/** How half of the worlds begin: with rules in force, since what revokes and withdraws seldom meets any by chance. */
const IN_FORCE: readonly Act[] = CONTENTS.filter(
  ({ text }) => text === "Be polite!" || text === "Never delete anything.",
).flatMap((of) => [
  { do: "write" as const, content: of },
  { do: "verify" as const },
  { do: "approve" as const, by: "user:sue" as const, content: of },
  { do: "publish" as const, by: "user:tom" as const, content: of },
]);

/** The naive account: every approval that somebody with the role gave, in person. */
type Approval = { readonly digest: string; readonly by: Person; taken: boolean };

const LEDGER_KEY = "a key of the ledger's";

class World {
  readonly folder = new Folder();
  readonly store: Store = openMemoryStore();
  readonly approvals: Approval[] = [];
  readonly roles = new Map<Person, boolean>(HONEST.map((one) => [one, true]));
  /** The database was written to by somebody else: then serving may stop, and must not lie. */
  intruded = false;
  readonly more: Partial<Config>;
  readonly signs: boolean;

  constructor(more: Partial<Config>, signs: boolean) {
    this.more = more;
    this.signs = signs;
  }

  /** A process as it is started now. */
  box(store: Store = this.store): Signalbox {
    const approvers = Object.fromEntries(
      Object.entries(KEYS).map(([id, { publicKey }]) => {
        const has = this.roles.get(id as Person) === true;
        return [id, { roles: [has ? "guides" : "reader"], keys: [publicKey] }];
      }),
    );
    const guides = this.signs ? { signatures: "required" as const } : {};
    const { guides: _, ...more } = this.more;
    return openGuideBox(this.folder, { ...more, store, approvers, guides }).box;
  }

  async carry(step: Act): Promise<string> {
    const box = this.box();
    switch (step.do) {
      case "write":
        this.folder.put(`${step.content.rule}.md`, step.content.file);
        return "ok";
      case "verify":
        return codeOf(box.guides.verify());
      case "approve": {
        const { by } = step;
        const signature = this.signs ? { signature: { privateKey: KEYS[by].privateKey } } : {};
        const code = await codeOf(box.guides.approve(nameOf(step.content), { as: by, why: "read it", ...signature }));
        if (code === "ok") {
          expect(this.roles.get(by)).toBe(true);
          this.approvals.push({ digest: step.content.digest, by, taken: false });
        }
        return code;
      }
      case "publish":
        return codeOf(box.guides.publish([nameOf(step.content)], { as: step.by }));
      case "revoke": {
        const code = await codeOf(box.guides.revoke(nameOf(step.content), { as: step.by, why: "wrong" }));
        for (const one of this.approvals) if (code === "ok" && one.digest === step.content.digest) one.taken = true;
        return code;
      }
      case "withdraw":
        return codeOf(box.guides.withdraw(step.content.rule, { as: step.by, why: "no longer" }));
      case "role":
        this.roles.set(step.by, step.has);
        return "ok";
      case "intrude":
        return this.intrude(box, step);
      case "forge":
        return this.forge(step);
    }
  }

  /** By the front door: everything that can be said without a role or without the key. */
  async intrude(box: Signalbox, { as, content: wanted }: Extract<Act, { do: "intrude" }>): Promise<string> {
    const id = nameOf(wanted);
    const word = { as: "user:eve", why: "trust me" };
    const codes = [
      await codeOf(box.guides.approve(id, { ...word, signature: { privateKey: KEYS["user:eve"].privateKey } })),
      await codeOf(box.guides.publish([id], word)),
      await codeOf(box.guides.revoke(id, word)),
      await codeOf(box.guides.withdraw(wanted.rule, word)),
    ];
    if (this.signs) {
      const signature = { privateKey: KEYS["user:eve"].privateKey };
      codes.push(await codeOf(box.guides.approve(id, { as, why: "it is me", signature })));
      for (const row of await this.store.readGuides(0)) {
        const value = (row.body as { readonly signature?: { readonly value: string } | null }).signature?.value;
        if (value !== undefined)
          codes.push(await codeOf(box.guides.approve(id, { as, why: "read it", signature: { signature: value } })));
      }
    }
    expect(codes).not.toContain("ok");
    return codes[0] ?? "";
  }

  /**
   * By the back door: records that the store takes, since it knows neither people nor keys. Where signatures are required, who does
   * it has the ledger's key.
   */
  async forge(step: Extract<Act, { do: "forge" }>): Promise<string> {
    const { by, cite, content: wanted, kind, replay } = step;
    const of = { rule: wanted.rule, revision: wanted.digest };
    const rows = await this.store.readGuides(0);
    const writer = await new GuideWriter(this.store, this.signs ? hmacSha256(LEDGER_KEY) : undefined).catchUp();
    const cited = (of_: string) => rows.filter((row) => row.kind === of_).at(-1 - (cite % 3)) ?? { seq: 1, hash: "" };
    const recorded = rows.filter((row) => row.kind === "guide_approved").at(-1 - (cite % 3));
    const profiles =
      (rows.find((row) => row.kind === "guide_verified")?.body as { readonly profiles?: never })?.profiles ?? {};
    const signature = replay ? ((recorded?.body as { readonly signature?: never })?.signature ?? null) : null;
    const sayings = [
      () => verified(of, { profiles }),
      () => ({ ...approved(of, by, cited("guide_verified")), signature }),
      () => published(of, cited("guide_approved")),
      () => revoked(of, cited("guide_approved")),
      () => withdrawn(of),
    ];
    const saying = sayings[kind]?.();
    if (saying === undefined) return "nothing";
    const code = await codeOf(writer.say(saying, wanted));
    if (code === "ok") this.intruded = true;
    return code;
  }

  /** What a process that is started now serves holds against the account. */
  async judge(store: Store = this.store, cut = false): Promise<"text" | "nothing" | string> {
    const outcome = await this.box(store).guides.serve({ task: "anything" });
    if (outcome.kind === "refusal") return outcome.code;
    const { kept } = outcome.report;
    const bodies: string[] = [];
    for (const { id, revision } of kept) {
      const known = CONTENTS.find(({ digest }) => digest === revision);
      expect(known?.rule).toBe(id);
      bodies.push(known?.text ?? "");
      // Somebody with the role said so, and stands by it. Only whoever cuts a revocation off the end undoes it.
      const given = this.approvals.filter(({ by, digest }) => digest === revision && this.roles.get(by) === true);
      expect(given.some(({ taken }) => cut || !taken)).toBe(true);
    }
    expect(outcome.served.text).toBe(bodies.join("\n\n"));
    return kept.length > 0 ? "text" : "nothing";
  }

  /** The same after each way of altering what the store gives back. */
  async judgeAltered(at: number): Promise<readonly string[]> {
    // Without its last row a chain is one that was cut, which only a checkpoint finds.
    const altered: readonly (readonly [Partial<Store>, boolean])[] = [
      [{ readRevision: async (digest) => flipped(await this.store.readRevision(digest), at) }, false],
      [{ readRevision: async () => CONTENTS[at % CONTENTS.length]?.bytes ?? null }, false],
      [{ readGuides: async (after) => (await this.store.readGuides(after)).slice(0, -1 - (at % 3)) }, true],
      [{ readGuides: async (after) => (await this.store.readGuides(after)).filter((_, i) => i !== at % 7) }, true],
      [
        {
          readGuides: async (after) =>
            (await this.store.readGuides(after)).map((row, i) => (i === at % 7 ? edited(row) : row)),
        },
        false,
      ],
    ];
    const found: string[] = [];
    for (const [methods, cut] of altered) found.push(await this.judge(withMethods(this.store, methods), cut));
    return found;
  }
}

function nameOf({ digest, rule }: Content): string {
  return `${rule}@${digest}`;
}

function flipped(bytes: Uint8Array | null, at: number): Uint8Array | null {
  if (bytes === null || bytes.length === 0) return bytes;
  const i = at % bytes.length;
  return bytes.map((byte, n) => (n === i ? byte ^ 1 : byte));
}

/** The row is about other bytes than before, and keeps its hash. */
function edited(row: Row): Row {
  const body = row.body as { readonly revision?: string };
  const other = CONTENTS.find(({ digest }) => digest !== body.revision)?.digest ?? "";
  return { ...row, body: { ...body, revision: other } };
}

function withMethods(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function campaign(more: Partial<Config>, signs: boolean, numRuns: number) {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(acts, fc.boolean(), fc.nat(1_000), async (drawn, inForce, at) => {
      const world = new World(more, signs);
      for (const one of CONTENTS.slice(0, 4)) world.folder.put(`${one.rule}.md`, one.file);
      await world.box().guides.verify();
      for (const step of inForce ? [...IN_FORCE, ...drawn] : drawn) {
        const code = await world.carry(step);
        count(`${step.do} ${code}`);
        const served = await world.judge();
        count(`served ${served}`);
        // Nothing that an honest person did ever breaks the chain.
        if (!world.intruded) expect(served).not.toBe("chain_broken");
      }
      for (const found of await world.judgeAltered(at)) count(`altered ${found}`);
    }),
    { seed, numRuns },
  );
  return seen;
}

const many = (seen: ReadonlyMap<string, number>, what: string) => seen.get(what) ?? 0;

test("[guide-exact] [guide-signature] with signatures required: nobody without a private key gets a byte served", async () => {
  // Nor with the ledger's key, which is on the machine.
  const seen = await campaign({ ledgerKey: LEDGER_KEY }, true, 60);
  // Everything was tried, and some of it worked.
  for (const what of [
    "approve ok",
    "publish ok",
    "revoke ok",
    "withdraw ok",
    "forge ok",
    "served text",
    "altered chain_broken",
    "altered revision_damaged",
  ]) {
    expect(many(seen, what), `${what}: ${JSON.stringify([...seen].sort())}`).toBeGreaterThan(0);
  }
});

test("[guide-exact] with a keyed ledger: whoever writes without the key stops the serving, and changes nothing of it", async () => {
  const seen = await campaign({ ledgerKey: LEDGER_KEY }, false, 40);
  for (const what of ["approve ok", "publish ok", "forge ok", "served text", "served chain_broken"]) {
    expect(many(seen, what), `${what}: ${JSON.stringify([...seen].sort())}`).toBeGreaterThan(0);
  }
});

test("the account itself: an approval that nobody gave is noticed", async () => {
  const world = new World({}, false);
  for (const one of CONTENTS.slice(0, 4)) world.folder.put(`${one.rule}.md`, one.file);
  const box = world.box();
  await box.guides.verify();
  // Without signatures and without a key, a forged record is one like others.
  const writer = await new GuideWriter(world.store).catchUp();
  const of = { rule: "tone", revision: (await named(box, "tone")).slice(5) };
  const verification = (await world.store.readGuides(0)).find((row) => (row.body as { rule?: string }).rule === "tone");
  if (verification === undefined) throw new Error("it was verified");
  await writer.say(published(of, await writer.say(approved(of, "user:sue", verification))));
  await expect(world.judge()).rejects.toThrow("expected false to be true");
});
