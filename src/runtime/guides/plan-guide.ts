import { GUIDE_LIMITS, type Guide, type Milestone } from "../../domain/guide.ts";
import { type Parsed, unparsed, type Why } from "../../domain/parsed.ts";
import { piecesOf } from "../../domain/pieces.ts";
import { redactText } from "../../domain/redact.ts";
import { oneLine } from "../../domain/result.ts";
import { stoppedBy } from "../../domain/said.ts";
import { SCREEN_EVENT, screenFacts } from "../../domain/screen-event.ts";
import { wellFormed } from "../../domain/text.ts";
import { withoutThinking } from "../../domain/thinking.ts";
import { promptBytesMax } from "../../domain/window.ts";
import {
  distinctiveWords,
  type FollowPart,
  followParts,
  type GroundedGuide,
  gate,
  groundGuide,
  guideText,
  type LeftOut,
  PLAN_SCHEMA,
  parseGuide,
  planPrompt,
  type Verdict,
  writeRule,
} from "../../guides/index.ts";
import { quoted } from "../../loop/index.ts";
import type { ModelReply } from "../../ports/model.ts";
import { REPLY_BYTES_MAX } from "../answer.ts";
import { within } from "../deadline.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import { type NamedMap, namedMap } from "./named-map.ts";

export type PlanWanted = {
  /** The id of the rule that is made of it. */
  readonly id: string;
  readonly task: string;
  /** The name of a map of the config's folder. */
  readonly map: string;
  /** In parts, each told when an event says that its screen is up as it was harvested; the entry steps from the start. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
};

/** What one pass of the model came to. Nothing is written: the text of the file is for whoever asked. */
export type PlannedGuide = {
  readonly map: { readonly name: string; readonly digest: string };
  readonly model: string;
  /** What the model said, redacted. */
  readonly raw: string;
  /** Controls that the prompt had no room for. */
  readonly leftOut: number;
  /** The same by screen. */
  readonly leftOutOn: readonly LeftOut[];
  /** null where the reply is none; `why` says why. */
  readonly guide: Guide | null;
  readonly why: Why | null;
  readonly grounded: GroundedGuide | null;
  readonly verdict: Verdict | null;
  /** The rule file of a guide that the gate lets through: a draft, to be verified and approved like any other. */
  readonly file: string | null;
  /** That file and, of a guide that is followed, those of its other parts, with the ids of their rules; else none. */
  readonly files: readonly { readonly id: string; readonly text: string }[];
};

/**
 * One pass of the model plans a guide in the words of a map; then code reads it strictly, grounds each step and gates it (design
 * 7.5). There is no second pass: what is suppressed is mended by other words for the task, or by the screen that is missing.
 *
 * @throws SignalboxError `unknown_map` and what else keeps a map from being read, `empty_task`, `model_unreachable`.
 */
export async function planGuide(parts: Parts, wanted: PlanWanted): Promise<PlannedGuide> {
  const map = await mapFor(parts, wanted.map);
  const task = redactText(taskOf(wanted.task), parts.redaction);
  const prompt = planPrompt(map.index, task, { bytesMax: promptBytesMax(parts.window), quote: quoted });
  const user = redactText(prompt.user, parts.redaction);
  const reply = await asked(parts, prompt.system, user, wanted.signal ?? null);
  const raw = redactText(wellFormed(reply.text), parts.redaction).slice(0, REPLY_BYTES_MAX);
  const read = readGuide(raw, reply.finish, wanted.id);
  const { leftOut, leftOutOn } = prompt;
  const said = { map: { name: map.name, digest: map.digest }, model: parts.model.name, raw, leftOut, leftOutOn };
  if (!read.ok) return { ...said, guide: null, why: read.why, grounded: null, verdict: null, file: null, files: [] };
  // What it is for says who asks, and with it when it is told: not the model.
  const guide = { ...read.value, task };
  const grounded = groundGuide(map.index, guide);
  const verdict = gate(grounded);
  const pieces = wanted.follow === true ? followParts(guide, screensIn(map, grounded)) : [{ screen: null, guide }];
  const files =
    verdict.verdict === "served" ? pieces.map((one) => ({ id: one.guide.id, text: guideFile(parts, map, one) })) : [];
  return { ...said, guide, why: null, grounded, verdict, file: files[0]?.text ?? null, files };
}

/** The screen of a step: what it says itself, else where its control is. */
function screensIn({ index }: NamedMap, { steps }: GroundedGuide): (step: Milestone) => string | null {
  const controls = new Map(steps.map(({ step, control }) => [step, control]));
  return (step) => step.screen ?? index.byId.get(controls.get(step) ?? "")?.screen ?? null;
}

/** @throws SignalboxError with the code of what keeps the map from being read. */
export async function mapFor(parts: Parts, name: string): Promise<NamedMap> {
  const map = await namedMap(parts, name);
  if (map.ok) return map.value;
  throw new SignalboxError(map.why.code, map.why.detail, { hint: "signalbox harvest makes one" });
}

/** The rule file of a guide, or of a part: the steps in its header, and the text that is made of them. */
function guideFile(parts: Parts, map: NamedMap, { guide, screen }: FollowPart): string {
  const words = distinctiveWords(guide.task);
  const header = {
    id: guide.id,
    ...(map.map.app === null ? {} : { app: [map.map.app] }),
    ...(words.length === 0 ? {} : { task: { any: [], words, least: Math.min(2, words.length) } }),
    ...(screen === null ? {} : { when: { event: SCREEN_EVENT, ...screenFacts(map.map, screen, parts.hash) } }),
    guide: { map: map.name, digest: map.digest, guide },
  };
  return writeRule(header, guideText(guide));
}

function taskOf(task: unknown): string {
  if (typeof task === "string" && task.trim() !== "") return oneLine(wellFormed(task)).slice(0, GUIDE_LIMITS.textUnits);
  throw new SignalboxError("empty_task", "the task is empty", { hint: '--task "reset a customer\'s password"' });
}

async function asked(
  parts: Parts,
  system: string,
  user: string,
  cancel: AbortSignal | null,
): Promise<Extract<ModelReply, { ok: true }>> {
  const { model, clock, budgets, window } = parts;
  const timed = await within(clock, budgets.modelCallMs, cancel, (signal) =>
    model.complete({
      ...{ system, messages: [{ role: "user" as const, content: user }], mode: "flat" as const },
      ...{ schema: PLAN_SCHEMA, schemaStrict: PLAN_SCHEMA, tools: [], outputTokensMax: window.outputTokens, signal },
    }),
  );
  const unreachable = (detail: string): SignalboxError =>
    new SignalboxError("model_unreachable", redactText(oneLine(detail), parts.redaction), {
      exitCode: 5,
      hint: "signalbox doctor asks the model's server",
    });
  if (timed.kind === "threw") throw unreachable(textOf(timed.error));
  if (timed.kind !== "value") throw unreachable(timed.kind === "timeout" ? "no reply in time" : "cancelled");
  if (!timed.value.ok) throw unreachable(`${timed.value.code}: ${timed.value.detail}`);
  return timed.value;
}

/** The one object of the reply, with nothing guessed: a reply that was cut or that holds two of them is none. */
function readGuide(raw: string, finish: string, id: string): Parsed<Guide> {
  const stopped = stoppedBy(finish);
  if (stopped === "refusal") return unparsed("refused", "the model refused to reply");
  if (stopped === "length")
    return unparsed("cut", "the reply was cut by its length: give the window more outputTokens");
  const { objects, cutAt, stray } = piecesOf(withoutThinking(raw).text);
  const [only] = objects;
  if (cutAt !== null || stray || only === undefined || objects.length > 1) {
    return unparsed("not_json", "the reply is not one JSON object");
  }
  return only.value.ok ? parseGuide(only.value.value, id) : only.value;
}
