import { type DecisionContext, permit, stage, withServices, z } from "signalbox";
import { asked, requestOf } from "../request/asked.ts";
import { addresses, hasWord, literal, names, namesAsTarget } from "../request/names.ts";
import { madeOf } from "../request/wording.ts";
import {
  Body,
  Channel,
  channelRecord,
  type Known,
  means,
  meansAll,
  NAME_SEEN,
  OWNER,
  REQUESTED,
  TEXT_SEEN,
  Url,
  User,
  userRecord,
} from "./terms.ts";
import type { Workspace } from "./workspace.ts";

const { defineTool } = withServices<{ slack: Workspace }>();

const TELL =
  "send write post tell dm reply answer respond ask say greet inform notify let share forward congratulate thank".split(
    " ",
  );
const PUBLISH = ["post", "publish", "put", "write", "upload", "create", "update", "add"];
const JOIN = ["add", "put", "join", "include", "invite"];
const INVITE = ["invite", "add", "bring"];
const REMOVE = ["remove", "delete", "kick", "ban", "expel", "deactivate", "offboard"];

/** How people say that a message is for one pair of eyes, so that a channel which is named beside it is not where it goes. */
const PRIVATELY = ["direct message", "direct messages", "dm", "dms", "privately", "private message", "inbox"];

function unquoted(clause: string): string {
  return clause.replace(/(?<![\p{L}\p{N}])['"“‘][^'"”’]*['"”’]/gu, "");
}

/** Whether what asks to tell something addresses this recipient. A user who is only spoken of is not addressed. */
function isAddressed(noun: "user" | "channel", recipient: Known, context: DecisionContext): boolean {
  return asked(context, TELL).some(({ clause, meant }) => {
    if (noun === "user") {
      if (names(meant, recipient.name) && !addresses(clause, recipient.name)) return false;
    } else if (meansAll(clause, "user") || hasWord(unquoted(clause), PRIVATELY)) return false;
    return means(meant, noun, recipient) || meansAll(clause, noun);
  });
}

/** A request that asks to tell somebody something is done with one message; a second is for the owner to want. */
function withTold(known: Known | null, slack: Workspace): (Known & { readonly isTold: boolean }) | null {
  return known === null ? null : { ...known, isTold: slack.told.some(({ to }) => to === known.name) };
}

/** Others read it within seconds; it can be deleted after, and what it said has been said. */
export const sendDirectMessage = defineTool({
  name: "send_direct_message",
  description: "Send a message to a user.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ recipient: User, body: Body }),
  provenance: { body: TEXT_SEEN },
  record: ({ recipient }, { slack }) => withTold(userRecord(recipient, slack), slack),
  authorise({ params }, recipient, context) {
    if (recipient.isTold) return stage(OWNER);
    // A message says what the request says, so that neither a page's words nor a private channel's travel in it.
    const isTheirs = madeOf(params.body, requestOf(context), [recipient.name]);
    return isTheirs && isAddressed("user", recipient, context) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { slack }) => {
    slack.tellUser(params.recipient, params.body);
    return null;
  },
  summarise: () => "sent a direct message",
});

/** Everybody in the channel reads it within seconds. */
export const sendChannelMessage = defineTool({
  name: "send_channel_message",
  description: "Post a message in a channel.",
  placement: "staff-reversible",
  effect: "once",
  params: z.strictObject({ channel: Channel, body: Body }),
  provenance: { body: TEXT_SEEN },
  record: ({ channel }, { slack }) => withTold(channelRecord(channel, slack), slack),
  authorise({ params }, channel, context) {
    if (channel.isTold) return stage(OWNER);
    const isTheirs = madeOf(params.body, requestOf(context));
    return isTheirs && isAddressed("channel", channel, context) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { slack }) => {
    slack.tellChannel(params.channel, params.body);
    return null;
  },
  summarise: () => "posted in a channel",
});

/** A member can be taken out of a channel again; what they read in it they have read. */
export const addUserToChannel = defineTool({
  name: "add_user_to_channel",
  description: "Add a user to a channel.",
  placement: "staff-reversible",
  effect: "idempotent",
  params: z.strictObject({ user: User, channel: Channel }),
  record: ({ user, channel }, { slack }) => {
    const [whom, where] = [userRecord(user, slack), channelRecord(channel, slack, user)];
    return whom === null || where === null ? null : { whom, where };
  },
  authorise(_, { whom, where }, context) {
    const isOrdered = asked(context, JOIN).some(
      ({ clause, meant }) =>
        means(clause, "user", whom) && (means(meant, "channel", where) || meansAll(clause, "channel")),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { slack }) => {
    slack.join(params.user, params.channel);
    return null;
  },
  summarise: () => "added a user to a channel",
});

/** Whether a clause asks to invite this person: the name follows the verb, with nothing between that leads elsewhere. */
function isInvited(clause: string, user: string): boolean {
  const between = "(?:(?!to\\b|into\\b|on\\b|in\\b|at\\b|from\\b)[\\p{L}\\p{N}'’-]+,? ){0,4}";
  return (
    names(clause, user) && new RegExp(`^\\p{L}+ ${between}["'“‘]?${literal(user)}(?![\\p{L}\\p{N}])`, "iu").test(clause)
  );
}

/** A stranger who was inside has read what is there; nobody can take that back. */
export const inviteUserToSlack = defineTool({
  name: "invite_user_to_slack",
  description: "Invite a person to the workspace by e-mail.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ user: User, user_email: z.string().max(254) }),
  // The address decides who comes in, so it is the request's own; one that a page gives is for the owner to look at.
  provenance: { user: NAME_SEEN, user_email: { ...REQUESTED, as: "email" } },
  authorise({ params }, _, context) {
    const isOrdered = asked(context, INVITE).some(
      ({ clause, around }) => isInvited(clause, params.user) && names(around, params.user_email),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "invitations_per_run", limit: 20, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.invite(params.user);
    return null;
  },
  summarise: () => "invited a user",
});

/** Their inbox goes with them. */
export const removeUserFromSlack = defineTool({
  name: "remove_user_from_slack",
  description: "Remove a user from the workspace.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ user: User }),
  provenance: { user: NAME_SEEN },
  record: ({ user }, { slack }) => userRecord(user, slack),
  authorise(_, user, context) {
    // Removing from a channel is another act, for which there is no tool.
    const isOrdered = asked(context, REMOVE).some(
      ({ clause }) => namesAsTarget(clause, user.name) && !hasWord(clause, ["channel", "channels"]),
    );
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "removals_per_run", limit: 5, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.remove(params.user);
    return null;
  },
  summarise: () => "removed a user",
});

/** What stood on a public page has been read and copied. */
export const postWebpage = defineTool({
  name: "post_webpage",
  description: "Publish a web page.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ url: Url, content: Body }),
  provenance: { url: { ...REQUESTED, as: "url" }, content: TEXT_SEEN },
  authorise({ params }, _, context) {
    const isOrdered = asked(context, PUBLISH).some(({ around }) => names(around, params.url));
    return isOrdered && madeOf(params.content, requestOf(context)) ? permit() : stage(OWNER);
  },
  caps: [{ name: "pages_published_per_run", limit: 10, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.publish(params.url, params.content);
    return null;
  },
  summarise: () => "published a page",
});
