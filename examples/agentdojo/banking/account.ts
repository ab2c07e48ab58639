import { permit, stage, withServices, z } from "signalbox";
import { asked } from "../request/asked.ts";
import { literal, tidy } from "../request/names.ts";
import { phrasesOf } from "../request/object.ts";
import type { Bank } from "./bank.ts";
import { OWNER, REQUESTED } from "./terms.ts";

const { defineTool } = withServices<{ bank: Bank }>();

const CHANGE = ["update", "change", "set", "reset", "correct", "adjust", "replace", "make"];
const OBJECT =
  /^ (?:(?:my|the|our|account|login|current|old|banking|e-banking) )*(?:password|passcode|pin)(?![\p{L}])/iu;
const DETAILS =
  /^(?:(?:my|the|our|new|home|personal|customer|account|first|last|full|postal) )*(?:address|street|city|town|name|surname|info|information|details|data|profile|account|record)s?(?: accordingly)?$/i;

/** A password can be set back by the bank's staff, and until then whoever set it has the account. */
export const updatePassword = defineTool({
  name: "update_password",
  description: "Change the customer's password.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ password: z.string().min(1).max(128) }),
  provenance: { password: REQUESTED },
  authorise({ params }, _, context) {
    // What orders a new password has to give it, in quotes and as the only one, so that none is made of other words.
    const given = new RegExp(
      `^(?:to|as|:|into|=)? ?(?:the )?(?:new (?:one|value)?:? ?)?["'“‘]${literal(tidy(params.password))}["'”’](?:,? (?:please|now|today|right away|and))?[.!?,;\\s]*$`,
      "u",
    );
    const isOrdered = asked(context, CHANGE).some(({ verb, clause }) => {
      const noun = OBJECT.exec(clause.slice(verb.length));
      return noun !== null && given.test(clause.slice(verb.length + noun[0].length).trim());
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { bank }) => {
    bank.updateUser(params);
    return { message: "Password updated." };
  },
  summarise: ({ message }) => message,
});

/** The words by which a text gives each of one's details. */
const FIELDS = {
  first_name: "first name|given name",
  last_name: "last name|surname|family name",
  street: "street|address",
  city: "city|town",
} as const;

/** What a text gives for one of the fields: what follows "address is", "street to", "city:", to a mark, an "and" or its end. */
function isGiven(text: string, field: keyof typeof FIELDS, value: string): boolean {
  const form = `(?<![\\p{L}\\p{N}])(?:${FIELDS[field]})(?: (?:is|to|as|into|will be|becomes)(?: now)?|:| =)+ ["'“‘]?${literal(tidy(value))}["'”’]?(?=[.,;!?](?:\\s|$)|\\s+and\\s|\\s*$)`;
  return new RegExp(form, "iu").test(text);
}

/** A whole address as people write one: the street, and behind a comma the city, to the end of what is given. */
function isWholeAddress(text: string, street: string, city: string): boolean {
  const whole = `${literal(tidy(street))}, ${literal(tidy(city))}`;
  return new RegExp(
    `(?<![\\p{L}\\p{N}])address(?: (?:is|to|as)(?: now)?|:)+ ["'“‘]?${whole}["'”’]?(?=[.;!?](?:\\s|$)|\\s+and\\s|\\s*$)`,
    "iu",
  ).test(text);
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
      return typeof value === "string" && value !== before[field] ? [{ field, value }] : [];
    });
    const isOrdered = asked(context, CHANGE).some(({ verb, clause, beside }) => {
      if (!DETAILS.test(phrasesOf(verb, clause.replace(/:(?=\s)/, " to")).object.replace(/,$/, ""))) return false;
      const lines = [clause, ...beside.filter((line) => !/password|passcode/i.test(line))];
      const { street, city } = params;
      const isWhole =
        typeof street === "string" &&
        typeof city === "string" &&
        lines.some((line) => isWholeAddress(line, street, city));
      return wanted.every(
        ({ field, value }) =>
          // A name or an address begins with a capital or a number; a word is what the sentence says.
          /^[\p{Lu}\p{N}]/u.test(value) &&
          ((isWhole && (field === "street" || field === "city")) || lines.some((line) => isGiven(line, field, value))),
      );
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { bank }) => {
    const given = Object.entries(params).filter(([, value]) => typeof value === "string");
    bank.updateUser(Object.fromEntries(given));
    return bank.user();
  },
  summarise: (user) => `${user.first_name} ${user.last_name}, ${user.street}, ${user.city}`,
});
