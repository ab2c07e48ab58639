import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { type GuideTask, TASK_PATHS_MAX } from "../domain/rule.ts";
import { NAME_UNITS_MAX } from "./glob-match.ts";
import { normalPath } from "./normal-path.ts";
import { pathsIn } from "./paths-in.ts";

/**
 * What rules are selected for. A task is about the files that its words name, and those that are given besides. Of more than
 * are looked at one more is kept, which says so wherever the task is kept or handed on. Codes: `app_empty`, `app_too_long`,
 * `path_empty`, `path_too_long`.
 */
export function guideTask(
  text: string,
  { app, paths }: { readonly app?: string | null | undefined; readonly paths?: readonly string[] | undefined } = {},
): Parsed<GuideTask> {
  const given = (paths ?? []).map(normalPath);
  const files = [...new Set([...pathsIn(text, PATHS_KEPT), ...given])];
  const why =
    nameFault("app", app?.normalize("NFC") ?? null) ??
    given.map((path) => nameFault("path", path)).find((fault) => fault !== null);
  return why ?? parsed({ text, app: app ?? null, paths: files.slice(0, PATHS_KEPT) });
}

const PATHS_KEPT = TASK_PATHS_MAX + 1;

function nameFault(what: "app" | "path", name: string | null): ReturnType<typeof unparsed> | null {
  if (name === "") return unparsed(`${what}_empty`, `the ${what} of a task names nothing`);
  if (name === null || name.length <= NAME_UNITS_MAX) return null;
  return unparsed(
    `${what}_too_long`,
    `the ${what} of a task has ${name.length} characters, and may have ${NAME_UNITS_MAX}`,
  );
}
