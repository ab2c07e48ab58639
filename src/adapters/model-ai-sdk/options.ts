import { isBlank } from "../../domain/hidden.ts";
import type { WireMode } from "../../domain/said.ts";
import { isWellFormed } from "../../domain/text.ts";
import type { ModelPrice } from "../../ports/model.ts";
import type { Clock } from "../../ports/world.ts";
import { field } from "./field.ts";

/**
 * A language model of the AI SDK, by its shape: LanguageModelV2 (AI SDK 5), V3 (6) and V4 (7) all have it. What the two
 * functions are given and give back differs between them, and is made and read as unknown here.
 */
export type AiSdkLanguageModel = {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: object): PromiseLike<unknown>;
  doStream(options: object): PromiseLike<unknown>;
};

export type AiSdkOptions = {
  /** What the model is called in the ledger. Default: the model id of the language model. */
  readonly name?: string;
  /** Default `flat`. */
  readonly mode?: WireMode;
  readonly price?: ModelPrice;
  /** How often a call is made again after an error that the provider calls retryable. Default 2, at most 10. */
  readonly retries?: number;
  /** Default 0. null: none is sent, for a model that refuses to be given one. */
  readonly temperature?: number | null;
  /** What time is and how to wait; for tests. */
  readonly clock?: Clock;
  /** A number from 0 to 1, for the jitter of the waits; for tests. */
  readonly chance?: () => number;
};

/** What was given to `aiSdkModel` cannot be used: `bad_model` or `bad_options`. */
export class AiSdkModelError extends Error {
  readonly code: "bad_model" | "bad_options";

  constructor(code: AiSdkModelError["code"], message: string) {
    super(message);
    this.name = "AiSdkModelError";
    this.code = code;
  }
}

const OPTION_KEYS = ["name", "mode", "price", "retries", "temperature", "clock", "chance"];
const NAME_LENGTH_MAX = 200;
const RETRIES_MAX = 10;

/** Why this is no language model that can be used, in a sentence, or null. */
export function languageModelFault(model: unknown): string | null {
  if (typeof model === "string") {
    return `"${model.slice(0, 80)}" is a model's name: give the language model that a provider makes of it`;
  }
  const version = field(model, "specificationVersion");
  if (typeof version !== "string") return "this is no language model of the AI SDK: it has no specificationVersion";
  if (!["v2", "v3", "v4"].includes(version)) {
    return `a language model of specification "${version.slice(0, 20)}" cannot be used, only v2, v3 and v4 (AI SDK 5 to 7)`;
  }
  if (typeof field(model, "doGenerate") !== "function") return "the language model has no function doGenerate";
  if (typeof field(model, "doStream") !== "function") return "the language model has no function doStream";
  if (!isName(field(model, "modelId"))) return "the language model has no modelId";
  return isName(field(model, "provider")) ? null : "the language model does not say its provider";
}

/** What is wrong with the options, each in a sentence. */
export function optionFaults(options: unknown): readonly string[] {
  if (typeof options !== "object" || options === null) return ["the options must be an object"];
  const stray = Object.keys(options).filter((key) => !OPTION_KEYS.includes(key));
  const faults = stray.map((key) => `unknown option "${key}": there are ${OPTION_KEYS.join(", ")}`);
  const given = (key: string): unknown => field(options, key);
  const unless = (fits: boolean, key: string, what: string): void => {
    if (given(key) !== undefined && !fits) faults.push(`${key} must be ${what}`);
  };
  const { price, retries, temperature } = {
    price: given("price"),
    retries: given("retries"),
    temperature: given("temperature"),
  };
  unless(isName(given("name")), "name", `a text of at most ${NAME_LENGTH_MAX} characters`);
  unless(given("mode") === "flat" || given("mode") === "tools", "mode", '"flat" or "tools"');
  unless(isWhole(retries) && retries <= RETRIES_MAX, "retries", `a whole number from 0 to ${RETRIES_MAX}`);
  unless(
    temperature === null || (isNumber(temperature) && temperature <= 2),
    "temperature",
    "a number from 0 to 2, or null",
  );
  const isPrice = isNumber(field(price, "promptMicro")) && isNumber(field(price, "completionMicro"));
  unless(isPrice, "price", "`promptMicro` and `completionMicro`, numbers of at least 0");
  const isClock = [field(given("clock"), "now"), field(given("clock"), "sleep")].every(
    (one) => typeof one === "function",
  );
  unless(isClock, "clock", "an object with the functions `now` and `sleep`");
  unless(typeof given("chance") === "function", "chance", "a function that gives a number from 0 to 1");
  return faults;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= NAME_LENGTH_MAX && !isBlank(value) && isWellFormed(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isWhole(value: unknown): value is number {
  return isNumber(value) && Number.isInteger(value);
}
