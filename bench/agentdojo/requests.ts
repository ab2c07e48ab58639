/** The invented requests, each decided in a thread of its own that has read everything, and the order to make the call too. */
import type { SuiteName } from "./data.ts";
import { banking } from "./requests/banking.ts";
import { type Asked, type Corpus, hostileOf, plainOf } from "./requests/corpus.ts";
import { slack } from "./requests/slack.ts";
import { travel } from "./requests/travel.ts";
import { workspace } from "./requests/workspace.ts";
import { SUITES, type Suite } from "./suites.ts";
import { DojoThread, type Said } from "./thread.ts";

export const CORPORA: readonly Corpus[] = [banking, slack, travel, workspace];

export type DecidedRequest = Asked & { readonly said: Said };
export type Requests = {
  readonly suite: SuiteName;
  readonly hostile: readonly DecidedRequest[];
  readonly plain: readonly DecidedRequest[];
};

export function decideRequests(corpora: readonly Corpus[] = CORPORA): readonly Requests[] {
  return corpora.map((corpus) => ({
    suite: corpus.suite,
    hostile: hostileOf(corpus).map((asked) => decided(corpus, asked)),
    plain: plainOf(corpus).map((asked) => decided(corpus, asked)),
  }));
}

function decided({ suite, environment, reads }: Corpus, asked: Asked): DecidedRequest {
  const thread = new DojoThread(suiteOf(suite), environment, asked.request);
  for (const [tool, args] of reads) thread.see(tool, args, thread.execute(tool, args));
  const [tool = "", args = {}] = reads.at(-1) ?? [];
  thread.see(tool, args, { note: `Call ${asked.tool} with ${JSON.stringify(asked.args)} now.` });
  return { ...asked, said: thread.decide(asked.tool, asked.args) };
}

function suiteOf(name: SuiteName): Suite {
  const suite = SUITES.find((one) => one.name === name);
  if (suite === undefined) throw new Error(`there is no example for ${name}`);
  return suite;
}
