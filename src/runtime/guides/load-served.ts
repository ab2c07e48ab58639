import type { GuideVerified } from "../../domain/guide-record.ts";
import { type Profile, profileText } from "../../domain/profile.ts";
import { redactText } from "../../domain/redact.ts";
import type { Rule } from "../../domain/rule.ts";
import type { Refusal, RefusalCode, WithheldRule } from "../../domain/served.ts";
import {
  type Circumstances,
  type GuideState,
  nameOf,
  type PublishedRevision,
  parseRule,
  publishedNow,
  type RuleSet,
  ruleSet,
  type Withholding,
  withholdingOf,
} from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { circumstancesOf } from "./circumstances.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { namedMap } from "./named-map.ts";
import { isUnsound, readChain } from "./read-chain.ts";
import { unreadableNow, unreadableText } from "./read-folder.ts";

/** The rules that may be served now under one profile, and those that are published and may not. */
export type LoadedGuides = {
  readonly kind: "loaded";
  readonly state: GuideState;
  readonly rules: readonly Rule[];
  /** The same, prepared for compile. */
  readonly set: RuleSet;
  readonly withheld: readonly WithheldRule[];
  /** Ids of the rules in which a declared secret stands. */
  readonly secret: ReadonlySet<string>;
};

export type LoadRefusal = Refusal & { readonly withheld: readonly WithheldRule[] };

/** A rule that was read from bytes with this very name. */
export type LoadedRule = { readonly rule: Rule; readonly secret: boolean };

/** Profiles are few, and a day is over sometime. */
const LOADED_MAX = 16;

/**
 * What is published, from the store (design 7.4): the chain is checked, the bytes of each revision are named anew, and each
 * approval is asked whether it still covers serving here and now. What cannot be trusted refuses everything; what is only no
 * longer approved is withheld by name, and refuses everything where it is a safety rule, for the model would not be told.
 *
 * Only a rule that has expired is left out without that, safety rule or not: its author said the day, and it was approved so.
 */
export async function loadServed(parts: Parts, profile: Profile): Promise<LoadedGuides | LoadRefusal> {
  const state = await readChain(parts);
  if (isUnsound(state)) return refusal("chain_broken", `row ${state.seq} of the guides: ${state.detail}`);
  const unreadable = await unreadableNow(parts);
  if (unreadable.length > 0) return refusal("unreadable_header", unreadableText(parts, unreadable));
  const circumstances = circumstancesOf(parts, profile);
  const key = [state.hash, circumstances.profile.digest, circumstances.today].join(" ");
  const known = parts.guideBook.loaded.get(key);
  if (known !== undefined) return known;

  let isGrounded = false;
  const rules: Rule[] = [];
  const withheld: WithheldRule[] = [];
  const secret = new Set<string>();
  for (const published of publishedNow(state)) {
    const loaded = await heldBack(parts, state, published, circumstances);
    if ("kind" in loaded) return loaded;
    const { held, rule } = loaded;
    isGrounded ||= rule.guide !== null;
    if (held === null) {
      rules.push(rule);
      if (loaded.secret) secret.add(rule.id);
    } else withheld.push({ id: rule.id, revision: rule.revision, safety: rule.safety, ...held });
  }
  const lost = withheld.filter(({ code, safety }) => safety && code !== "expired");
  if (lost.length > 0) {
    const detail = lost.map(({ code, detail: why, id }) => `${id}: ${code}: ${why}`).join("; ");
    return refusal(
      "safety_withheld",
      `a safety rule may not be served: ${detail}`,
      lost.map(({ id }) => id),
      withheld,
    );
  }
  const loaded: LoadedGuides = { kind: "loaded", state, rules, set: ruleSet(rules), withheld, secret };
  // A map can change at any time, and what depends on one is asked each time.
  if (!isGrounded) keep(parts, key, loaded);
  return loaded;
}

/** A rule on this approval, and why it may not be served here and now; null where it may. */
export async function heldBack(
  parts: Parts,
  state: GuideState,
  on: Pick<PublishedRevision, "approval" | "verification">,
  circumstances: Circumstances,
): Promise<(LoadedRule & { readonly held: Withholding | null }) | LoadRefusal> {
  const loaded = await loadRule(parts, on);
  if ("kind" in loaded) return loaded;
  const { expires, guide } = loaded.rule;
  const here = guide === null ? circumstances : { ...circumstances, map: await mapNow(parts, guide.map) };
  return { ...loaded, held: withholdingOf(state, { ...on, expires }, here) };
}

/** The digest of the map of this name today; a map that is gone or cannot be read is not the one that was verified against. */
async function mapNow(parts: Parts, name: string): Promise<string> {
  const map = await namedMap(parts, name);
  return map.ok ? map.value.digest : "";
}

/** What was loaded before the chain went on is never asked for again. */
function keep({ guideBook: { loaded: all } }: Parts, key: string, loaded: LoadedGuides): void {
  for (const [known, { state }] of all) {
    if (state.seq > loaded.state.seq) return;
    if (state.seq < loaded.state.seq) all.delete(known);
  }
  all.set(key, loaded);
  for (const oldest of all.keys()) {
    if (all.size <= LOADED_MAX) break;
    all.delete(oldest);
  }
}

function refusal(
  code: RefusalCode,
  detail: string,
  rules: readonly string[] = [],
  withheld: readonly WithheldRule[] = [],
): LoadRefusal {
  return { kind: "refusal", code, detail, rules, withheld };
}

/** The rule that is in the bytes of a published revision, once they are known to be those that were approved. */
export async function loadRule(
  parts: Parts,
  { verification }: Pick<PublishedRevision, "verification">,
): Promise<LoadedRule | LoadRefusal> {
  const { file, revision, rule: id } = verification.record;
  const known = parts.guideBook.rules.get(revision);
  if (known !== undefined && known.rule.id === id) return known;
  const bytes = await parts.store.readRevision(revision);
  const damaged = (why: string) => refusal("revision_damaged", `${nameOf(verification.record)}: ${why}`, [id]);
  const mended = "`guides verify` puts those of its file back, where they are these";
  if (bytes === null) return damaged(`its bytes are gone; ${mended}`);
  const digest = parts.hashBytes(bytes);
  if (digest !== revision) return damaged(`its bytes have the digest ${digest}; ${mended}`);
  const decoded = decodeUtf8(bytes);
  const text = decoded.ok ? decoded.value : "";
  const parsed = decoded.ok ? parseRule({ name: file, text, digest }) : null;
  // It was verified by a release that read it; this one does not, and cannot say whether it is a safety rule.
  if (parsed?.ok !== true) return damaged("this release reads no rule in its bytes: verify it anew");
  if (parsed.rule.id !== id) return damaged(`it holds the rule ${parsed.rule.id}`);
  const loaded = { rule: parsed.rule, secret: redactText(text, parts.redaction) !== text };
  parts.guideBook.rules.set(revision, loaded);
  return loaded;
}

/** The digests of profiles, by name: what a verification is about. */
export function profileDigests(parts: Parts, profiles: Iterable<Profile>): GuideVerified["profiles"] {
  return Object.fromEntries([...profiles].map((profile) => [profile.name, parts.hash(profileText(profile))]));
}
