import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { DEFAULT_PROFILE, type Profile } from "../../domain/profile.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { type Model, type Signalbox, SignalboxError } from "../../index.ts";
import { decodeUtf8 } from "../../runtime/index.ts";
import { withBox } from "./commands.ts";
import { printHead } from "./framed.ts";
import { type Io, paint } from "./io.ts";
import { type Opening, opened } from "./opened.ts";
import { printNote, printUnder } from "./print-row.ts";
import { messageOf } from "./report.ts";
import { counted, grouped, jsonDocument, visible } from "./text.ts";

type Going = { readonly io: Io; readonly done: (exitCode: number) => void };
type Text = { readonly name: string; readonly text: string };

/** What a server's tokeniser makes of texts. */
export type Measured = {
  readonly profile: string;
  readonly model: string;
  readonly texts: number;
  readonly bytes: number;
  readonly tokens: number;
  /** Bytes over tokens of all texts together. */
  readonly mean: number;
  /** Of the text that has the fewest bytes a token: the figure that a prompt of such texts can be trusted to fit by. */
  readonly lowest: number;
  readonly lowestText: string;
  readonly measured: string;
  /** Texts that were too short to measure with. */
  readonly short: readonly string[];
  /** The profile as the config should have it. */
  readonly declaration: Declaration;
};

type Declaration = Omit<Profile, "name">;

/** For one text; where there is no count, also for finding out why. */
const CALL_MS = 10_000;
/** A shorter text is mostly what a tokeniser adds at its beginning and end. */
const TEXT_BYTES_MIN = 64;
const TEXTS_MAX = 500;
/** Texts that a line names; more are counted. */
const NAMED_MAX = 8;

export function profileCommands(program: Command, { io, done }: Going): void {
  const profile = program
    .command("profile")
    .summary("measure what a model can take")
    .description("Measure what a model can take.");
  withBox(
    profile.command("measure"),
    "count how many bytes of your rules a token of the model's server covers",
    "signalbox profile measure qwen3-8b-16k",
  )
    .argument("[profile]", "the profile that the figures are for (default: the one that runs are served for)")
    .option("--text <file...>", "measure with these texts instead of the rules")
    .action(async (name: string | undefined, options: Opening & { text?: string[] }) => {
      const work = (box: Signalbox): Promise<number> => measure(io, box, name, options);
      done(await opened(io, { ...options, looks: true }, work));
    });
}

async function measure(
  io: Io,
  box: Signalbox,
  name: string | undefined,
  { text, json = false }: { readonly text?: readonly string[]; readonly json?: boolean },
): Promise<number> {
  const declared = profileOf(box, name ?? box.parts.guides?.profile ?? DEFAULT_PROFILE.name);
  const { texts: given, short } = await textsOf(io, box, text);
  const found = await measured(box, declared, given, short);
  if (json) {
    io.stdout.write(jsonDocument(found));
    return 0;
  }
  const { profile, model, texts, bytes, tokens, mean, lowest, lowestText, declaration } = found;
  printHead(
    io,
    "measured",
    [visible(profile), visible(model), counted(texts, "text"), `${grouped(bytes)} bytes`, `${grouped(tokens)} tokens`],
    "green",
  );
  printUnder(
    io,
    `${mean.toFixed(2)} bytes a token on the whole; ${lowest.toFixed(2)} in ${visible(lowestText)}`,
    "dim",
  );
  if (short.length > 0) {
    const names = short.slice(0, NAMED_MAX).map(visible).join(", ");
    const more = short.length > NAMED_MAX ? ` and ${short.length - NAMED_MAX} more` : "";
    const what = `${counted(short.length, "text")} of less than ${TEXT_BYTES_MIN} bytes not measured`;
    printNote(io, `${what}: ${names}${more}`, "dim");
  }
  printNote(io, "in the config, under profiles:", "dim");
  // One line, and never broken: it is there to be pasted.
  io.stdout.write(`    ${paint(io, "bold", `${JSON.stringify(profile)}: ${literal(declaration)},`)}\n`);
  return 0;
}

/** As it stands in a config: what needs no quotes has none. */
function literal(declaration: Declaration): string {
  const entries = Object.entries(declaration).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `{ ${entries.join(", ")} }`;
}

