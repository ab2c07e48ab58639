import { permit, stage, withServices, z } from "signalbox";
import { asked, type Order, requestOf } from "../request/asked.ts";
import { isOnly, MARK, marked, phrasesOf } from "../request/object.ts";
import { withoutQuotes } from "../request/sentences.ts";
import { madeOf } from "../request/wording.ts";
import {
  ADDRESS_SEEN,
  Address,
  Addresses,
  Id,
  isListed,
  Line,
  type Office,
  OWNER,
  type Person,
  peopleOf,
  TEXT_SEEN,
  Text,
  Time,
} from "./terms.ts";

const { defineTool } = withServices<Office>();

const READ = { placement: "internal", effect: "read" } as const;
/** With these the one who is told stands behind the verb; with the others, behind "to". */
const TELL = ["email", "e-mail", "mail", "tell", "inform", "notify", "let", "answer", "message"];
const SEND = [...TELL, "send", "write", "forward", "reply", "respond"];
const DELETE = ["delete", "remove", "trash", "discard", "get rid of", "throw away"];
const MAIL = ["mail", "email", "e-mail", "message", "mails", "emails", "messages"];
/** What is sent to somebody, so that "send the file to x" is no order to write to x. */
const WRITTEN =
  /^(?:(?:also|just|an?|the|this|my|short|brief|quick|new|following|e-?mail|mail|message|note|line|reply|answer|word|text|update|reminder|thanks|greetings|regards|back|◇)(?![\\p{L}])[ ,]*)*$/iu;

/** The mail system keeps ids, times and states; who writes, to whom else and what, anybody chooses. */
const KEPT = ["[].id_", "[].timestamp", "[].status", "[].read"];

const search = defineTool({
  name: "search_emails",
  description: "Mails whose subject or body holds the query, from a sender or from anybody.",
  ...READ,
  trusted: KEPT,
  params: z.strictObject({ query: Line, sender: Address.nullish() }),
  execute: ({ params }, { mail }) => mail.search(params.query, params.sender ?? null),
  summarise: (emails) => `${emails.length} mails`,
});

const listed = (name: string, description: string, isListed: (email: { status: string; read: boolean }) => boolean) =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: KEPT,
    params: z.strictObject({}),
    execute: (_, { mail }) => mail.emails.filter(isListed),
    summarise: (emails) => `${emails.length} mails`,
  });

/** Marks them as read, which whoever reads the mailbox sees, and that is all. */
const getUnreadEmails = listed("get_unread_emails", "All unread mails.", ({ read }) => !read);
const getSentEmails = listed("get_sent_emails", "All sent mails.", ({ status }) => status === "sent");
const getReceivedEmails = listed("get_received_emails", "All received mails.", ({ status }) => status === "received");
const getDraftEmails = listed("get_draft_emails", "All drafts.", ({ status }) => status === "draft");

/** The list of contacts is kept by the mail system. Whom of them a request may call by name, `peopleOf` decides. */
const contacts = (name: string, description: string, field: "name" | "email") =>
  defineTool({
    name,
    description,
    ...READ,
    trusted: ["[].email", "[].name"],
    params: z.strictObject({ query: Line }),
    execute: ({ params }, { mail }) =>
      mail.contacts().filter((contact) => contact[field].toLowerCase().includes(params.query.toLowerCase())),
    summarise: (found) => `${found.length} contacts`,
  });

export const mailReads = [
  search,
  getUnreadEmails,
  getSentEmails,
  getReceivedEmails,
  getDraftEmails,
  contacts("search_contacts_by_name", "Contacts by name.", "name"),
  contacts("search_contacts_by_email", "Contacts by address.", "email"),
];

const Attachment = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("file"), file_id: Id }),
  z.strictObject({
    type: z.literal("event"),
    event_details: z.strictObject({
      title: Line,
      description: Text.nullish(),
      start_time: Time,
      end_time: Time,
      location: Line.nullish(),
      participants: Addresses.nullish(),
    }),
  }),
]);

/** What is to be seen first, or only kept, is not sent. */
const HELD =
  /(?<![\p{L}])(?:for me to|(?:and|then|,) (?:save|store|keep|show|let me|wait)|to (?:review|check|approve|look over))(?![\p{L}])/iu;

/** Whether an order is to write to this person, and not about them, or about something of theirs. */
function isWrittenTo({ verb, clause, sentence }: Order, person: Person): boolean {
  if (HELD.test(withoutQuotes(sentence))) return false;
  const copied = clause.replace(/(?:^|[^\p{L}])(?:b?cc|cop(?:y|ying)|with a (?:blind )?copy to)(?![\p{L}]).*$/iu, "");
  if (TELL.includes(verb.toLowerCase()) && isListed(copied, [verb], person)) return true;
  const { object } = phrasesOf(verb, copied);
  if (/^(?:send|write)$/i.test(verb) && isListed(copied, [verb], person)) return true;
  const [head = ""] = copied.slice(verb.length).split(/[:;]|(?<![\p{L}])(?:that|which|who)(?![\p{L}])/u);
  return WRITTEN.test(object) && isListed(head, ["to"], person);
}

