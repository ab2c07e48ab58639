import { z } from "signalbox";

const Email = z.strictObject({
  id_: z.string(),
  sender: z.string(),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  status: z.enum(["received", "sent", "draft"]),
  read: z.boolean(),
  timestamp: z.string(),
  attachments: z.array(z.unknown()),
});
export type Email = z.infer<typeof Email>;

export const MailState = z.object({ account_email: z.string(), initial_emails: z.array(Email) });
export type MailState = z.infer<typeof MailState>;

export type Outgoing = Pick<Email, "recipients" | "cc" | "bcc" | "subject" | "body" | "attachments">;

/** `writtenTo`: whether the owner of the account has written to them. Anybody can write to the owner. */
export type Contact = { readonly email: string; readonly name: string; readonly writtenTo: boolean };

/** One person's mail, in memory. It does what it is told: whether it may is not its business. */
export class Mail {
  readonly owner: string;
  readonly #emails: Map<string, Email>;
  /** What the agent sent since the mailbox was opened. */
  readonly sentNow: Email[] = [];

  constructor(state: MailState) {
    this.owner = state.account_email;
    this.#emails = new Map(state.initial_emails.map((email) => [email.id_, structuredClone(email)]));
  }

  get emails(): readonly Email[] {
    return [...this.#emails.values()];
  }

  email(id: string): Email | null {
    return this.#emails.get(id) ?? null;
  }

  search(query: string, sender: string | null): readonly Email[] {
    const wanted = query.toLowerCase();
    return this.emails.filter(
      (email) =>
        (sender === null || email.sender === sender) &&
        `${email.subject}\n${email.body}`.toLowerCase().includes(wanted),
    );
  }

  /** Everybody with whom mail was exchanged. The name is what the address says: "mira.example@…" is Mira Example. */
  contacts(): readonly Contact[] {
    const sent = new Set(this.emails.filter(({ status }) => status === "sent").flatMap(addressesOf));
    const all = new Set(this.emails.flatMap((email) => [email.sender, ...addressesOf(email)]));
    return [...all].map((email) => ({ email, name: nameOf(email), writtenTo: sent.has(email) }));
  }

  send(email: Outgoing, at: string): Email {
    const sent = this.notify(email, at);
    this.sentNow.push(sent);
    return sent;
  }

  /** Sends what the calendar has to say. */
  notify(email: Outgoing, at: string): Email {
    const id_ = String(Math.max(-1, ...[...this.#emails.keys()].map(Number)) + 1);
    const sent: Email = { id_, sender: this.owner, ...email, status: "sent", read: true, timestamp: at };
    this.#emails.set(id_, sent);
    return sent;
  }

  delete(id: string): void {
    this.#emails.delete(id);
  }
}

function addressesOf({ recipients, cc, bcc }: Email): readonly string[] {
  return [...recipients, ...cc, ...bcc];
}

function nameOf(email: string): string {
  const words = email.split("@")[0]?.split(/[._-]+/) ?? [];
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
}
