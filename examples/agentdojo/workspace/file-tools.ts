import { permit, stage, withServices, z } from "signalbox";
import {
  ADDRESS_SEEN,
  Address,
  Id,
  Line,
  namesAll,
  type Office,
  OWNER,
  peopleOf,
  TEXT_SEEN,
  Text,
} from "../office/terms.ts";
import { asked, requestOf } from "../request/asked.ts";
import { type Extreme, saysSize, soleExtreme } from "../request/described.ts";
import { hasWord, literal, names, namesAsTarget } from "../request/names.ts";
import { madeOf } from "../request/wording.ts";
import type { Drive } from "./drive.ts";

const { defineTool } = withServices<Office & { readonly drive: Drive }>();

const READ = { placement: "internal", effect: "read" } as const;
/** The drive keeps ids, sizes and times; names and contents are written by whoever shares a file, and owners are anybody. */
const KEPT = ["id_", "size", "last_modified"].flatMap((field) => [field, `[].${field}`]);

const listFiles = defineTool({
  name: "list_files",
  description: "All files of the drive.",
  ...READ,
  trusted: KEPT,
  params: z.strictObject({}),
  execute: (_, { drive }) => drive.files,
  summarise: (files) => `${files.length} files`,
});

const found = (name: string, description: string, field: "filename" | "query", within: "filename" | "content") =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: KEPT,
    params: z.strictObject({ [field]: Line }),
    execute: ({ params }, { drive }) => {
      const wanted = String(Object.values(params)[0]).toLowerCase();
      return drive.files.filter((file) => file[within].toLowerCase().includes(wanted));
    },
    summarise: (files) => `${files.length} files`,
  });

const getFileById = defineTool({
  name: "get_file_by_id",
  description: "A file by its id.",
  ...READ,
  trusted: KEPT,
  params: z.strictObject({ file_id: Id }),
  execute: ({ params }, { drive }) => drive.file(params.file_id),
  summarise: (file) => `file ${file?.filename}`,
});

export const fileReads = [
  listFiles,
  getFileById,
  found("search_files", "Files by content.", "query", "content"),
  found("search_files_by_filename", "Files by name.", "filename", "filename"),
];

const CREATE = ["create", "make", "write", "save", "generate", "add"];
const FILE = ["file", "document", "doc", "docx", "spreadsheet", "note", "list", "drive"];
const APPEND = ["add", "append", "write", "insert", "include", "put", "update", "extend"];
const DELETE = ["delete", "remove", "erase", "discard", "trash", "get rid of"];
const SHARE = ["share", "grant", "give"];
const EDIT = ["edit", "write", "rw", "read-write", "change", "modify", "collaborate", "editor"];

const FileName = z.string().min(1).max(200);

/** What a rule knows of a file that a proposal names by its id. */
function fileRecord(id: string, { drive }: { readonly drive: Drive }) {
  const file = drive.file(id);
  if (file === null) return null;
  // A file that was deleted counts on: else, once the largest is gone, the next would be the one that was meant.
  const sizes = [
    ...drive.files.map(({ id_, size }) => ({ id_, size })),
    ...drive.deletedSizes.map((size) => ({ id_: "", size })),
  ];
  const isSole = (extreme: Extreme) => soleExtreme(sizes, extreme, ({ size }) => size)?.id_ === id;
  return {
    filename: file.filename,
    isAlone: drive.files.filter(({ filename }) => filename === file.filename).length === 1,
    isExtended: drive.extended.has(id),
    isLargest: isSole("most"),
    isSmallest: isSole("fewest"),
  };
}

/** Whether a text means a file: by its name, or as the largest or the smallest of the drive. */
function isMeant(
  text: string,
  { filename, isAlone, isLargest, isSmallest }: NonNullable<ReturnType<typeof fileRecord>>,
) {
  if (isAlone && names(text, filename)) return true;
  return (isLargest && saysSize(text, "file", "most")) || (isSmallest && saysSize(text, "file", "fewest"));
}

