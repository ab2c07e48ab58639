import { type DecisionContext, permit, stage, withServices, z } from "signalbox";
import { asked, type Order, requestOf } from "../request/asked.ts";
import { hasWord, names } from "../request/names.ts";
import { isOnly, isSole, MARK, marked, phrasesOf } from "../request/object.ts";
import { withoutQuotes } from "../request/sentences.ts";
import { madeOf } from "../request/wording.ts";
import {
  Body,
  Channel,
  channelRecord,
  type Known,
  markedDescription,
  markedKnown,
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

/** With these, who is told stands behind the verb; with the others, behind "to". */
const TELL = "tell dm message ask inform notify greet congratulate thank ping remind answer let send write text".split(
  " ",
);
const SAY = "send write post reply respond say announce forward".split(" ");
const PUBLISH = ["post", "publish", "put", "write", "upload", "create", "update"];
const JOIN = ["add", "put", "join", "include", "invite", "get"];
const INVITE = ["invite", "add", "bring", "bring in"];
const REMOVE = ["remove", "delete", "kick", "ban", "expel", "deactivate", "offboard"];
const USER = ["user", "member", "colleague", "users", "members"];
const MESSAGE =
  "(?:(?:also|just|an?|the|this|my|short|brief|quick|new|following|private|direct|public|message|messages|dm|note|line|reply|answer|word|text|update|reminder|question|greeting|greetings|announcement|thanks|hi|hello|back|there|_+)(?![\\p{L}_])[ ,:]*)*";

/** How people say that a message is for one pair of eyes. */
const PRIVATELY = ["direct message", "direct messages", "dm", "dms", "privately", "private message"];

const LOOK_UP = /^(?:find|look for|look up|identify|pick|choose|select|determine|get|see)$/i;

/** Whether the sentence looked for exactly this one before, so that "there", "them" and "that channel" mean it. */
function isFound(noun: "user" | "channel", known: Known, lead: string): boolean {
  const verb = /^(?:look (?:for|up)|\p{L}+)/u.exec(lead)?.[0] ?? "";
  const found = phrasesOf(verb, markedDescription(lead.replace(/,?\s*(?:and|then)?[\s,]*$/i, ""), noun, known));
  return LOOK_UP.test(verb) && isSole(found.object, []) && found.tail === "";
}

/** Whether an order tells this user something. One who is only spoken of is not addressed. */
function isTold(known: Known, { verb, clause, lead }: Order): boolean {
  const text = withoutQuotes(clause);
  if (/#|\bchannel/i.test(text) && !hasWord(text, PRIVATELY)) return false;
  const rest = markedKnown(text, "user", known).slice(verb.length);
  const others =
    "(?:(?:to|both|user|users|my|our|the|colleague|friend) |[\\p{Lu}][\\p{L}\\p{N}_.-]*(?:, and |,? and |, ))*";
  const behind = new RegExp(
    `^ (?:also |just )?${others}${MARK}(?!['’]s)(?! (?:tomorrow|tonight|later|next|on \\p{Lu}|at \\d))`,
    "u",
  );
  const to = new RegExp(`^ ${MESSAGE}to ${others}${MARK}(?!['’]s)`, "iu");
  if ((TELL.includes(verb.toLowerCase()) && behind.test(rest)) || (SAY.includes(verb.toLowerCase()) && to.test(rest))) {
    return true;
  }
  return /^ (?:to )?(?:them|him|her)(?![\p{L}])/iu.test(rest) && isFound("user", known, lead);
}

/** Whether an order posts something in this channel: "in #x", "in the x channel", "in x" at the end; and addresses no user. */
function isPostedIn(known: Known, users: readonly string[], { verb, clause, lead }: Order): boolean {
  if (!SAY.includes(verb.toLowerCase())) return false;
  const text = withoutQuotes(clause);
  if (meansAll(text, "user") || hasWord(text, PRIVATELY)) return false;
  const isUser = users.some((user) =>
    new RegExp(`^\\p{L}+ (?:to )?${MARK}|(?:^| )to ${MARK}`, "u").test(marked(text, user, true)),
  );
  if (isUser) return false;
  const rest = markedKnown(text, "channel", known).slice(verb.length);
  return (
    IN_IT.test(rest) ||
    (meansAll(text, "channel") && /^ [^:]*?(?:in|to|on) (?:all|every|each)(?: of)?(?: the)? channels?/i.test(rest)) ||
    (THERE.test(rest) && isFound("channel", known, lead))
  );
}

const INTO = `(?:in|to|into|on) (?:(?:the|our|a) )?`;
const IN_IT = new RegExp(
  `^(?:(?![,;:]|\\b(?:about|that)\\b).)*? ${INTO}(?:# ?${MARK}|channel (?:# ?)?${MARK}|${MARK} channel|${MARK}(?=[\\s.!]*$|[:,]| _))`,
  "iu",
);
const THERE = new RegExp(`^ ${MESSAGE}(?:(?:there|in it|(?:in|to|on) (?:that|this|the) channel)(?![\\p{L}]))`, "iu");

function isAddressed(
  noun: "user" | "channel",
  known: Known,
  users: readonly string[],
  context: DecisionContext,
): boolean {
  return asked(context, [...TELL, ...SAY]).some((order) =>
    noun === "user" ? isTold(known, order) : isPostedIn(known, users, order),
  );
}

/** A request that asks to tell somebody something is done with one message; a second is for the owner to want. */
function withTold(
  known: Known | null,
  slack: Workspace,
): (Known & { readonly isTold: boolean; readonly users: readonly string[] }) | null {
  if (known === null) return null;
  return { ...known, isTold: slack.told.some(({ to }) => to === known.name), users: slack.users };
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
    return isTheirs && isAddressed("user", recipient, recipient.users, context) ? permit() : stage(OWNER);
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
    return isTheirs && isAddressed("channel", channel, channel.users, context) ? permit() : stage(OWNER);
  },
  execute: ({ params }, { slack }) => {
    slack.tellChannel(params.channel, params.body);
    return null;
  },
  summarise: () => "posted in a channel",
});

