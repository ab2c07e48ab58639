/** The files of an import: the rule files of other tools, and the drafts that are made of them. */
export { type ForeignFolder, READ_BOUNDS, type ReadBounds, readForeign } from "./read-foreign.ts";
export { WRITE_REFUSALS, type WriteRefusal, type WrittenDraft, writeDrafts } from "./write-drafts.ts";
