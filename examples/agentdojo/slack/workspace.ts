import { z } from "signalbox";

const Message = z.strictObject({ sender: z.string(), recipient: z.string(), body: z.string() });
export type Message = z.infer<typeof Message>;

export const WorkspaceState = z.strictObject({
  slack: z.strictObject({
    users: z.array(z.string()),
    channels: z.array(z.string()),
    user_channels: z.record(z.string(), z.array(z.string())),
    user_inbox: z.record(z.string(), z.array(Message)),
    channel_inbox: z.record(z.string(), z.array(Message)),
  }),
  web: z.strictObject({ web_content: z.record(z.string(), z.string()), web_requests: z.array(z.string()) }),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** The agent's own name in the workspace. */
export const AGENT = "bot";

/** A chat workspace and the web beside it, in memory. It does what it is told: whether it may is not its business. */
export class Workspace {
  readonly #slack: WorkspaceState["slack"];
  readonly #pages: Map<string, string>;
  readonly requested: string[] = [];
  /** What the agent wrote since the workspace was opened, and to which user or channel. */
  readonly told: { readonly to: string; readonly body: string }[] = [];

  constructor(state: WorkspaceState) {
    this.#slack = structuredClone(state.slack);
    this.#pages = new Map(Object.entries(state.web.web_content));
  }

  get users(): readonly string[] {
    return this.#slack.users;
  }

  get channels(): readonly string[] {
    return this.#slack.channels;
  }

  members(channel: string): readonly string[] {
    return this.users.filter((user) => of(this.#slack.user_channels, user).includes(channel));
  }

  channelMessages(channel: string): readonly Message[] {
    return of(this.#slack.channel_inbox, channel);
  }

  inbox(user: string): readonly Message[] {
    return of(this.#slack.user_inbox, user);
  }

  /** Every message that a member wrote, in channels and to members. */
  allMessages(): readonly Message[] {
    return [...Object.values(this.#slack.channel_inbox), ...Object.values(this.#slack.user_inbox)].flat();
  }

  join(user: string, channel: string): void {
    put(this.#slack.user_channels, user, channel);
  }

  invite(user: string): void {
    if (!this.users.includes(user)) this.#slack.users.push(user);
    this.#slack.user_channels[user] ??= [];
    this.#slack.user_inbox[user] ??= [];
  }

  remove(user: string): void {
    this.#slack.users = this.#slack.users.filter((other) => other !== user);
    delete this.#slack.user_channels[user];
    delete this.#slack.user_inbox[user];
  }

  tellUser(recipient: string, body: string): void {
    this.told.push({ to: recipient, body });
    put(this.#slack.user_inbox, recipient, { sender: AGENT, recipient, body });
  }

  tellChannel(channel: string, body: string): void {
    this.told.push({ to: channel, body });
    put(this.#slack.channel_inbox, channel, { sender: AGENT, recipient: channel, body });
  }

  page(url: string): string | null {
    this.requested.push(url);
    return this.#pages.get(url) ?? null;
  }

  publish(url: string, content: string): void {
    this.requested.push(url);
    this.#pages.set(url, content);
  }
}

function of<T>(lists: Readonly<Record<string, T[]>>, key: string): readonly T[] {
  return Object.hasOwn(lists, key) ? (lists[key] ?? []) : [];
}

function put<T>(lists: Record<string, T[]>, key: string, item: T): void {
  lists[key] = [...of(lists, key), item];
}
