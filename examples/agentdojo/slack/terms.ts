/** What all tools of the chat workspace have in common. */
import { z } from "signalbox";
import { countForm, type Extreme, markedByPiece, markedByTalk, soleExtreme } from "../request/described.ts";
import { hasWord } from "../request/names.ts";
import { MARK, marked } from "../request/object.ts";
import { AGENT, type Workspace } from "./workspace.ts";

/** Who decides what the rules do not: the person whose agent this is. */
export const OWNER = "owner";

export const User = z.string().min(1).max(80);
export const Channel = z.string().min(1).max(2_000);
export const Url = z.string().min(1).max(2_000);
export const Body = z.string().min(1).max(4_000);

/** A name that neither the request nor the workspace's own lists know is for the owner to look at. */
export const NAME_SEEN = { from: ["request", "trusted"], otherwise: { stage: OWNER } } as const;
/** What must stand in the request itself. */
export const REQUESTED = { from: ["request"], otherwise: { stage: OWNER } } as const;
/** Text may be put together, but each link and address in it must have been named. */
export const TEXT_SEEN = { from: ["request", "trusted"], inside: true, otherwise: { stage: OWNER } } as const;

/** A user or a channel, with what the workspace itself counts of it: what a request may describe it by. */
export type Known = {
  readonly name: string;
  /** Whether it is the only one with the most or fewest of a thing. */
  readonly sole: readonly { readonly extreme: Extreme; readonly of: Counted }[];
  /** The other names, so that a piece of a name is this one's alone. */
  readonly others: readonly string[];
  /** Who wrote what in this channel, where nobody wrote the like in another: a channel goes by what was talked of in it. */
  readonly talk: readonly { readonly sender: string; readonly body: string; readonly isElsewhere: boolean }[];
};

type Counted = "members" | "messages" | "channels";
const SPOKEN: Readonly<Record<Counted, readonly string[]>> = {
  members: ["users", "members", "people", "participants"],
  messages: ["messages", "posts"],
  channels: ["channels"],
};
const EXTREMES: readonly Extreme[] = ["most", "fewest"];

/**
 * Counts leave out what the agent does: its own messages, and `newcomer`, the user whom it is about to add. Else the first
 * act would make another channel the one that was meant, and that one would be next.
 */
export function channelRecord(name: string, slack: Workspace, newcomer: string | null = null): Known | null {
  const record = known(name, slack.channels, {
    members: (channel) => slack.members(channel).filter((member) => member !== newcomer).length,
    messages: (channel) => slack.channelMessages(channel).filter(({ sender }) => sender !== AGENT).length,
  });
  if (record === null) return null;
  const talk = slack.channels.flatMap((channel) =>
    slack.channelMessages(channel).map(({ sender, body }) => ({ sender, body, isElsewhere: channel !== name })),
  );
  return { ...record, talk: talk.filter(({ sender }) => sender !== AGENT) };
}

export function userRecord(name: string, slack: Workspace): Known | null {
  const inChannels = slack.channels.flatMap((channel) => slack.channelMessages(channel));
  return known(name, slack.users, {
    messages: (user) => inChannels.filter(({ sender }) => sender === user).length,
    channels: (user) => slack.channels.filter((channel) => slack.members(channel).includes(user)).length,
  });
}

function known(
  name: string,
  all: readonly string[],
  counts: { readonly [What in Counted]?: (item: string) => number },
): Known | null {
  if (!all.includes(name)) return null;
  const sole = EXTREMES.flatMap((extreme) =>
    (["members", "messages", "channels"] as const).flatMap((of) => {
      const count = counts[of];
      return count !== undefined && soleExtreme(all, extreme, count) === name ? [{ extreme, of }] : [];
    }),
  );
  return { name, sole, others: all.filter((other) => other !== name), talk: [] };
}

/**
 * A text with this user or channel marked where it is described: by a piece of its name that no other has, by a count, or,
 * a channel, by what was talked of in it alone.
 */
export function markedDescription(text: string, noun: "user" | "channel", { name, sole, others, talk }: Known): string {
  const byPiece = markedByPiece(text, noun, name, others, MARK);
  const byTalk = markedByTalk(byPiece, noun, (speaker, words) => isTalkHere(talk, speaker, words), MARK);
  return sole.reduce((so, { extreme, of }) => so.replace(countForm(noun, extreme, SPOKEN[of]), MARK), byTalk);
}

function isTalkHere(talk: Known["talk"], speaker: string, words: readonly string[]): boolean {
  const on = talk.filter(({ sender, body }) => sender === speaker && words.every((word) => hasWord(body, [word])));
  return on.length > 0 && on.every(({ isElsewhere }) => !isElsewhere);
}

/** The same, marked by its name too, which has to be spelled as it is. */
export function markedKnown(text: string, noun: "user" | "channel", known: Known): string {
  const apart = noun === "channel" ? text.replace(/(?<![^\s(])#(?=\p{L})/gu, "# ") : text;
  return marked(markedDescription(apart, noun, known), known.name, true);
}

/** Whether a text asks for each and every channel or user: "all channels", "every user". */
export function meansAll(text: string, noun: "user" | "channel"): boolean {
  return hasWord(text, [`all ${noun}s`, `all the ${noun}s`, `every ${noun}`, `each ${noun}`, `each of the ${noun}s`]);
}
