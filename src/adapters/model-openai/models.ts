import { wellFormed } from "../../domain/text.ts";
import type { ProbeFailure } from "../../ports/model.ts";
import { excerpt } from "./clean.ts";
import { field, said } from "./document.ts";
import type { Server } from "./server.ts";
import { ask } from "./window.ts";

/** Names that a message shows, and the UTF-16 units of one. */
const NAMES_MAX = 5;
const NAME_UNITS_MAX = 80;

/** The failure, and beside it what the server has where it did not find what it was asked for. */
export async function withModels(
  server: Server,
  { code, detail }: ProbeFailure,
  signal: AbortSignal,
): Promise<ProbeFailure> {
  // Some say 400 of a model that they do not have.
  if (code !== "http_error" || !/^HTTP 40[04]:/.test(detail)) return { code, detail };
  const told = await ask(server, server.at("models"), signal);
  const models = told === null ? undefined : field(told, "data");
  if (!Array.isArray(models)) return { code, detail };
  const names = models.slice(0, NAMES_MAX).flatMap((model) => {
    const name = said(field(model, "id"));
    return name === undefined ? [] : [excerpt(wellFormed(name), NAME_UNITS_MAX, server.clean)];
  });
  // Whether the one that was asked for is among them matters more than the order.
  const { name } = server.writing;
  const has = models.some((model) => field(model, "id") === name);
  return { code, detail, models: has && !names.includes(name) ? [name, ...names].slice(0, NAMES_MAX) : names };
}
