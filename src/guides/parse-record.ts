import {
  type Cited,
  GUIDE_RECORD_KINDS,
  type GuideRecord,
  type GuideRecordKind,
  type GuideSignature,
} from "../domain/guide-record.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { isDigest } from "../domain/revision.ts";
import type { Row } from "../domain/row.ts";

/**
 * Reads a row of the guides' chain as the record that it is. Every field is there, of its type, and there is no other: a
 * record that says more than we understand may mean something else.
 */
export function parseRecord({ at, body, kind }: Pick<Row, "at" | "kind" | "body">): Parsed<GuideRecord> {
  const known = GUIDE_RECORD_KINDS.find((one) => one === kind);
  if (known === undefined) return unparsed("unknown_kind", `no record of the guides is of the kind ${kind}`);
  if (!isJsonObject(body)) return unreadable("its body is no object");
  const fields: Fields = FIELDS[known];
  for (const [name, isOf] of Object.entries(fields)) {
    const value = own(body, name);
    if (value === undefined || !isOf(value)) return unreadable(`${name} is missing, or is not what it should be`);
  }
  const stray = Object.keys(body).find((name) => !Object.hasOwn(fields, name));
  if (stray !== undefined) return unreadable(`${stray} is no field of ${known}`);
  const record = { kind: known, at, ...body } as GuideRecord;
  if (record.kind === "guide_verified" && record.passed !== record.findings.every(isNoError)) {
    return unreadable("whether it passed is not what its findings say");
  }
  return parsed(record);
}

/** What the row of a record says: all of it but what the row says itself. */
export function bodyOfRecord(record: GuideRecord): JsonObject {
  const { kind: _kind, at: _at, ...body } = record;
  return body as unknown as JsonObject;
}

function isNoError({ severity }: { readonly severity: string }): boolean {
  return severity !== "error";
}

type IsOf = (value: Json) => boolean;
type Fields = { readonly [name: string]: IsOf };
type FieldsOf<Kind extends GuideRecordKind> = {
  readonly [name in Exclude<keyof Extract<GuideRecord, { kind: Kind }>, "kind" | "at">]: IsOf;
};

const isText: IsOf = (value) => typeof value === "string";
const isName: IsOf = (value) => typeof value === "string" && value !== "";
const isTruth: IsOf = (value) => typeof value === "boolean";
const areTexts: IsOf = (value) => Array.isArray(value) && value.every((item: Json) => isText(item));

function orNull(isOf: IsOf): IsOf {
  return (value) => value === null || isOf(value);
}

/** An object of exactly these fields. */
function exactly(fields: Fields): IsOf {
  const names = Object.keys(fields);
  return (value) =>
    isJsonObject(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => {
      const inner = own(value, name);
      return inner !== undefined && fields[name]?.(inner) === true;
    });
}

const isFinding = exactly({
  rule: isText,
  severity: (value) => value === "error" || value === "warning",
  where: isText,
  message: isText,
});

const isCited = exactly({
  seq: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  hash: isDigest,
} satisfies { readonly [name in keyof Cited]: IsOf });

const isSignature = exactly({
  format: (value) => value === "ssh" || value === "ed25519",
  value: isName,
  key: isName,
} satisfies { readonly [name in keyof GuideSignature]: IsOf });

const isTask = exactly({ text: isText, app: orNull(isText), paths: areTexts });

const FIELDS: { readonly [Kind in GuideRecordKind]: FieldsOf<Kind> } = {
  guide_verified: {
    rule: isName,
    revision: isDigest,
    file: isName,
    checks: areTexts,
    findings: (value) => Array.isArray(value) && value.every((item: Json) => isFinding(item)),
    passed: isTruth,
    profiles: (value) => isJsonObject(value) && Object.values(value).every(isDigest),
    map: orNull(isDigest),
    tool: isName,
  },
  guide_approved: {
    rule: isName,
    revision: isDigest,
    verification: isCited,
    by: isName,
    role: isName,
    why: isName,
    signature: orNull(isSignature),
  },
  guide_revoked: { rule: isName, revision: isDigest, approval: isCited, by: isName, why: isName },
  guide_published: { rule: isName, revision: isDigest, approval: isCited, by: isName },
  guide_withdrawn: { rule: isName, revision: isDigest, by: isName, why: isName },
  guide_pinned: {
    name: isName,
    task: isTask,
    profile: isName,
    plan: isDigest,
    lines: areTexts,
    by: isName,
    reason: orNull(isName),
  },
};

function unreadable(detail: string): ReturnType<typeof unparsed> {
  return unparsed("unreadable_record", detail);
}
