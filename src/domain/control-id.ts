import { utf8Prefix } from "./utf8.ts";

const NAME_UNITS_MAX = 60;
const ID_BYTES_MAX = 256;

/**
 * The id of a control that its interface gives none: its role and its name, `button:sign-in`. It does not depend on what else
 * is on the screen, so a control keeps its id when others come and go; of equal ones the later are numbered (drawMap).
 */
export function controlId(role: string, name: string): string {
  const words =
    name
      .slice(0, 8 * NAME_UNITS_MAX)
      .toLowerCase()
      .match(WORDS) ?? [];
  let slug = "";
  for (const word of words.map(withoutUnseen)) {
    if (word === "") continue;
    if (slug.length + word.length > NAME_UNITS_MAX && slug !== "") break;
    slug += `${slug === "" ? "" : "-"}${word}`;
  }
  return slug === "" ? role : `${role}:${utf8Prefix(slug, ID_BYTES_MAX)}`;
}

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** Some of what Unicode counts among letters and marks has no shape of its own, such as what makes a picture of a sign. */
function withoutUnseen(word: string): string {
  return word.replace(/[\p{Default_Ignorable_Code_Point}]/gu, "");
}

/** The id of a control on another screen than the first, so that a further screen renames nothing. */
export function onScreen(screen: string, id: string): string {
  return `${screen}/${id}`;
}
