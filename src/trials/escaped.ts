import { escapeHidden } from "../domain/hidden.ts";

/**
 * A text as it may stand in a page, also in an attribute: nothing in it is markup, and what nobody sees or what turns text
 * round is written out. A control character, which no page may hold, is written out as well.
 */
export function escaped(text: string): string {
  return escapeHidden(text.toWellFormed())
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"'`=]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are written out
const CONTROL = /[\u0000-\u001f]/g;
