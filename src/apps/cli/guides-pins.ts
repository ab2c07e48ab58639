import type { GuideTask } from "../../domain/rule.ts";
import type { Guides, ServeWanted } from "../../index.ts";
import { printHead } from "./framed.ts";
import { DIGEST_DIGITS } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { printDifference } from "./print-difference.ts";
import { printCommand, printNote, printUnder } from "./print-row.ts";
import { clip, counted, jsonDocument, visible } from "./text.ts";

export async function pinPlan(
  io: Io,
  guides: Guides,
  name: string,
  wanted: ServeWanted,
  word: { readonly as: string; readonly reason?: string },
  json: boolean,
): Promise<number> {
  const pinned = await guides.pin(name, wanted, word);
  if (json) {
    io.stdout.write(jsonDocument(pinned));
    return 0;
  }
  const facts = [visible(name), `plan ${pinned.plan.slice(0, DIGEST_DIGITS)}`];
  const instead = pinned.before === null ? [] : [`instead of ${pinned.before.slice(0, DIGEST_DIGITS)}`];
  const style = pinned.refused === null ? "green" : "yellow";
  printHead(io, pinned.unchanged ? "unchanged" : "pinned", [...facts, ...(pinned.unchanged ? [] : instead)], style);
  if (pinned.refused !== null) {
    const what = `what is pinned is a refusal (${pinned.refused}): no plan can be made for this task, and check holds to that`;
    printNote(io, what, "yellow");
  }
  return 0;
}

/** What is asked for in a pin: `task "open settings" · app com.android.settings · a.ts · profile default`. */
function fixtureText({ text, app, paths }: GuideTask, profile: string): string {
  const facts = [
    `task ${JSON.stringify(clip(visible(text), TASK_COLUMNS))}`,
    ...(app === null ? [] : [`app ${visible(app)}`]),
    ...paths.slice(0, PATHS_MAX).map(visible),
    ...(paths.length > PATHS_MAX ? [`and ${paths.length - PATHS_MAX} more`] : []),
    `profile ${visible(profile)}`,
  ];
  return facts.join(" · ");
}

const TASK_COLUMNS = 120;
const PATHS_MAX = 8;

/** Every pinned plan against today's, with what is different. Exit code 1 where one is. */
export async function checkPins(io: Io, guides: Guides, json: boolean): Promise<number> {
  const checks = await guides.check();
  const changed = checks.filter(({ ok }) => !ok);
  if (json) {
    io.stdout.write(jsonDocument(checks));
    return changed.length > 0 ? 1 : 0;
  }
  for (const { name, ok, task, profile, pinned, today, before, after } of checks) {
    const digests = ok
      ? [pinned.slice(0, DIGEST_DIGITS)]
      : [pinned.slice(0, DIGEST_DIGITS), `now ${today.slice(0, DIGEST_DIGITS)}`];
    printHead(io, ok ? "same" : "changed", [visible(name), ...digests], ok ? "green" : "red");
    printUnder(io, fixtureText(task, profile), "dim");
    // Each line ends in a line break: what has none at its end would be told of as a difference.
    if (!ok) printDifference(io, `${before.join("\n")}\n`, `${after.join("\n")}\n`);
  }
  if (checks.length === 0) io.stdout.write(`nothing is pinned yet: ${commandOf(io)} guides pin NAME --task "…"\n`);
  else if (changed.length > 0) {
    printNote(io, `${counted(changed.length, "plan")} changed: revert what changed it, or pin it again:`, "red");
    printCommand(io, `${commandOf(io)} guides pin NAME --task "…" --reason "…"`, "red");
  }
  return changed.length > 0 ? 1 : 0;
}
