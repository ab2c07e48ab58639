/** The command line as a door: for whoever starts it from their own program. */
export type { Io } from "./io.ts";
export { main } from "./main.ts";
