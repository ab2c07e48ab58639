import type { Control } from "./control-map.ts";
import { isBlank } from "./hidden.ts";

/** Whether there is nothing by which somebody could mean a control: no text of it, around it or in it, and no identifier. */
export function isNameless({
  text,
  desc,
  resourceId,
  childText,
}: Pick<Control, "text" | "desc" | "resourceId" | "childText">): boolean {
  return isBlank(text) && isBlank(desc) && isBlank(resourceId) && childText.every(isBlank);
}

/** What is found of controls of a map that are nameless and can be used. */
export function namelessWords(count: number): string {
  return count === 1
    ? "1 control has no name of any kind, and only its id tells it from others"
    : `${count} controls have no name of any kind, and only their ids tell them from others`;
}
