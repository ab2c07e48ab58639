/**
 * An EntryPath: how one gets from one screen of a live interface to the next, as somebody declares it before a harvest. Each
 * step is done with a control that has to be there, and be the only one of its name.
 */
import { isJsonObject, type Json, own } from "./json.ts";
import { quoted } from "./json-limits.ts";
import { type Parsed, parsed, unparsed } from "./parsed.ts";

/** A control by its id, or by its whole name and, where that is not enough, its role. */
export type StepTarget =
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "name"; readonly name: string; readonly role: string | null };

export type EntryStep =
  | { readonly do: "click"; readonly target: StepTarget }
  | { readonly do: "fill"; readonly target: StepTarget; readonly text: string };

export type EntryPath = {
  /** The id of the screen that it leads to. */
  readonly screen: string;
  /** The screen on which its steps are done; null: the first. */
  readonly from: string | null;
  readonly steps: readonly EntryStep[];
  /** The name of a control by which one knows that the screen is up; null where it is up when the page is quiet. */
  readonly shows: string | null;
};

const PATHS_MAX = 200;
const STEPS_MAX = 50;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/**
 * Reads `[{screen, from?, steps: [{click: TARGET} | {fill: TARGET, text}], shows?}]`, where TARGET is a name, `{name, role?}` or
 * `{id}`. A screen is declared before another one starts from it, so that no way goes round.
 */
export function parseEntryPaths(json: Json, first: string): Parsed<readonly EntryPath[]> {
  if (!Array.isArray(json)) return bad("the paths have to be a list");
  if (json.length > PATHS_MAX) return bad(`more than ${PATHS_MAX} paths`);
  const known = new Set([first]);
  const paths: EntryPath[] = [];
  for (const [i, item] of json.entries()) {
    const path = readPath(item, `path ${i + 1}`);
    if (!path.ok) return path;
    const { screen, from } = path.value;
    if (known.has(screen)) return bad(`path ${i + 1}: the screen ${quoted(screen)} is there already`);
    if (from !== null && !known.has(from)) {
      return bad(`path ${i + 1}: it starts from ${quoted(from)}, which no path before it leads to`);
    }
    known.add(screen);
    paths.push(path.value);
  }
  return parsed(paths);
}

function bad(detail: string): ReturnType<typeof unparsed> {
  return unparsed("bad_source", detail);
}

function readPath(json: Json, at: string): Parsed<EntryPath> {
  if (!isJsonObject(json)) return bad(`${at} has to be an object`);
  const unknown = Object.keys(json).find((key) => !["screen", "from", "steps", "shows"].includes(key));
  if (unknown !== undefined) return bad(`${at}: unknown key ${quoted(unknown)}`);
  const screen = own(json, "screen");
  const from = own(json, "from") ?? null;
  const shows = own(json, "shows") ?? null;
  const list = own(json, "steps");
  if (typeof screen !== "string" || !NAME.test(screen)) return bad(`${at}: \`screen\` has to be a short name`);
  if (from !== null && typeof from !== "string") return bad(`${at}: \`from\` has to be the name of a screen`);
  if (shows !== null && (typeof shows !== "string" || shows === "")) return bad(`${at}: \`shows\` has to be a name`);
  if (!Array.isArray(list) || list.length === 0 || list.length > STEPS_MAX) {
    return bad(`${at}: \`steps\` has to be a list of 1 to ${STEPS_MAX} steps`);
  }
  const steps: EntryStep[] = [];
  for (const [i, item] of list.entries()) {
    const step = readStep(item, `${at}, step ${i + 1}`);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  return parsed({ screen, from, steps, shows });
}

function readStep(json: Json, at: string): Parsed<EntryStep> {
  if (!isJsonObject(json)) return bad(`${at} has to be an object`);
  const keys = Object.keys(json).sort().join();
  if (keys === "click") {
    const target = readTarget(own(json, "click") ?? null, at);
    return target.ok ? parsed({ do: "click", target: target.value }) : target;
  }
  const text = own(json, "text");
  if (keys !== "fill,text" || typeof text !== "string") return bad(`${at} has to be {click} or {fill, text}`);
  const target = readTarget(own(json, "fill") ?? null, at);
  return target.ok ? parsed({ do: "fill", target: target.value, text }) : target;
}

function readTarget(json: Json, at: string): Parsed<StepTarget> {
  const wrong = bad(`${at}: a control is a name, {name, role} or {id}`);
  if (typeof json === "string") return json === "" ? wrong : parsed({ by: "name", name: json, role: null });
  if (!isJsonObject(json)) return wrong;
  const [id, name, role] = [own(json, "id"), own(json, "name"), own(json, "role")];
  const keys = Object.keys(json).sort().join();
  if (keys === "id" && typeof id === "string" && id !== "") return parsed({ by: "id", id });
  if ((keys !== "name" && keys !== "name,role") || typeof name !== "string" || name === "") return wrong;
  if (role !== undefined && typeof role !== "string") return wrong;
  return parsed({ by: "name", name, role: role ?? null });
}