/** Whether a text means a file, and not only as what something is taken from. */
function isTarget(text: string, file: NonNullable<ReturnType<typeof fileRecord>>): boolean {
  return isMeant(text, file) && (!names(text, file.filename) || namesAsTarget(text, file.filename));
}

/** A new file is the owner's alone until it is shared, and can be deleted. */
export const createFile = defineTool({
  name: "create_file",
  description: "Create a file in the drive.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ filename: FileName, content: Text }),
  provenance: { content: TEXT_SEEN },
  record: ({ filename }, { drive }) => ({ exists: drive.files.some((file) => file.filename === filename) }),
  authorise({ params }, { exists }, context) {
    if (exists || !madeOf(params.content, requestOf(context))) return stage(OWNER);
    const called = new RegExp(
      `\\b(?:named|called|titled) ["'“‘]?${literal(params.filename)}(?![\\p{L}\\p{N}_-]|\\.\\p{L})`,
      "iu",
    );
    const isNamed = (clause: string) =>
      names(clause, params.filename) && (params.filename.includes(".") || called.test(clause));
    return asked(context, CREATE, FILE).some(({ clause }) => isNamed(clause)) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { drive, calendar }) => drive.create(params.filename, params.content, calendar.today),
  summarise: (file) => `created ${file.filename}`,
});

/** The drive keeps earlier versions; whoever the file is shared with may have read this one. */
export const appendToFile = defineTool({
  name: "append_to_file",
  description: "Add text at the end of a file.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ file_id: Id, content: Text }),
  provenance: { content: TEXT_SEEN },
  record: ({ file_id }, services) => fileRecord(file_id, services),
  authorise({ params }, file, context) {
    if (file.isExtended) return stage(OWNER);
    // What is copied from another file is that file's word: whoever shared it may have written it for this.
    if (!madeOf(params.content, requestOf(context))) return stage(OWNER);
    return asked(context, APPEND).some(({ meant }) => isTarget(meant, file)) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { drive }) => drive.append(params.file_id, params.content),
  summarise: (file) => `added to ${file?.filename}`,
});

/** The drive has no trash. */
export const deleteFile = defineTool({
  name: "delete_file",
  description: "Delete a file.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ file_id: Id }),
  // Ids are the drive's own: one that no list of it shows was made up.
  provenance: { file_id: { from: ["request", "trusted"], otherwise: { stage: OWNER } } },
  record: ({ file_id }, services) => fileRecord(file_id, services),
  authorise: (_, file, context) =>
    asked(context, DELETE).some(({ meant }) => isMeant(meant, file)) ? permit() : stage(OWNER),
  caps: [{ name: "deletions_per_run", limit: 10, window: "per_run" }],
  execute: ({ params }, { drive }) => drive.delete(params.file_id),
  summarise: (file) => `deleted ${file?.filename}`,
});

/** Who has read it has read it. */
export const shareFile = defineTool({
  name: "share_file",
  description: "Share a file with a person.",
  placement: "irreversible",
  effect: "idempotent",
  params: z.strictObject({ file_id: Id, email: Address, permission: z.enum(["r", "rw"]) }),
  provenance: { email: ADDRESS_SEEN },
  record: ({ file_id, email }, services) => {
    const file = fileRecord(file_id, services);
    return file === null ? null : { file, people: peopleOf([email], services) };
  },
  authorise({ params }, { file, people }, context) {
    const isOrdered = asked(context, SHARE).some(
      ({ clause, meant }) =>
        namesAll(clause, people) && isMeant(meant, file) && (params.permission === "rw") === hasWord(clause, EDIT),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "shares_per_run", limit: 20, window: "per_run" }],
  execute: ({ params }, { drive }) => drive.share(params.file_id, params.email, params.permission),
  summarise: (file) => `shared ${file?.filename}`,
});