function profileOf({ parts }: Signalbox, name: string): Profile {
  const known: ReadonlyMap<string, Profile> =
    parts.guides?.profiles ?? new Map([[DEFAULT_PROFILE.name, DEFAULT_PROFILE]]);
  const found = known.get(name);
  if (found !== undefined) return found;
  const names = [...known.keys()].join(", ");
  throw new SignalboxError(
    "unknown_profile",
    `there is no profile "${visible(name).slice(0, 60)}": there is ${names}`,
    {
      hint: "declare it first: `profiles: { NAME: { budgetBytes: 2_048 } }` in the config",
    },
  );
}

async function measured(
  box: Signalbox,
  { name: profile, budgetBytes, slot, contextTokens }: Profile,
  texts: readonly Text[],
  short: readonly string[],
): Promise<Measured> {
  const { model, clock } = box.parts;
  let [bytes, tokens] = [0, 0];
  let lowest = { ratio: Number.POSITIVE_INFINITY, name: "" };
  for (const { name, text } of texts) {
    const signal = AbortSignal.timeout(CALL_MS);
    const count = (await model.countTokens?.(text, signal)) ?? null;
    if (count === null || !Number.isSafeInteger(count) || count < 1) throw await notCounted(model, signal);
    const length = utf8Length(text);
    bytes += length;
    tokens += count;
    if (length / count < lowest.ratio) lowest = { ratio: length / count, name };
  }
  const bytesPerToken = Math.floor(lowest.ratio * 100) / 100;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const label = `${model.name}, its own tokeniser, ${counted(texts.length, "text")}, ${day}`;
  return {
    profile,
    model: model.name,
    texts: texts.length,
    bytes,
    tokens,
    mean: Math.floor((bytes / tokens) * 100) / 100,
    lowest: bytesPerToken,
    lowestText: lowest.name,
    measured: label,
    short,
    declaration: { budgetBytes, slot, contextTokens, bytesPerToken, measured: label },
  };
}

async function textsOf(
  io: Io,
  { guides, parts }: Signalbox,
  files: readonly string[] | undefined,
): Promise<{ readonly texts: readonly Text[]; readonly short: readonly string[] }> {
  const given =
    files !== undefined
      ? files.map((file) => ({ name: file, text: textOf(io, file) }))
      : (parts.guides === null ? [] : (await guides.lint()).rules).map(({ id, body }) => ({ name: id, text: body }));
  const isShort = ({ text }: Text): boolean => utf8Length(text) < TEXT_BYTES_MIN;
  const texts = given.filter((text) => !isShort(text)).slice(0, TEXTS_MAX);
  if (texts.length > 0) return { texts, short: given.filter(isShort).map(({ name }) => name) };
  throw new SignalboxError(
    "nothing_to_measure",
    `there is no text of at least ${TEXT_BYTES_MIN} bytes to measure with`,
    {
      hint: "name texts like those that you serve: --text FILE",
    },
  );
}

function textOf(io: Io, file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(resolve(io.cwd, file));
  } catch (error) {
    throw new SignalboxError("no_file", `${file} cannot be read: ${messageOf(error)}`);
  }
  const text = decodeUtf8(bytes);
  if (!text.ok) throw new SignalboxError(text.why.code, `${file}: ${text.why.detail}`);
  return text.value;
}

/**
 * A server that does not answer at all is told apart from one that has no tokeniser. A model that says why there was no count is
 * believed; another one is probed in what is left of the time.
 */
async function notCounted(model: Model, signal: AbortSignal): Promise<SignalboxError> {
  const where = model.where ?? model.name;
  const failure = model.countFailure?.() ?? null;
  if (failure !== null) {
    const isSilent = failure.code === "unreachable" || failure.code === "aborted";
    return isSilent ? unreachable(where, failure.detail) : noTokeniser(where, failure.detail);
  }
  const probe = signal.aborted ? null : ((await model.probe?.(signal)) ?? null);
  return probe?.schema === "unreachable" ? unreachable(where, probe.detail) : noTokeniser(where, null);
}

function unreachable(where: string, detail: string): SignalboxError {
  return new SignalboxError("model_unreachable", `${where} does not answer: ${visible(detail)}`, {
    exitCode: 5,
    hint: "signalbox doctor says more",
  });
}

/** `said`: what its server says instead of a count. */
function noTokeniser(where: string, said: string | null): SignalboxError {
  const why = said === null ? "" : `: ${visible(said)}`;
  return new SignalboxError("no_tokeniser", `${where} has no tokeniser that answers${why}`, {
    exitCode: 5,
    hint: "llama.cpp and vLLM have one at /tokenize; Ollama has none: keep the label unmeasured",
  });
}
