import { EffectFailed, permit, stage, withServices, z } from "signalbox";
import { plainSentencesOf } from "../request/asked.ts";
import { isDoubtful } from "../request/doubt.ts";
import { names } from "../request/names.ts";
import { MARK, marked } from "../request/object.ts";
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

const LINK = "(?:article|link|url|website|site|webpage|page|blog|post|blog post)s?";
const PUT = "(?:posted|shared|sent|put|linked|mentioned|wrote|recommended)";

/** Whether a sentence speaks of a link of this member: "the page that Bo shared", "the article by Bo", "Bo's post". */
function speaksOfLinkOf(sentence: string, sender: string): boolean {
  const text = marked(sentence, sender, true);
  const form = `(?<![\\p{L}])(?:${LINK} (?:(?:that |which )?${MARK} (?:has |had )?${PUT}|(?:${PUT} )?(?:by|from|of) ${MARK}(?!['’]s))|${MARK}['’]s (?:last |latest )?${LINK})(?![\\p{L}])`;
  return new RegExp(form, "iu").test(text);
}

/** Whether a message holds this link, and its sender posted no other in the same place. */
function isOnlyLink(url: string, { sender, recipient, body }: Message, slack: Workspace): boolean {
  const theirs = slack.allMessages().filter((other) => other.sender === sender && other.recipient === recipient);
  const links = theirs.flatMap((message) => linksIn(message.body));
  return links.length === 1 && links[0] === url && linksIn(body).includes(url);
}

/** Whatever of a text could be opened as a page: each token with a dot or a scheme between other letters. */
function linksIn(body: string): readonly string[] {
  const tokens = body.split(/[\s<>"“”'‘’()|]+/).map((token) => token.replace(/^[[{]+|[.,;:!?\]}]+$/g, ""));
  return tokens.filter(
    (token) => /^[a-z]+:\/\//i.test(token) || /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#:].*)?$/u.test(token),
  );
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
      .map(({ sender, recipient }) => ({ sender, recipient })),
  }),
  authorise({ params }, { posted }, context) {
    // A word of the request is no page.
    if (linksIn(params.url)[0] !== params.url) return stage(OWNER);
    // A page that the request names is one that it wants read, unless its sentence rules something out.
    const sentences = plainSentencesOf(context);
    if (sentences.some((sentence) => names(sentence, params.url) && !isRuledOut(sentence))) return permit();
    const isPointedAt = sentences
      .filter((sentence) => !isRuledOut(sentence))
      .some((sentence) =>
        posted.some(({ sender, recipient }) => speaksOfLinkOf(sentence, sender) && names(sentence, recipient)),
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

/** A question is what a page is read for; a condition or an exclusion is not. */
function isRuledOut(sentence: string): boolean {
  return isDoubtful(sentence.replace(/\b(?:what|how|who|why|when|whether|could|would|says|or)\b/gi, "_"));
}

export const reads = [getChannels, getUsersInChannel, readChannelMessages, readInbox, getWebpage];
