import type { Finding } from "../../domain/finding.ts";
import type { Cited, GuideSignature, RuleState } from "../../domain/guide-record.ts";
import type { GuideTask, Rule } from "../../domain/rule.ts";
import type { Refusal, RefusalCode, Served, ServeReport, Unselected, WithheldRule } from "../../domain/served.ts";
import type { GroundedGuide } from "../../guides/index.ts";
import type { Explained } from "./explain.ts";
import type { NamedMap } from "./named-map.ts";
import type { PlannedGuide, PlanWanted } from "./plan-guide.ts";
import type { Withheld } from "./withheld-now.ts";

/** What operators and reviewers do with rules: `box.guides` (design 7.4). Every method that writes is one transaction. */
export type Guides = {
  /** Where each rule stands: its file, and what was said of it. */
  status(): Promise<readonly RuleStatus[]>;
  /** The file of a rule, with its digest and where it stands, from one reading; without a file, what is published. */
  show(id: string): Promise<ShownRule>;
  /**
   * The bytes that were verified, as they are kept: exactly what an approval of `RULE@DIGEST` is about. `RULE` alone means those
   * that were verified last.
   */
  revision(id: string): Promise<KeptRevision>;
  /** Checks the files of the folder. Writes nothing. */
  lint(): Promise<LintReport>;
  /**
   * Runs the checks on the files of these rules (default: all), keeps their bytes, and writes a receipt of each that has an
   * id, unless its newest one says the same and is still to be used. The bytes of a file that holds a declared secret are not kept,
   * and it gets no receipt.
   */
  verify(ids?: readonly string[]): Promise<readonly Verified[]>;
  /** The exact text that a signature of this approval is over, for `ssh-keygen -Y sign -n signalbox-guides`. */
  statement(id: string, word: GuideWord): Promise<string>;
  /**
   * `id` is a rule's id with `@` and the digest of what the person saw, or at least 32 digits of it: fewer can be had on purpose by
   * whoever writes the file.
   */
  approve(id: string, word: GuideWord & { readonly signature?: GuideSigning }): Promise<ApprovedRule>;
  /** The same of all these rules, or of none. A private key signs each; a signature that was made elsewhere is over one. */
  approveAll(
    ids: readonly string[],
    word: GuideWord & { readonly signature?: GuideSigning },
  ): Promise<readonly ApprovedRule[]>;
  /**
   * Takes every approval of these bytes back. An ordinary rule is withheld from then on; a published safety rule stops serving
   * altogether.
   */
  revoke(id: string, word: GuideWord): Promise<void>;
  /**
   * Makes approved bytes what is served: all of these rules, or none. Reads the approval of exactly these bytes in the same
   * transaction. An id without a digest means the bytes of its file now.
   */
  publish(ids: readonly string[], word: { readonly as: string }): Promise<readonly PublishedRule[]>;
  withdraw(id: string, word: GuideWord): Promise<void>;
  /** What a run with this task would be told. */
  serve(wanted: ServeWanted): Promise<ServeOutcome>;
  /** Keeps the plan of a fixture. Pinning a name again needs a reason. */
  pin(name: string, wanted: ServeWanted, word: { readonly as: string; readonly reason?: string }): Promise<PinResult>;
  /** Holds every pinned plan against today's. */
  check(): Promise<readonly PinCheck[]>;
  /** The file of a rule, and the bytes that are published; either null where there is none. */
  diff(id: string): Promise<{ readonly file: string | null; readonly published: string | null }>;
  /** One pass of the model plans a guide in a map; code reads, grounds and gates it. Writes nothing. */
  plan(wanted: PlanWanted): Promise<PlannedGuide>;
  /**
   * The guide of a rule file in its map as that is now: what the gate judges. It has a finding where the map is not the one that the
   * guide was planned in, or verified in since, and where its text is not what its steps say. Looks at no approval. Writes nothing.
   *
   * @throws SignalboxError `no_guide`, `unknown_map` and what else keeps a map from being read.
   */
  ground(file: { readonly name: string; readonly text: string }): Promise<GroundedGuide>;
  /** A map of the config's folder, prepared for grounding. @throws SignalboxError `unknown_map`, `no_maps`. */
  map(name: string): Promise<NamedMap>;
  /** What a recorded run was told, and what it was not. */
  explain(run: string): Promise<Explained>;
};

