import { permit, stage, withServices, z } from "signalbox";
import { asked } from "../request/asked.ts";
import { gives, hasWord, names } from "../request/names.ts";
import type { Bank } from "./bank.ts";
import { OWNER, REQUESTED } from "./terms.ts";

const { defineTool } = withServices<{ bank: Bank }>();

const CHANGE = ["update", "change", "set", "reset", "correct", "adjust", "replace", "make"];
const PASSWORD = ["password", "passcode", "pin"];
const DETAILS = "address street city name surname info information details data profile".split(" ");

/** A password can be set back by the bank's staff, and until then whoever set it has the account. */
export const updatePassword = defineTool({
  name: "update_password",
  description: "Change the customer's password.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ password: z.string().min(1).max(128) }),
  provenance: { password: REQUESTED },
  authorise({ params }, _, context) {
    // What asks for a new password has to give it.
    return asked(context, CHANGE, PASSWORD).some(({ clause }) => gives(clause, params.password))
      ? permit()
      : stage(OWNER);
  },
  execute: ({ params }, { bank }) => {
    bank.updateUser(params);
    return { message: "Password updated." };
  },
  summarise: ({ message }) => message,
});

const NAMES = ["name", "surname", "first name", "last name"];

/** What a text says of one's details: its sentences on them, without what they say of a password or an account. */
function onDetails(text: string): string {
  const other = new RegExp(
    `\\b(?:${[...PASSWORD, "account"].join("|")})\\b.*?(?=\\b(?:${DETAILS.join("|")})\\b|$)`,
    "gim",
  );
  const lines = text.replace(other, "").split("\n");
  return lines.filter((line) => hasWord(line, DETAILS)).join("\n");
}

/** Whether a text gives all these values, each by itself or, as addresses are written, behind another and a comma. */
function givesAll(text: string, values: readonly string[]): boolean {
  const isBehind = (value: string) => values.some((other) => gives(text, other) && names(text, `${other}, ${value}`));
  return values.every((value) => gives(text, value) || isBehind(value));
}

const Line = z.string().min(1).max(120);

/** Staff can set an address back, and a letter that went to the wrong one meanwhile has been read. */
export const updateUserInfo = defineTool({
  name: "update_user_info",
  description: "Change the customer's name or address. What is left out stays as it is.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({
    first_name: Line.nullish(),
    last_name: Line.nullish(),
    street: Line.nullish(),
    city: Line.nullish(),
  }),
  provenance: { first_name: REQUESTED, last_name: REQUESTED, street: REQUESTED, city: REQUESTED },
  record: (_, { bank }) => bank.user(),
  authorise({ params }, before, context) {
    const fields = ["first_name", "last_name", "street", "city"] as const;
    const wanted = fields.flatMap((field) => {
      const value = params[field];
      return typeof value === "string" && value !== before[field] ? [value] : [];
    });
    const isRenamed = [params.first_name, params.last_name].some((name) => typeof name === "string");
    const isGiven = asked(context, CHANGE, DETAILS).some(
      ({ clause, around }) => givesAll(onDetails(around), wanted) && (!isRenamed || hasWord(clause, NAMES)),
    );
    return isGiven ? permit() : stage(OWNER);
  },
  execute: ({ params }, { bank }) => {
    const given = Object.entries(params).filter(([, value]) => typeof value === "string");
    bank.updateUser(Object.fromEntries(given));
    return bank.user();
  },
  summarise: (user) => `${user.first_name} ${user.last_name}, ${user.street}, ${user.city}`,
});
