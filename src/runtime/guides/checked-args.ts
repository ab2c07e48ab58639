import { nearest } from "../../domain/nearest.ts";
import { SignalboxError, textOf } from "../error.ts";

/** What callers hand to `box.guides`, looked at before anything is done: a mistake is told as one, and not as a TypeError of ours. */

type Form = { readonly [key: string]: "text" | "text?" | "texts?" | "flag?" | "any?" };

const HOLDS: { readonly [form in Form[string]]: (value: unknown) => boolean } = {
  text: isText,
  "text?": (value) => value === undefined || isText(value),
  "texts?": (value) => value === undefined || isTexts(value),
  "flag?": (value) => value === undefined || typeof value === "boolean",
  "any?": () => true,
};

const SAYS: { readonly [form in Form[string]]: string } = {
  text: "a text",
  "text?": "a text",
  "texts?": "a list of texts",
  "flag?": "true or false",
  "any?": "anything",
};

/** @throws SignalboxError `bad_argument`: not an object, a key that there is not, or one of another type. */
export function checkedOptions(verb: string, value: unknown, form: Form): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad(verb, "takes an object", form);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(form, key)) continue;
    const near = nearest(key, Object.keys(form));
    throw bad(verb, `has no option "${key.slice(0, 40)}"${near === null ? "" : `; did you mean "${near}"?`}`, form);
  }
  for (const [key, kind] of Object.entries(form)) {
    const given: unknown = (value as { readonly [key: string]: unknown })[key];
    if (!HOLDS[kind](given))
      throw bad(verb, `needs \`${key}\`: ${SAYS[kind]}, not ${textOf(given).slice(0, 40)}`, form);
  }
}

export function checkedName(verb: string, value: unknown): void {
  if (!isText(value))
    throw new SignalboxError("bad_argument", `guides.${verb} takes a name, not ${textOf(value).slice(0, 40)}`);
}

export function checkedNames(verb: string, value: unknown): void {
  if (!isTexts(value)) throw new SignalboxError("bad_argument", `guides.${verb} takes a list of names`);
}

function bad(verb: string, what: string, form: Form): SignalboxError {
  return new SignalboxError("bad_argument", `guides.${verb} ${what}`, {
    hint: `its options: ${Object.keys(form).join(", ")}`,
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
