/**
 * What somebody writes into, as the interfaces call it: WAI-ARIA, Android, iOS, AutoDroid's tags. What stands in one is data of
 * whoever wrote it, a password among it, and in no map; what the field is called is the interface's.
 */
const WRITTEN: ReadonlySet<string> = new Set([
  ...["textbox", "searchbox", "spinbutton", "input", "textarea"],
  ...["combobox", "xcuielementtypecombobox", "xcuielementtypetextview"],
]);

/** How the system's own fields are called, and what others derive from them and call so. */
const ENDS = /(?:edittext|autocompletetextview|textfield|searchfield|textinput)$/i;

/**
 * Whether somebody writes into what is called so, by the last part of a class's name and in letters of either case. ARIA's own
 * `combobox` is as often a closed list, of which the role does not tell.
 */
export function isWrittenRole(role: string): boolean {
  const last = role.slice(Math.max(role.lastIndexOf("."), role.lastIndexOf("$")) + 1);
  return last !== "combobox" && (WRITTEN.has(last.toLowerCase()) || ENDS.test(last));
}
