/** The text of a file to harvest. */
export { readSource } from "./read-source.ts";