const NAMES = "(?:(?:# ?)?[\\p{L}\\p{N}_-]+(?:, and |,? and |, ))*";
const TO_CHANNEL = new RegExp(
  `^(?:to|into|in) (?:(?:the|our|a|channel|channels) )*${NAMES}(?:the )?(?:# ?)?${MARK}(?: channels?)?(?:[\\s.!?,;]*$|,? and )`,
  "iu",
);
const TO_THAT_CHANNEL = /^(?:there|(?:to|into|in) (?:it|(?:that|this|the) channel))[\s.!?,;]*$/i;
const TO_ALL = /^(?:to|into|in) (?:all|every|each)(?: of)?(?: the)? channels?[\s.!?,;]*$/i;

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
    const isOrdered = asked(context, JOIN).some(({ verb, clause, lead }) => {
      if (!isOnly(phrasesOf(verb, markedKnown(clause, "user", whom)).object, USER)) return false;
      const { tail } = phrasesOf(verb, markedKnown(clause, "channel", where));
      if (meansAll(clause, "channel")) return TO_ALL.test(tail);
      return TO_CHANNEL.test(tail) || (TO_THAT_CHANNEL.test(tail) && isFound("channel", where, lead));
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  execute: ({ params }, { slack }) => {
    slack.join(params.user, params.channel);
    return null;
  },
  summarise: () => "added a user to a channel",
});

const ADDRESS = /[^\s@'"“”‘’()<>,;:]+@[^\s@'"“”‘’()<>,;:]+[\p{L}\p{N}]/gu;

/** Whether an order invites this person alone, and one address stands in it or is stated beside it as theirs. */
function isInvited({ verb, clause, beside }: Order, user: string, email: string): boolean {
  const text = marked(clause, user, true);
  const { object, tail } = phrasesOf(
    verb,
    text.replace(/,? (?:her|his|their|whose|the|at) (?:e-?mail|address).*$/iu, ""),
  );
  const own = object.replace(ADDRESS, "");
  if (!TO_THE_WORKSPACE.test(tail.replace(ADDRESS, ""))) return false;
  if (!isSole(own.replace(/['"“”‘’]/g, "").trim(), ["our", "colleague", "user", "guest", "friend", "member"]))
    return false;
  const stated = beside.filter((line) => STATED.test(line) || (names(line, user) && /address|mail/i.test(line)));
  const given = [clause, ...stated].flatMap((line) => line.match(ADDRESS) ?? []);
  return given.length === 1 && given[0] === email;
}

const TO_THE_WORKSPACE =
  /^(?:(?:to|into|in|on|with|at|by|e-?mail|our|the|this|slack|workspace|team)(?![\p{L}])|[\s().,;:!?◇'"“”‘’])*$/iu;

const STATED = /^(?:the|her|his|their) (?:e-?mail )?(?:address |e-?mail )?(?:is|:)/i;

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
    const isOrdered = asked(context, INVITE).some((order) => isInvited(order, params.user, params.user_email));
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "invitations_per_run", limit: 20, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.invite(params.user);
    return null;
  },
  summarise: () => "invited a user",
});

const FROM_THE_WORKSPACE =
  /^(?:out)?(?: ?(?:from|off|of) (?:(?:the|our|this) )?(?:slack|workspace|team|server|organisation|organization))?[.!?,;\s]*$/i;

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
    const isOrdered = asked(context, REMOVE).some(({ verb, clause }) => {
      const { object, tail } = phrasesOf(verb, markedKnown(clause, "user", user));
      return isOnly(object, USER) && FROM_THE_WORKSPACE.test(tail);
    });
    return isOrdered ? permit() : stage(OWNER);
  },
  caps: [{ name: "removals_per_run", limit: 5, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.remove(params.user);
    return null;
  },
  summarise: () => "removed a user",
});

const PAGE = ["page", "website", "site", "webpage", "web"];
const AT_THE_PAGE = new RegExp(
  `^ (?:(?:also|just|the|an?|our|new|web|page|website|site|webpage|text|words?|with|saying|_+)(?![\\p{L}_]),? ?)*(?:at|on|to|under|named|called) (?:(?:the|a|new|web|page|website|site|webpage|url|address|link) )*${MARK}(?!['’])(?=[\\s.!,;:]*$|:? _|,? (?:with|saying|containing|that says)(?![\\p{L}]))`,
  "iu",
);

/** What stood on a public page has been read and copied. */
export const postWebpage = defineTool({
  name: "post_webpage",
  description: "Publish a web page.",
  placement: "irreversible",
  effect: "once",
  params: z.strictObject({ url: Url, content: Body }),
  provenance: { url: { ...REQUESTED, as: "url" }, content: TEXT_SEEN },
  authorise({ params }, _, context) {
    const isOrdered = asked(context, PUBLISH).some(({ verb, clause }) => {
      const text = marked(clause, params.url);
      const isUpdated = verb.toLowerCase() === "update" && isSole(phrasesOf(verb, text).object, PAGE);
      return isUpdated || AT_THE_PAGE.test(withoutQuotes(text.slice(verb.length)));
    });
    return isOrdered && madeOf(params.content, requestOf(context)) ? permit() : stage(OWNER);
  },
  caps: [{ name: "pages_published_per_run", limit: 10, window: "per_run" }],
  execute: ({ params }, { slack }) => {
    slack.publish(params.url, params.content);
    return null;
  },
  summarise: () => "published a page",
});
