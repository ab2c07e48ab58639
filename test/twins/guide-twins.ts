import type { Patch } from "./twin.ts";

/** The checks that a twin of the approval chain can be caught by; see guides.ts. */
export type GuideCheck = "publicationIsApproved" | "storesKeepTheLaws" | "servingChecksAgain" | "signaturesAreChecked";

export type GuideTwin = { readonly fault: string; readonly check: GuideCheck; readonly patches: readonly Patch[] };

const CHAIN = "guides/chain.ts";
const WITHHOLD = "guides/withhold.ts";
const PUBLISH = "runtime/guides/publish.ts";
const PERSON = "runtime/guides/person.ts";
const LOAD = "runtime/guides/load-served.ts";
const READ = "runtime/guides/read-chain.ts";
const SERVING = "runtime/guides/serving.ts";
const APPROVE = "runtime/guides/approve.ts";
const CIRCUMSTANCES = "runtime/guides/circumstances.ts";
const SCHEMA = "adapters/store-sqlite/schema-guides.ts";
const MEMORY = "adapters/store-memory/guide-shelf.ts";
const SQLITE = "adapters/store-sqlite/guide-shelf.ts";

function twin(check: GuideCheck, fault: string, file: string, find: string, replace: string): GuideTwin {
  return { check, fault, patches: [{ file, find, replace }] };
}

/** The judge looks at no approval that a publication cites. */
const UNREAD: Patch = {
  file: CHAIN,
  find: 'const bad = judgeCited(state, publication, publication.approval, "guide_approved");',
  replace: "const bad = null as Judged | null;",
};

