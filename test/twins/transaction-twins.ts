import type { Patch } from "./twin.ts";

/** The checks that a transaction's or a rail's twin can be caught by; see transactions.test.ts. */
export type CheckName =
  | "wholeCommits"
  | "syncedCommits"
  | "oneOwnerInMemory"
  | "oneOwnerOnSqlite"
  | "failingCalls"
  | "failingStatements"
  | "evidenceIsChecked"
  | "denyOverrides"
  | "capsAreExact"
  | "gateIsShut"
  | "provenanceIsTraced";

export type TransactionTwin = { readonly fault: string; readonly check: CheckName; readonly patches: readonly Patch[] };

const STORE = "adapters/store-sqlite/store.ts";
const GUIDE_SHELF = "adapters/store-sqlite/guide-shelf.ts";
const DATABASE = "adapters/store-sqlite/database.ts";
const RESERVATIONS = "adapters/store-sqlite/reservations.ts";
const PERFORM = "runtime/perform.ts";
const RUN = "runtime/run.ts";
const JOURNAL = "runtime/journal.ts";
const GATE = "runtime/call-tool.ts";
const DECIDE = "rails/decide.ts";
const EVIDENCE = "rails/evidence.ts";
const POLICY = "rails/policy.ts";
const CAPS = "rails/caps.ts";
const AUTHORISED = "rails/authorised.ts";
const PROVENANCE = "rails/provenance.ts";
const SEEN = "rails/provenance/seen.ts";
const WORDS = "rails/provenance/request-words.ts";

function twin(check: CheckName, fault: string, file: string, find: string, replace: string): TransactionTwin {
  return { check, fault, patches: [{ file, find, replace }] };
}

/** Ends the transaction under way and begins another. A seam is between the two, as after every commit. */
export const SPLIT = 'this.#db.statement("COMMIT").run();\n this.#db.write("committed", "BEGIN IMMEDIATE");\n';

function split(fault: string, before: string): TransactionTwin {
  return twin("wholeCommits", fault, STORE, before, SPLIT + before);
}

const NO_CONFLICT: Patch = {
  file: "ports/written-rows.ts",
  find: "if (row.seq !== previous.seq + 1 || !hangsOn(row, previous)) {",
  replace: "if (last !== null && (row.seq !== previous.seq + 1 || !hangsOn(row, previous))) {",
};

/** The effect begins inside of the deciding transaction, before its `started` row is written. */
export const EARLY_EFFECT: readonly Patch[] = [
  { file: PERFORM, find: "export type Perform = ", replace: "let early: any = null;\nexport type Perform = " },
  {
    file: PERFORM,
    find: "      token = minted;\n",
    replace: `      token = minted;
      if (minted !== null && prepared.tool !== null) {
        const call = callOf(began, command, prepared.tool, minted.params, recordOf(prepared));
        early = callTool(parts, minted, call, new Nest(parts, journal.run, command.step), null);
      }
`,
  },
  { file: PERFORM, find: "= await callTool(parts, token, call, nest, cancel);", replace: "= await early;" },
];

