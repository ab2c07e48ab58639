/** XML by the package saxes. */
export { readMarkup } from "./read-markup.ts";
