/**
 * What somebody writes into, as the interfaces call it: WAI-ARIA, Android, iOS, AutoDroid's tags. What stands in one is data of
 * whoever wrote it, a password among it, and in no map; what the field is called is the interface's.
 */
export const WRITTEN_ROLES: ReadonlySet<string> = new Set([
  ...["textbox", "searchbox", "spinbutton"],
  ...["EditText", "AutoCompleteTextView", "MultiAutoCompleteTextView", "TextInputEditText"],
  ...["TextField", "SecureTextField", "SearchField", "ComboBox"],
  ...["input", "textarea"],
]);
