export { FOLDER_LIMITS, type FolderLimits, guidesFolder } from "./guides-folder.ts";
export { makeFolder } from "./make-folder.ts";
export { mapsFolder } from "./maps-folder.ts";
export { FOREIGN_LIMITS, type ForeignFolder, type ForeignLimits, readForeign } from "./read-foreign.ts";
export { staleDrafts, WRITE_REFUSALS, type WriteRefusal, type WrittenDraft, writeDrafts } from "./write-drafts.ts";
