export { FOLDER_LIMITS, type FolderLimits, guidesFolder } from "./guides-folder.ts";
