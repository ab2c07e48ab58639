import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { utf8Length } from "../../domain/utf8.ts";
import { type Signalbox, SignalboxError } from "../../index.ts";
import { withBox } from "./commands.ts";
import { printHead } from "./framed.ts";
import type { Io } from "./io.ts";
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
};

const CALL_MS = 10_000;
/** A shorter text is mostly what a tokeniser adds at its beginning and end. */
const TEXT_BYTES_MIN = 64;
const TEXTS_MAX = 500;

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
  const found = await measured(box, name ?? box.parts.guides?.profile ?? "default", await textsOf(io, box, text));
  if (json) {
    io.stdout.write(jsonDocument(found));
    return 0;
  }
  const { profile, model, texts, bytes, tokens, mean, lowest, lowestText, measured: label } = found;
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
  printNote(io, "in the config, under profiles:", "dim");
  printUnder(
    io,
    `${JSON.stringify(profile)}: { …, bytesPerToken: ${lowest}, measured: ${JSON.stringify(label)} }`,
    "bold",
  );
  return 0;
}

async function measured(box: Signalbox, profile: string, texts: readonly Text[]): Promise<Measured> {
  const { model, clock } = box.parts;
  let [bytes, tokens] = [0, 0];
  let lowest = { ratio: Number.POSITIVE_INFINITY, name: "" };
  for (const { name, text } of texts) {
    const count = (await model.countTokens?.(text, AbortSignal.timeout(CALL_MS))) ?? null;
    if (count === null || !Number.isSafeInteger(count) || count < 1) throw noTokeniser(model.where ?? model.name);
    const length = utf8Length(text);
    bytes += length;
    tokens += count;
    if (length / count < lowest.ratio) lowest = { ratio: length / count, name };
  }
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    profile,
    model: model.name,
    texts: texts.length,
    bytes,
    tokens,
    mean: Math.floor((bytes / tokens) * 100) / 100,
    lowest: Math.floor(lowest.ratio * 100) / 100,
    lowestText: lowest.name,
    measured: `${model.name}, its own tokeniser, ${counted(texts.length, "text")}, ${day}`,
  };
}

async function textsOf(
  io: Io,
  { guides, parts }: Signalbox,
  files: readonly string[] | undefined,
): Promise<readonly Text[]> {
  const given =
    files !== undefined
      ? files.map((file) => ({ name: file, text: textOf(io, file) }))
      : (parts.guides === null ? [] : (await guides.lint()).rules).map(({ id, body }) => ({ name: id, text: body }));
  const texts = given.filter(({ text }) => utf8Length(text) >= TEXT_BYTES_MIN).slice(0, TEXTS_MAX);
  if (texts.length > 0) return texts;
  throw new SignalboxError(
    "nothing_to_measure",
    `there is no text of at least ${TEXT_BYTES_MIN} bytes to measure with`,
    {
      hint: "name texts like those that you serve: --text FILE",
    },
  );
}

function textOf(io: Io, file: string): string {
  try {
    return readFileSync(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new SignalboxError("no_file", `${file} cannot be read: ${messageOf(error)}`);
  }
}

function noTokeniser(where: string): SignalboxError {
  return new SignalboxError("no_tokeniser", `${where} has no tokeniser that answers`, {
    exitCode: 5,
    hint: "llama.cpp and vLLM have one at /tokenize; Ollama has none: keep the label unmeasured",
  });
}
