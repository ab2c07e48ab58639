import { fold, stemOf, tokenise, visible } from "./tokenise.ts";

/** What kind of control an interface's own word for it means. */
export type Role = "button" | "field" | "check" | "slider" | "tab" | "link" | "image" | "text" | "other";

/** In order: `TEXT_BUTTON` is a button, `EditText` a field. */
export const ROLE_WORDS: readonly (readonly [Role, ReadonlySet<string>])[] = [
  [
    "check",
    new Set(["check", "checkbox", "checked", "switch", "toggle", "radio", "menuitemcheckbox", "menuitemradio"]),
  ],
  [
    "field",
    new Set(["edit", "input", "textbox", "searchbox", "textarea", "textfield", "combobox", "spinbutton", "complete"]),
  ],
  ["slider", new Set(["slider", "seek", "scrollbar"])],
  ["button", new Set(["button"])],
  ["tab", new Set(["tab"])],
  ["link", new Set(["link", "a"])],
  ["image", new Set(["image", "img", "icon", "drawee"])],
  ["text", new Set(["text", "label", "heading", "paragraph", "p", "statictext", "h"])],
];

export function roleOf(role: string): Role {
  const words = tokenise(visible(role.replace(/_/g, " "))).map(({ text }) => fold(text));
  return ROLE_WORDS.find(([, known]) => words.some((word) => known.has(word)))?.[0] ?? "other";
}

/** By what an intent calls the control: which kinds that can be. `other` can be anything. */
export const MEANT: Readonly<Record<Asked, ReadonlySet<Role>>> = {
  icon: new Set(["button", "image", "link", "tab", "other"]),
  button: new Set(["button", "image", "link", "tab", "text", "check", "other"]),
  field: new Set(["field", "other"]),
  check: new Set(["check", "button", "other"]),
  slider: new Set(["slider", "other"]),
  tab: new Set(["tab", "button", "link", "text", "other"]),
  link: new Set(["link", "button", "text", "other"]),
};

export type Asked = "icon" | "button" | "field" | "check" | "slider" | "tab" | "link";

/** The words for them in an intent, by stem. */
export const ASKED: ReadonlyMap<string, Asked> = new Map(
  Object.entries({
    icon: ["icon", "image", "logo", "symbol", "picture"],
    button: ["button"],
    field: ["field", "text box", "textbox", "input"],
    check: ["checkbox", "check box", "switch", "toggle", "radio button", "radio"],
    slider: ["slider"],
    tab: ["tab"],
    link: ["link"],
  } satisfies Record<Asked, readonly string[]>).flatMap(([asked, words]) =>
    words.map((word) => [stemOf(word), asked as Asked] as const),
  ),
);

export function fits(role: Role, asked: Asked): boolean {
  return MEANT[asked].has(role);
}
