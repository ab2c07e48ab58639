/** WAI-ARIA's roles, by what a harvest has to know of them. */

/** What can be used: clicked, written into, chosen, switched. */
export const USED_ROLES: ReadonlySet<string> = new Set([
  ...[
    "button",
    "link",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "switch",
    "combobox",
    "option",
    "listbox",
    "slider",
  ],
  ...["spinbutton", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"],
]);

/** What holds a text that somebody wrote or chose: a value, and no name. */
export const FIELD_ROLES: ReadonlySet<string> = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider"]);

/** What is on or off. */
export const BOX_ROLES: ReadonlySet<string> = new Set([
  ...["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"],
]);

/** What only holds others: it is no control, whatever it is called. */
export const FRAME_ROLES: ReadonlySet<string> = new Set([
  ...["generic", "group", "none", "presentation", "list", "listitem", "table", "grid", "treegrid", "row", "rowgroup"],
  ...[
    "tablist",
    "tabpanel",
    "dialog",
    "alertdialog",
    "menu",
    "menubar",
    "toolbar",
    "tree",
    "radiogroup",
    "region",
    "main",
  ],
  ...["navigation", "banner", "contentinfo", "complementary", "form", "search", "article", "section", "document"],
  ...[
    "application",
    "iframe",
    "feed",
    "figure",
    "directory",
    "separator",
    "scrollbar",
    "log",
    "RootWebArea",
    "WebArea",
  ],
]);

/** What is a text, where nothing but text is in it. */
export const TEXT_ROLES: ReadonlySet<string> = new Set([
  ...["heading", "paragraph", "listitem", "cell", "gridcell", "columnheader", "rowheader", "label", "status", "alert"],
  ...["caption", "code", "term", "definition", "time", "note", "blockquote", "legend", "tooltip", "log", "timer"],
]);

/** What is seen by its name alone. */
export const PICTURE_ROLES: ReadonlySet<string> = new Set(["img", "progressbar", "meter"]);