export type GuideWord = { readonly as: string; readonly why: string };

/** A signature that was made elsewhere, or a private key (PEM, or OpenSSH without a passphrase) to make one with. */
export type GuideSigning = { readonly signature: string } | { readonly privateKey: string };

export type ServeWanted = {
  readonly task: string;
  readonly app?: string;
  readonly paths?: readonly string[];
  /** Default: the profile of the config. */
  readonly profile?: string;
};

export type ServeOutcome =
  | {
      readonly kind: "plan";
      readonly served: Served;
      readonly report: ServeReport;
      readonly unselected: readonly Unselected[];
    }
  | (Refusal & { readonly withheld: readonly WithheldRule[] });

export type LintReport = {
  readonly files: number;
  readonly rules: readonly Rule[];
  readonly findings: readonly Finding[];
  /** Files whose header cannot be read: while there is one, nothing is published or served. */
  readonly unreadable: readonly string[];
  /** For each profile, the bytes of all safety rules in its text, and its budget. */
  readonly safety: readonly { readonly profile: string; readonly bytes: number; readonly budgetBytes: number }[];
};

export type Verified = {
  /** null where the file's header does not say it for certain. */
  readonly rule: string | null;
  readonly revision: string;
  readonly file: string;
  readonly passed: boolean;
  readonly checks: readonly string[];
  readonly findings: readonly Finding[];
  /** The receipt, as it was written now or is there already; null where there can be none. */
  readonly cited: Cited | null;
  /** Whether an approval stands that rests on such a receipt: of the same checks, profiles and map. Then nothing has to be approved. */
  readonly approved: boolean;
  /** Whether the bytes that are kept under this digest were gone, or were others, and were put back. */
  readonly restored: boolean;
};

export type ApprovedRule = {
  readonly rule: string;
  readonly revision: string;
  readonly by: string;
  readonly verification: Cited;
  readonly cited: Cited;
  readonly signature: GuideSignature | null;
};

export type PublishedRule = {
  readonly rule: string;
  readonly revision: string;
  /** The revision that was served before, or null. */
  readonly before: string | null;
  readonly cited: Cited;
};

export type RuleStatus = {
  /** null of a file whose header does not say it for certain. */
  readonly rule: string | null;
  readonly file: string | null;
  /** The revision of the file, and where it stands; null where there is no file. */
  readonly revision: string | null;
  readonly state: RuleState;
  /** The revision that is served, or null. */
  readonly published: string | null;
  /** Why what is published is not served, under the profile of the config; null where it is, or nothing is published. */
  readonly withheld: Withheld | null;
  /** Whether the file's bytes have an approval that was given since, so that publishing them changes what counts. */
  readonly toPublish: boolean;
  readonly safety: boolean;
  /** Of the rule's text; of the whole file where nobody can tell which its text is. */
  readonly bytes: number;
  /** Why the file cannot be read, as lint has it; null where it can. */
  readonly unreadable: Finding | null;
};

export type ShownRule = RuleStatus & {
  /** Of `text`: 64 hex digits. */
  readonly digest: string;
  readonly text: string;
};

export type KeptRevision = {
  readonly rule: string;
  readonly revision: string;
  readonly state: RuleState;
  readonly text: string;
};

export type PinResult = {
  readonly name: string;
  readonly plan: string;
  readonly before: string | null;
  /** Nothing had to be written: the pin is what it was. */
  readonly unchanged: boolean;
  /** The code, where what is pinned is that there can be no plan; else null. */
  readonly refused: RefusalCode | null;
};

export type PinCheck = {
  readonly name: string;
  readonly ok: boolean;
  /** What is asked for. */
  readonly task: GuideTask;
  readonly profile: string;
  readonly pinned: string;
  readonly today: string;
  /** Lines of the plan as it was pinned, and as it is. */
  readonly before: readonly string[];
  readonly after: readonly string[];
};