export const GUIDE_TWINS: readonly GuideTwin[] = [
  // The publication that does not read the approval: at the verb, at the judge, and all the way.
  twin(
    "publicationIsApproved",
    "publish: the newest row is cited, whatever it is",
    PUBLISH,
    "const { hash, seq } = await approvalToCite(parts, state, of);",
    "const { hash, seq } = state;",
  ),
  twin("servingChecksAgain", "judge: a publication's approval is not read", UNREAD.file, UNREAD.find, UNREAD.replace),
  {
    check: "publicationIsApproved",
    fault: "publish, judge and store: a publication cites the newest verification, and nobody asks for an approval",
    patches: [
      UNREAD,
      {
        file: PUBLISH,
        find: "const { hash, seq } = await approvalToCite(parts, state, of);",
        replace: "const { hash, seq } = newestPassing(state, of) ?? state;",
      },
      {
        file: MEMORY,
        find: `      if (seq === null || facts.revoked.has(seq)) throw broken("published");
      if ((facts.w`,
        replace: "      if ((facts.w",
      },
    ],
  },
  twin(
    "publicationIsApproved",
    "publish: the bytes that were approved before are taken for those of the file",
    PUBLISH,
    ": ofFile(folder, id)",
    ': { ...ofFile(folder, id), revision: revisionsOf(state, id)[0] ?? "" }',
  ),
  twin(
    "publicationIsApproved",
    "publish: a header that cannot be read blocks nothing",
    PUBLISH,
    "  refuseUnreadable(parts, folder);\n",
    "  void refuseUnreadable;\n",
  ),
  twin(
    "publicationIsApproved",
    "serve: an approval that was taken back is as good as another",
    WITHHOLD,
    "if (revoked !== undefined) return {",
    "if (revoked === 0) return {",
  ),
  twin(
    "publicationIsApproved",
    "approve: as few digits as can be had on purpose",
    APPROVE,
    "namedRevision(state, id, APPROVED_DIGITS_MIN)",
    "namedRevision(state, id)",
  ),
  twin(
    "publicationIsApproved",
    "approve: anybody may who is in the config",
    PERSON,
    "if (hasRole(by.roles, role)) return by;",
    "return by;",
  ),
  twin(
    "publicationIsApproved",
    "judge: an approval is said again after it was taken back",
    CHAIN,
    "if (state.used.has(useKey(verification.seq, by))) {",
    "if (state.used.has(by)) {",
  ),
  {
    check: "publicationIsApproved",
    fault: "publish, judge and store: what was approved before a withdrawal is approved still",
    patches: [
      {
        file: "guides/standing.ts",
        find: ".filter((seq) => seq > withdrawn && !state.revoked.has(seq))",
        replace: ".filter((seq) => withdrawn >= 0 && !state.revoked.has(seq))",
      },
      {
        file: CHAIN,
        find: "if (withdrawn > publication.approval.seq) {",
        replace: "if (withdrawn > state.seq) {",
      },
      { file: MEMORY, find: 'if ((facts.withdrawn.get(of) ?? 0) > seq) throw broken("published");', replace: "" },
    ],
  },
  twin(
    "servingChecksAgain",
    "judge: a withdrawal is forgotten by the next publication",
    CHAIN,
    "if (withdrawn > publication.approval.seq) {",
    "if (withdrawn > state.seq) {",
  ),
  twin(
    "servingChecksAgain",
    "judge: what was verified before it was withdrawn will do",
    CHAIN,
    "if (back < verification.seq) return FINE;",
    "if (back <= state.seq) return FINE;",
  ),

  // The stores
  twin(
    "storesKeepTheLaws",
    "memory: an approval may rest on what was verified before a withdrawal",
    MEMORY,
    'if ((facts.takenBack.get(of) ?? 0) > seq) throw broken("approved");',
    "",
  ),
  twin(
    "storesKeepTheLaws",
    "memory: a withdrawal is forgotten by the next publication",
    MEMORY,
    'if ((facts.withdrawn.get(of) ?? 0) > seq) throw broken("published");',
    "",
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: an approval may rest on what was verified before a withdrawal",
    SCHEMA,
    `AND \${notSince("verification")}\``,
    "`",
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: a withdrawal is forgotten by the next publication",
    SCHEMA,
    `AND \${notSince("approval", " AND t.kind = 'guide_withdrawn'")}\n`,
    "\n",
  ),
  twin(
    "storesKeepTheLaws",
    "memory: a publication cites what it likes",
    MEMORY,
    `      if (seq === null || facts.revoked.has(seq)) throw broken("published");
      if ((facts.w`,
    "      if ((facts.w",
  ),
  twin(
    "storesKeepTheLaws",
    "memory: an approval is used twice",
    MEMORY,
    "if (!passed || facts.used.has(use))",
    "if (!passed)",
  ),
  twin(
    "storesKeepTheLaws",
    "memory: another rule's receipt will do",
    MEMORY,
    'const same = ["rule", "revision"].every(',
    'const same = ["revision"].some(() => true) || ["rule"].every(',
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: the trigger of publications is gone",
    SCHEMA,
    `  published: \`\${STANDS}\n`,
    `  published: \`TRUE OR \${STANDS}\n`,
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: a citation is only a number",
    SCHEMA,
    `
    AND c.body ->> '$.rule' = NEW.body ->> '$.rule' AND c.body ->> '$.revision' = NEW.body ->> '$.revision'\${further})`,
    `\${further})`,
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: a row cites itself or a later one",
    SCHEMA,
    " AND c.seq < NEW.seq",
    " OR NEW.seq = NEW.body ->> '$.verification.seq'",
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: rows and revisions can be changed",
    SCHEMA,
    '[never("guide_rows", "UPDATE"), never("guide_rows", "DELETE"), REVISION_LAW, never("revisions", "DELETE")]',
    '[never("guide_rows", "DELETE"), never("revisions", "DELETE")]',
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: bytes are kept under any name",
    SQLITE,
    'if (hash("sha256", bytes, "hex") !== digest) throw',
    'if (hash("sha256", bytes, "hex") === "") throw',
  ),
  twin(
    "storesKeepTheLaws",
    "sqlite: a verification needs no bytes",
    SCHEMA,
    "verified: \"EXISTS (SELECT 1 FROM revisions b WHERE b.digest = NEW.body ->> '$.revision')\"",
    'verified: "TRUE"',
  ),

  // The gate behind the store
  twin(
    "servingChecksAgain",
    "judge: a citation may point ahead",
    CHAIN,
    "if (cited.seq > state.seq) return refused(",
    "if (cited.seq > state.seq) return null;\n  if (cited.seq < 0) return refused(",
  ),
  twin(
    "servingChecksAgain",
    "judge: another rule's receipt will do",
    CHAIN,
    "if (receipt.rule !== record.rule) {",
    "if (receipt.rule === null) {",
  ),
  twin(
    "servingChecksAgain",
    "load: the bytes are not named anew",
    LOAD,
    "if (digest !== revision) return",
    "if (digest === revision.slice(1)) return",
  ),
  twin(
    "servingChecksAgain",
    "resume: what the row says was served is served",
    SERVING,
    "return altered === null ? null : refusalText(altered);",
    "return altered === null || altered.rules.length === 0 ? null : refusalText(altered);",
  ),
  twin(
    "servingChecksAgain",
    "load: the hashes of the chain are not worked out anew",
    READ,
    "const verified = verifyRun(rows, ledgerHash, known);",
    "const verified = verifyRun([], ledgerHash, known);",
  ),
  twin(
    "servingChecksAgain",
    "serve: who lost the role still approves",
    CIRCUMSTANCES,
    "hasRole(parts.approvers.get(by)?.roles ?? [], wanted)",
    'hasRole(parts.approvers.get(by)?.roles ?? [], wanted) || by !== ""',
  ),
  twin(
    "servingChecksAgain",
    "run: what is withheld from a new run is told to an older one",
    "runtime/guides/serving.ts",
    "if (held !== null) return",
    'if (held?.detail === "") return',
  ),
  twin(
    "servingChecksAgain",
    "run: what was withdrawn is told to an older run",
    "runtime/guides/serving.ts",
    "if (withdrawn > 0) return",
    "if (withdrawn < 0) return",
  ),
  twin(
    "servingChecksAgain",
    "serve: a missing signature is as good as one",
    WITHHOLD,
    'return serving.signaturesRequired\n        ? { code: "signature_missing"',
    'return serving.role === ""\n        ? { code: "signature_missing"',
  ),
  twin(
    "servingChecksAgain",
    "serve: the folder is not looked at",
    LOAD,
    "const unreadable = await unreadableNow(parts);",
    "const unreadable = (await unreadableNow(parts)).slice(0, 0);",
  ),

  // Signatures
  twin(
    "signaturesAreChecked",
    "approve: a signature is kept, and not looked at",
    APPROVE,
    "if (read.ok) return read.value;",
    'return read.ok ? read.value : { format: "ssh", value, key: "SHA256:" };',
  ),
  twin(
    "signaturesAreChecked",
    "any key will do",
    "adapters/signatures/signatures.ts",
    "if (!keys.some((key) => key.blob === blob)) refuse(",
    'if (blob === "") refuse(',
  ),
  twin(
    "signaturesAreChecked",
    "statement: it says nothing of the rule and its bytes",
    "guides/statement.ts",
    "{ statement: STATEMENT, by, revision, role, rule, verification: { hash, seq }, why }",
    "{ statement: STATEMENT, by, role, why, of: [revision, rule, hash, seq].length }",
  ),
  twin(
    "signaturesAreChecked",
    "serve: a signature is not looked at again",
    CIRCUMSTANCES,
    'if (signature === null) return { kind: "missing" };',
    'return signature === null ? { kind: "missing" } : { kind: "valid" };',
  ),
];