export const TRANSACTION_TWINS: readonly TransactionTwin[] = [
  // Each transaction cut in two
  split("begin: the run's rows and its index entry in different transactions", 'this.#db.write("insert run"'),
  split(
    "append: an ending and its head entry in different transactions",
    "if (closing !== null) this.#insertHead(last, closing);",
  ),
  split("decide: the decision and its effect in different transactions", "started = this.#start(query, effect,"),
  split("decide: the decision and its reservations in different transactions", "reserve(this.#db, { effect, own"),
  split(
    "settle: the outcome's row and its effect in different transactions",
    'if (before.keyed) this.#db.write("settle effect"',
  ),
  split("settle: the outcome and its reservations in different transactions", "settleReservations(this.#db, {"),
  twin(
    "wholeCommits",
    "append guides: the bytes and the row that is about them in different transactions",
    GUIDE_SHELF,
    "  for (const row of rows) {\n",
    '  db.statement("COMMIT").run();\n  db.write("committed", "BEGIN IMMEDIATE");\n  for (const row of rows) {\n',
  ),

  // Something of a transaction left out
  twin(
    "wholeCommits",
    "settle: the effect is not written with its row",
    STORE,
    'if (before.keyed) this.#db.write("settle effect", SQL.settleEffect, outcome, seq, effect);',
    "",
  ),
  twin("wholeCommits", "settle: reservations stay as they were", STORE, "settleReservations(this.#db, {", "void ({"),
  twin(
    "wholeCommits",
    "settle: the outcome's row is appended past the books",
    PERFORM,
    "await parts.store.settle({ run: journal.id, step, outcome, result, rows: pendingRows(journal) });",
    "await parts.store.append(pendingRows(journal), null);\n void [outcome, result];",
  ),
  twin(
    "wholeCommits",
    "settle: a failed effect gives nothing back",
    RESERVATIONS,
    'const state = { done: "settled", failed: "released", outcome_unknown: "kept" }[outcome];',
    'const state = { done: "settled", failed: "settled", outcome_unknown: "kept" }[outcome];',
  ),
  twin(
    "wholeCommits",
    "settle: an unknown effect gives its part of the cap back",
    RESERVATIONS,
    'if (outcome === "failed") for',
    'if (outcome !== "done") for',
  ),
  twin(
    "wholeCommits",
    "append: a run ends without a head entry",
    STORE,
    "if (closing !== null) this.#insertHead(",
    "void (",
  ),
  twin(
    "wholeCommits",
    "decide: a denial is not written",
    PERFORM,
    'if (decision.outcome !== "permit" || prepared.tool === null)\n    return [{ rows: pendingRows(journal), start: null }, null];',
    'if (decision.outcome !== "permit" || prepared.tool === null)\n    return [{ rows: pendingRows(journal).slice(0, -1), start: null }, null];',
  ),
  twin(
    "wholeCommits",
    "decide: an effect starts without its reservations",
    STORE,
    "reserve(this.#db, { effect, own, capUse, reservations,",
    "reserve(this.#db, { effect, own, capUse, reservations: reservations.slice(1),",
  ),

  // Durability
  twin("syncedCommits", "commits are not synced in the log", DATABASE, "synchronous = FULL", "synchronous = NORMAL"),
  twin("syncedCommits", "commits are not synced at all", DATABASE, "synchronous = FULL", "synchronous = OFF"),

  // Two owners
  twin(
    "oneOwnerInMemory",
    "in memory: the conflict check is left out",
    "ports/written-rows.ts",
    "if (row.seq !== previous.seq + 1 || !hangsOn(row, previous)) {",
    "if (last !== null && (row.seq !== previous.seq + 1 || !hangsOn(row, previous))) {",
  ),
  // On SQLite the triggers stop a second owner as well. Without them it would get through; with them it does not say why.
  { check: "oneOwnerOnSqlite", fault: "on SQLite: the conflict check is left out", patches: [NO_CONFLICT] },
  twin(
    "oneOwnerOnSqlite",
    "a run that another carries blames the ledger",
    RUN,
    'error.code === "conflict" ? "failed" : "ledger_unavailable"',
    '"ledger_unavailable"',
  ),

  // The storage fails
  twin(
    "failingCalls",
    "a decision that was not written is carried out",
    PERFORM,
    "    restore(journal, before);\n    throw error;\n  }\n  written(journal);\n  return token;",
    "    restore(journal, before);\n  }\n  written(journal);\n  return token;",
  ),
  twin(
    "failingCalls",
    "an outcome that was not written is forgotten",
    PERFORM,
    "    restore(journal, before);\n    throw error;\n  }\n  written(journal);\n}\n",
    "    restore(journal, before);\n  }\n  written(journal);\n}\n",
  ),
  twin(
    "failingCalls",
    "rows that were not written do not stop the run",
    JOURNAL,
    "await parts.store.append(pendingRows(journal), null);",
    "await parts.store.append(pendingRows(journal), null).catch(() => {});",
  ),
  twin(
    "failingCalls",
    "an ending that was not written is an ending",
    RUN,
    "await parts.store.append(pendingRows(journal), closingOf(journal, event));",
    "await parts.store.append(pendingRows(journal), closingOf(journal, event)).catch(() => {});",
  ),
  { check: "failingCalls", fault: "the effect begins while its decision is being written", patches: EARLY_EFFECT },
  twin(
    "failingStatements",
    "a failed transaction is not rolled back",
    DATABASE,
    "      } catch (error) {\n        this.#rollBack();\n        throw error;\n      }\n      this.#at",
    '      } catch (error) {\n        this.statement("COMMIT").run();\n        throw error;\n      }\n      this.#at',
  ),

  // The last gate
  twin(
    "gateIsShut",
    "the gate is removed",
    GATE,
    "if (!isAuthorised(token, context.run, context.step, tool.name) || token.params !== call.params) {",
    "if (token === undefined) {",
  ),
  twin(
    "gateIsShut",
    "the gate believes any likeness",
    AUTHORISED,
    'if (typeof value !== "object" || value === null || !(#stamp in value)) return false;\n    return value.#stamp && ',
    'if (typeof value !== "object" || value === null || !("run" in value)) return false;\n    return ',
  ),
  twin("gateIsShut", "a token is good for every step", AUTHORISED, " && value.step === step", ""),
  twin("gateIsShut", "a token is good for any params", GATE, " || token.params !== call.params", ""),

  // Provenance
  twin(
    "provenanceIsTraced",
    "provenance is not checked",
    DECIDE,
    "checkProvenance(tool, checked.params, context.provenance)",
    "null as ReturnType<typeof checkProvenance>",
  ),
  twin("provenanceIsTraced", "a part of a word was seen", SEEN, "endsFree(request.plain, end)", "end > 0"),
  twin("provenanceIsTraced", "the end of a word was seen", WORDS, "if (!startsFree(text, at)) return false;", ""),
  twin(
    "provenanceIsTraced",
    "what was seen anywhere counts",
    PROVENANCE,
    'source !== "untrusted" && rule.from.includes(source)',
    "source !== null && rule.from.length > 0",
  ),
  twin("provenanceIsTraced", "every field is trusted", SEEN, 'if (trusted === "all") return true;', "return true;"),
  twin("provenanceIsTraced", "an echo vouches for itself", SEEN, " || names.some((name) => echoes.has(name))", ""),

  // Evidence
  twin(
    "evidenceIsChecked",
    "evidence is not checked",
    DECIDE,
    "if (unfit !== null) return denied(",
    "if (unfit === undefined) return denied(",
  ),
  twin(
    "evidenceIsChecked",
    "an empty list passes",
    EVIDENCE,
    "if (cited.length < rule.min) {",
    "if (cited.length < 0) {",
  ),
  twin(
    "evidenceIsChecked",
    "an unknown id is passed over",
    EVIDENCE,
    "if (item === undefined) return",
    "if (item === undefined) continue;\n    if (item === undefined) return",
  ),
  twin(
    "evidenceIsChecked",
    "anybody's event will do",
    EVIDENCE,
    "if (item.owner !== undefined && ",
    "if (item.owner === undefined && ",
  ),
  twin(
    "evidenceIsChecked",
    "old evidence is as good",
    EVIDENCE,
    "if (rule.maxAgeMs !== undefined && ",
    "if (rule.maxAgeMs === undefined && ",
  ),
  twin(
    "evidenceIsChecked",
    "a field needs no one to vouch for it",
    EVIDENCE,
    "if (value === undefined) continue;",
    "continue;",
  ),

  // Deny overrides
  twin(
    "denyOverrides",
    "a permit overrides a deny",
    POLICY,
    'verdicts.find((verdict) => verdict.effect === "deny") ??\n    together(verdicts) ??\n    verdicts.find((verdict) => verdict.effect === "permit")',
    'verdicts.find((verdict) => verdict.effect === "permit") ??\n    together(verdicts) ??\n    verdicts.find((verdict) => verdict.effect === "deny")',
  ),
  twin(
    "denyOverrides",
    "a permit overrides a stage",
    POLICY,
    'together(verdicts) ??\n    verdicts.find((verdict) => verdict.effect === "permit")',
    'verdicts.find((verdict) => verdict.effect === "permit") ??\n    together(verdicts)',
  ),
  twin(
    "denyOverrides",
    "the first rule decides",
    POLICY,
    'verdicts.find((verdict) => verdict.effect === "deny") ??',
    "verdicts[0] ??",
  ),
  twin(
    "denyOverrides",
    "a rule that throws is skipped",
    POLICY,
    "} catch {\n    return denied(rule.id, ",
    "} catch {\n    if (rule.id !== null) return null;\n    return denied(rule.id, ",
  ),
  twin(
    "denyOverrides",
    "silence permits",
    POLICY,
    'return denied("default", denial("no_permit", "no rule permits this"));',
    'return { effect: "permit", rule: "default" };',
  ),

  // Caps
  twin(
    "capsAreExact",
    "one unit too many",
    CAPS,
    "slot.used + want.amount > want.limit",
    "slot.used + want.amount > want.limit + 1",
  ),
  twin(
    "capsAreExact",
    "one unit too few",
    CAPS,
    "slot.used + want.amount > want.limit",
    "slot.used + want.amount >= want.limit",
  ),
  twin(
    "capsAreExact",
    "what others hold does not count",
    CAPS,
    "slot.used + want.amount > want.limit",
    "want.amount > want.limit",
  ),
  twin(
    "capsAreExact",
    "an amount may be negative",
    CAPS,
    "!Number.isSafeInteger(amount) || amount < 0",
    "!Number.isSafeInteger(amount)",
  ),
];
