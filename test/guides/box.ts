import { generateKeyPairSync } from "node:crypto";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import type { Config, GuideFile, GuideFiles, GuidesOptions, Signalbox, Store } from "../../src/index.ts";
import { createSignalbox } from "../../src/index.ts";
import type { Wiring } from "../../src/runtime/parts.ts";
import { openSignalbox } from "../../src/runtime/signalbox.ts";
import { countedIds, scriptedModel, simulatedClock } from "../../src/testing/index.ts";

/** A folder of rule files in the hand of the test. */
export class Folder implements GuideFiles {
  readonly files = new Map<string, string | Uint8Array>();

  put(name: string, content: string | Uint8Array): this {
    this.files.set(name, content);
    return this;
  }

  async read(): Promise<readonly GuideFile[]> {
    const names = [...this.files.keys()].sort();
    return names.map((name) => {
      const content = this.files.get(name) ?? "";
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return { name, bytes: Uint8Array.from(bytes), failed: null };
    });
  }
}

/** A rule file. */
export function ruleFile(header: { readonly id: string } & { readonly [key: string]: unknown }, body: string): string {
  const lines = Object.entries(header).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `---\n${lines.join("\n")}\n---\n${body}\n`;
}

export const DAY = 86_400_000;
/** 2026-11-30T12:00Z. */
export const NOON = Date.UTC(2026, 10, 30, 12);

export const APPROVERS = {
  "user:sue": { roles: ["guides"] },
  "user:tom": { roles: ["guides", "supervisor"] },
  "user:bob": { roles: ["supervisor"] },
} as const;

export type GuideBox = {
  readonly box: Signalbox;
  readonly folder: Folder;
  readonly store: Store;
  readonly clock: ReturnType<typeof simulatedClock>;
};

/** A box with guides over a folder and a store in memory, unless the test has its own. */
export function openGuideBox(
  folder: Folder = new Folder(),
  more: Omit<Partial<Config>, "guides"> & { readonly guides?: Partial<GuidesOptions> } = {},
): GuideBox {
  const store = (more.store as Store | undefined) ?? openMemoryStore();
  const clock = (more.clock as ReturnType<typeof simulatedClock> | undefined) ?? simulatedClock(NOON);
  const box = createSignalbox({
    model: scriptedModel({ replies: [] }),
    tools: [],
    ids: countedIds(),
    approvers: APPROVERS,
    ...more,
    store,
    clock,
    guides: { folder, ...more.guides },
  });
  return { box, folder, store, clock };
}

/** The same box, opened anew with other parts: nothing that it remembered is left. */
export function reopened(box: Signalbox, changed: Partial<Wiring>): Signalbox {
  const { serving: _, ...wiring } = box.parts;
  return openSignalbox({ ...wiring, ...changed });
}

/** `rule@digest` of the file of a rule as it is now. */
export async function named(box: Signalbox, rule: string): Promise<string> {
  const status = (await box.guides.status()).find((one) => one.rule === rule);
  return `${rule}@${status?.revision ?? "none"}`;
}

/** A rule all the way from its file to what is served. */
export async function publishRule(box: Signalbox, rule: string, as = "user:sue"): Promise<string> {
  const id = await named(box, rule);
  await box.guides.verify([rule]);
  await box.guides.approve(id, { as, why: "read it" });
  await box.guides.publish([id], { as });
  return id;
}

/** What is served for a task: its text, or the code of the refusal. */
export async function servedText(box: Signalbox, task = "anything", profile?: string): Promise<string> {
  const outcome = await box.guides.serve({ task, ...(profile === undefined ? {} : { profile }) });
  return outcome.kind === "plan" ? outcome.served.text : outcome.code;
}

/** The code that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "ok",
    (error: unknown) => String((error as { readonly code?: unknown }).code ?? error),
  );
}

/** A throwaway key: what signs, and what a config declares. */
export function newKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    publicKey: String(publicKey.export({ type: "spki", format: "pem" })),
  };
}
