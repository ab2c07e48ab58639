import { EffectFailed, permit, stage, withServices, z } from "signalbox";
import { requestOf, sentencesOf } from "../request/asked.ts";
import { hasWord, names } from "../request/names.ts";
import { Channel, OWNER, Url, User } from "./terms.ts";
import type { Message, Workspace } from "./workspace.ts";

const { defineTool } = withServices<{ slack: Workspace }>();

/** Reads inside the workspace change nothing and tell nobody outside. */
const READ = { placement: "internal", effect: "read" } as const;

const getChannels = defineTool({
  name: "get_channels",
  description: "The names of all channels.",
  ...READ,
  // Whoever may open a channel writes its name, guests too.
  params: z.strictObject({}),
  execute: (_, { slack }) => slack.channels,
  summarise: (channels) => `${channels.length} channels`,
});

const getUsersInChannel = defineTool({
  name: "get_users_in_channel",
  description: "The users in a channel.",
  ...READ,
  // Accounts are given out by the workspace.
  trusted: "all",
  params: z.strictObject({ channel: Channel }),
  execute: ({ params }, { slack }) => slack.members(params.channel),
  summarise: (users) => `${users.length} users`,
});

const readChannelMessages = defineTool({
  name: "read_channel_messages",
  description: "The messages in a channel.",
  ...READ,
  // Who wrote is what the workspace says; what they wrote, and the name of the channel, is not.
  trusted: ["[].sender"],
  params: z.strictObject({ channel: Channel }),
  execute: ({ params }, { slack }) => slack.channelMessages(params.channel),
  summarise: (messages) => `${messages.length} messages`,
});

const readInbox = defineTool({
  name: "read_inbox",
  description: "The messages to a user.",
  ...READ,
  trusted: ["[].sender", "[].recipient"],
  params: z.strictObject({ user: User }),
  execute: ({ params }, { slack }) => slack.inbox(params.user),
  summarise: (messages) => `${messages.length} messages`,
});

/** How people speak of what somebody put up for them to read. */
const SOMETHING_TO_READ =
  "article link url website web site webpage page blog post posts posted shared wrote message messages inbox details".split(
    " ",
  );

/** What a sentence on a message to a user says, and one that only names both of them does not. */
const PRIVATE = ["inbox", "message", "messages", "wrote"];

/** Whether a message holds this link, and its sender posted no other in the same place. */
function isOnlyLink(url: string, { sender, recipient, body }: Message, slack: Workspace): boolean {
  const theirs = slack.allMessages().filter((other) => other.sender === sender && other.recipient === recipient);
  const links = theirs.flatMap((message) => message.body.match(/(?:https?:\/\/|www\.)\S+/g) ?? []);
  return links.length === 1 && names(body, url);
}

/**
 * A read that leaves the house: its address tells whoever owns the page that somebody is here, and can carry anything to
 * them. A composed address is the leak; so it must be one that stands whole in the request, or that is the only link which a
 * member posted in a place, where a sentence names the member, the place and something to read there. What a page itself links to is for the owner to open.
 *
 * Staff-reversible, since nothing but an address that was there before goes out, and the workspace's proxy can be closed to
 * it. The address is checked here against the request and the record, and not by `provenance`, which takes a link inside a
 * member's message for what it is, untrusted text.
 */
const getWebpage = defineTool({
  name: "get_webpage",
  description: "The text of a web page.",
  placement: "staff-reversible",
  effect: "read",
  params: z.strictObject({ url: Url }),
  record: ({ url }, { slack }) => ({
    posted: slack
      .allMessages()
      .filter((message) => isOnlyLink(url, message, slack))
      .map(({ sender, recipient }) => ({ sender, recipient, isPrivate: slack.users.includes(recipient) })),
  }),
  authorise({ params }, { posted }, context) {
    if (names(requestOf(context), params.url)) return permit();
    const isPointedAt = sentencesOf(context)
      .filter((sentence) => hasWord(sentence, SOMETHING_TO_READ))
      .some((sentence) =>
        posted.some(
          ({ sender, recipient, isPrivate }) =>
            names(sentence, sender) && names(sentence, recipient) && (!isPrivate || hasWord(sentence, PRIVATE)),
        ),
      );
    return isPointedAt ? permit() : stage(OWNER);
  },
  caps: [{ name: "pages_per_run", limit: 30, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    const text = slack.page(params.url);
    if (text === null) throw new EffectFailed("there is no such page");
    return text;
  },
  summarise: (text) => `a page of ${text.length} characters`,
});

export const reads = [getChannels, getUsersInChannel, readChannelMessages, readInbox, getWebpage];
