/** What the tools of a calendar and a mailbox have in common. */
import { z } from "signalbox";
import { MARK, marked } from "../request/object.ts";
import type { Calendar } from "./calendar.ts";
import type { Mail } from "./mail.ts";

/** Who decides what the rules do not: the person whose calendar and mail these are. */
export const OWNER = "owner";

export type Office = {
  readonly calendar: Calendar;
  readonly mail: Mail;
  /** What the operator's own catalogue says of the things that a text names: public, and written by the operator alone. */
  readonly factsOn: (text: string) => readonly string[];
};

export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);
export const Address = z.string().min(3).max(254);
export const Addresses = z.array(Address).max(50);
export const Line = z.string().max(300);
export const Text = z.string().max(20_000);
export const Time = z.string().regex(/^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/);

/** An address that neither the request nor the system's own lists know is for the owner to look at. */
export const ADDRESS_SEEN = { from: ["request", "trusted"], as: "email", otherwise: { stage: OWNER } } as const;
/** Text may be put together, but each link and address in it must have been named. */
export const TEXT_SEEN = { from: ["request", "trusted"], inside: true, otherwise: { stage: OWNER } } as const;

/** A person as a rule sees them: an address, and the name by which a request may call them. */
export type Person = { readonly email: string; readonly isOwner: boolean; readonly name: string | null };

/**
 * The people of addresses. Only somebody to whom the owner has written goes by a name, and only where nobody else has that
 * name: a stranger who writes in is not "Sarah" because an address says so.
 */
export function peopleOf(addresses: readonly string[], { mail }: Pick<Office, "mail">): Person[] {
  const contacts = mail.contacts();
  return addresses.map((email) => {
    const contact = contacts.find((known) => known.email === email && known.writtenTo);
    const isAlone = contacts.filter(({ name }) => name === contact?.name).length === 1;
    return { email, isOwner: email === mail.owner, name: isAlone ? (contact?.name ?? null) : null };
  });
}

/** A text with each mention of these people, by address or by full name, marked. */
export function markedPeople(text: string, people: readonly Person[]): string {
  return people.reduce((so, { email, name }) => {
    const byAddress = marked(so, email);
    return name?.includes(" ") === true ? marked(byAddress, name) : byAddress;
  }, text);
}

/** Whether a text names each of these people, by address or by full name, as such. The owner need not be named. */
export function namesAll(text: string, people: readonly Person[]): boolean {
  return people.every((person) => person.isOwner || /◆(?!['’]s)/.test(markedPeople(text, [person])));
}

/**
 * Whether a text lists a person behind one of some words: "to ada@x.example, bo@y.example and Cy Lee", "cc ada@x.example".
 * Between the word and the list may stand who they are ("my wife at").
 */
export function isListed(text: string, words: readonly string[], person: Person): boolean {
  const item = `(?:${MARK}|[^\\s,()]+@[^\\s,()]+[\\w]|\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)?)`;
  const form = new RegExp(
    `(?:^|[^\\p{L}\\p{N}])(?:${words.join("|")}):? (?:(?:my|our|the|a|colleague|colleagues|friend|friends|wife|husband|boss|team|address|email|mail|at|both|user) )*` +
      `["'“‘(]*(?:${item}["'”’)]*(?:, and |,? and |, ))*["'“‘(]*${MARK}(?!['’]s)`,
    "u",
  );
  return form.test(markedPeople(text, [person]));
}
