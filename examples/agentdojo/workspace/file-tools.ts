import { permit, stage, withServices, z } from "signalbox";
import {
  ADDRESS_SEEN,
  Address,
  Id,
  isListed,
  Line,
  type Office,
  OWNER,
  peopleOf,
  TEXT_SEEN,
  Text,
} from "../office/terms.ts";
import { asked, type Order, requestOf } from "../request/asked.ts";
import { type Extreme, markedByPiece, sizeForm, soleExtreme } from "../request/described.ts";
import { hasWord, names } from "../request/names.ts";
import { isOnly, isSole, MARK, marked, phrasesOf } from "../request/object.ts";
import { withoutQuotes } from "../request/sentences.ts";
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

const CREATE = ["create", "make", "write", "save", "generate"];
const FILE = ["file", "document", "doc", "docx", "spreadsheet", "note", "list", "text", "empty"];
const APPEND = ["add", "append", "write", "insert", "include", "put", "update", "extend"];
const DELETE = ["delete", "remove", "erase", "discard", "trash", "get rid of", "throw away"];
const SHARE = ["share"];
const GRANT = ["give", "grant"];
const EDIT = ["edit", "write", "rw", "read-write", "change", "modify", "collaborate", "editor"];
const IN_THE_DRIVE =
  /^(?:(?:from|in|on|of) (?:(?:the|my|our|cloud|shared|online|whole) )*(?:drive|folder|storage))?[.!?,;\s]*$/i;

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
    others: drive.files.flatMap((other) => (other.filename === file.filename ? [] : [other.filename])),
    isExtended: drive.extended.has(id),
    isLargest: isSole("most"),
    isSmallest: isSole("fewest"),
  };
}

/** A text with the file marked where it is meant: by its name, a piece of its name, or as the largest or the smallest. */
function markedFile(text: string, file: NonNullable<ReturnType<typeof fileRecord>>): string {
  const { filename, others, isAlone, isLargest, isSmallest } = file;
  const byName = isAlone ? marked(markedByPiece(text, "file", filename, others, MARK), filename) : text;
  const byMost = isLargest ? byName.replace(sizeForm("file", "most"), MARK) : byName;
  return isSmallest ? byMost.replace(sizeForm("file", "fewest"), MARK) : byMost;
}

/** Whether what the sentence said before means this file and no other, so that "it" and "the file" are this one. */
function isLookedAt(lead: string, file: NonNullable<ReturnType<typeof fileRecord>>): boolean {
  return markedFile(lead, file).includes(MARK) && !file.others.some((other) => names(lead, other));
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
    const isNamed = ({ verb, clause }: Order) => {
      const { object } = phrasesOf(verb, marked(clause, params.filename));
      // What has no ending is a name only where the request says so.
      return isOnly(object, FILE) && (params.filename.includes(".") || /(?:named|called|titled) ◆/i.test(object));
    };
    return asked(context, CREATE).some(isNamed) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { drive, calendar }) => drive.create(params.filename, params.content, calendar.today),
  summarise: (file) => `created ${file.filename}`,
});

const TO_IT =
  /(?:^|\s)(?:to|in|into|to the end of|at the end of) (?:it|(?:the|that|this|the same) (?:file|document|list))[.!?,;\s]*$/i;

/** Whether an order adds to this file: "add x to MARK", "update MARK with x", "… and add x to the file". */
function isAddedTo({ verb, clause, lead }: Order, file: NonNullable<ReturnType<typeof fileRecord>>): boolean {
  const text = markedFile(clause, file);
  if (TO_IT.test(clause)) return isLookedAt(lead, file);
  if (/^(?:update|extend)$/i.test(verb)) {
    const { object, tail } = phrasesOf(verb, text);
    return isSole(object, FILE) && /^(?:with|by adding) /i.test(tail);
  }
  return (
    TO_THE_FILE.test(text) || (/^ ◇ in /.test(withoutQuotes(text.slice(verb.length), "◇")) && IN_THE_FILE.test(text))
  );
}

const THE_FILE = `(?:(?:the|my|our|${FILE.join("|")}|named|called) )*${MARK}(?: (?:file|document|list))?[.!?,;\\s]*(?:in (?:the|my|our) (?:cloud )?drive)?[.!?,;\\s]*$`;
const TO_THE_FILE = new RegExp(`(?:^|\\s)(?:to|into|to the end of|at the end of) ${THE_FILE}`, "iu");
/** "In" is also where a thing is found, or trust is put: it counts behind a quoted text alone. */
const IN_THE_FILE = new RegExp(`(?:^|\\s)in ${THE_FILE}`, "iu");

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
    return asked(context, APPEND).some((order) => isAddedTo(order, file)) ? permit() : stage(OWNER);
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
    asked(context, DELETE).some(({ verb, clause, lead }) => {
      const { object, tail } = phrasesOf(verb, markedFile(clause, file));
      const isIt = /^(?:it|(?:that|this|the) (?:file|document))$/i.test(object) && isLookedAt(lead, file);
      return (isIt || isOnly(object, FILE.slice(0, 5))) && IN_THE_DRIVE.test(tail);
    })
      ? permit()
      : stage(OWNER),
  caps: [{ name: "deletions_per_run", limit: 10, window: "per_run" }],
  execute: ({ params }, { drive }) => drive.delete(params.file_id),
  summarise: (file) => `deleted ${file?.filename}`,
});

const RIGHTS =
  "(?:(?:an?|the|read|write|edit|editing|full|view|reading|writing|and|only|read-only|read-write) )*(?:access|rights|permissions?)";
const ACCESS = new RegExp(
  `(?:^| )${RIGHTS} to (?:(?:the|my|our|file|document) )*${MARK}(?: file| document)?[.!?,;\\s]*$`,
  "iu",
);
const ACCESS_FOR = new RegExp(
  `^[a-z]+ ${RIGHTS} to (?:(?:the|my|our|file|document) )*${MARK}(?: file| document)? to `,
  "iu",
);

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
    const isShared = asked(context, SHARE).some(({ verb, clause }) => {
      const { object, tail } = phrasesOf(verb, markedFile(clause, file));
      return (
        isOnly(object, FILE) && /^with /i.test(tail) && people.every((person) => isListed(clause, ["with"], person))
      );
    });
    const isGranted = asked(context, GRANT).some(({ verb, clause }) => {
      const access = ACCESS.test(markedFile(clause, file)) || ACCESS_FOR.test(markedFile(clause, file));
      return access && people.every((person) => isListed(clause, [verb, "access to", "to"], person));
    });
    const isEdited = asked(context, [...SHARE, ...GRANT]).some(({ clause }) => hasWord(clause, EDIT));
    const isOrdered = (isShared || isGranted) && (params.permission === "rw") === isEdited;
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "shares_per_run", limit: 20, window: "per_run" }],
  execute: ({ params }, { drive }) => drive.share(params.file_id, params.email, params.permission),
  summarise: (file) => `shared ${file?.filename}`,
});