/** A mail that is out cannot be called back. */
export const sendEmail = defineTool({
  name: "send_email",
  description: "Send a mail.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({
    recipients: Addresses.min(1),
    subject: Line,
    body: Text,
    attachments: z.array(Attachment).max(10).nullish(),
    cc: Addresses.nullish(),
    bcc: Addresses.nullish(),
  }),
  provenance: { recipients: ADDRESS_SEEN, cc: ADDRESS_SEEN, bcc: ADDRESS_SEEN, subject: TEXT_SEEN, body: TEXT_SEEN },
  record: ({ recipients, cc, bcc, subject, body }, office) => ({
    people: peopleOf([...recipients, ...(cc ?? []), ...(bcc ?? [])], office),
    facts: office.factsOn(`${subject}\n${body}`),
    // A request that asks to write to somebody is done with one mail; a second is for the owner to want.
    isWritten: office.mail.sentNow.some((email) => recipients.some((one) => email.recipients.includes(one))),
  }),
  authorise({ params }, { people, facts, isWritten }, context) {
    if (isWritten) return stage(OWNER);
    // A file or a guest list in a mail is more than a request can spell out.
    if ((params.attachments ?? []).length > 0) return stage(OWNER);
    // A mail says what the request says and what is public anyway, so that nothing from the mailbox travels in it.
    const known = [...facts, ...people.flatMap(({ name }) => name ?? [])];
    if (![params.subject, params.body].every((text) => madeOf(text, requestOf(context), known))) return stage(OWNER);
    const who = (addresses: readonly string[] | null | undefined) =>
      people.filter(({ email, isOwner }) => !isOwner && (addresses ?? []).includes(email));
    const isOrdered = asked(context, SEND).some(
      (order) =>
        who(params.recipients).every((person) => isWrittenTo(order, person)) &&
        who(params.cc).every((person) => isListed(order.clause, ["cc", "copy", "copying", "with a copy to"], person)) &&
        who(params.bcc).every((person) => isListed(order.clause, ["bcc", "with a blind copy to"], person)),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "mails_per_run", limit: 20, window: "per_run" }],
  execute: ({ params }, { mail, calendar }) =>
    mail.send(
      { ...params, cc: params.cc ?? [], bcc: params.bcc ?? [], attachments: params.attachments ?? [] },
      `${calendar.today}T12:00:00`,
    ),
  summarise: (email) => `sent mail ${email.id_}`,
});

const IN_THE_MAILBOX = /^(?:(?:from|in) (?:the|my) (?:inbox|mailbox|mail))?[.!?,;\s]*$/i;

/** It goes to the trash, from which the owner can take it for a month. */
export const deleteEmail = defineTool({
  name: "delete_email",
  description: "Move a mail to the trash.",
  placement: "user-reversible",
  review: "the trash folder of the mailbox",
  effect: "idempotent",
  params: z.strictObject({ email_id: Id }),
  record: ({ email_id }, { mail }) => {
    const email = mail.email(email_id);
    if (email === null) return null;
    const alike = mail.emails.filter((other) => other.subject === email.subject);
    const fromThem = mail.emails.filter((other) => other.sender === email.sender && other.status === "received");
    return {
      sender: email.sender,
      subject: email.subject,
      isAlone: alike.length === 1,
      isOnlyOne: fromThem.length === 1,
    };
  },
  authorise(_, { sender, subject, isAlone, isOnlyOne }, context) {
    // What orders it has to say which mail: by its subject, by its sender where there is one mail of theirs only, or by
    // both.
    const isOrdered = asked(context, DELETE).some(({ verb, clause }) => {
      const { object, tail } = phrasesOf(verb, marked(marked(clause, subject), sender));
      if (/^(?:from|by) /i.test(tail) && isOnly(`${object} ${tail.replace(/^(?:from|by) /i, "")}`, MAIL)) {
        const isBySender = phrasesOf(verb, marked(clause, sender)).tail.includes(MARK);
        return isBySender && (isOnlyOne || phrasesOf(verb, marked(clause, subject)).object.includes(MARK));
      }
      const isBySubject = subject.trim().includes(" ") && isOnly(phrasesOf(verb, marked(clause, subject)).object, MAIL);
      return isBySubject && isAlone && IN_THE_MAILBOX.test(tail);
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { mail }) => {
    mail.delete(params.email_id);
    return `Email with ID ${params.email_id} deleted successfully.`;
  },
  summarise: (message) => message,
});
