import type { Guides, ServeWanted } from "../../index.ts";
import { printHead } from "./framed.ts";
import { DIGEST_DIGITS, printDifference } from "./guides-show.ts";
import { commandOf, type Io } from "./io.ts";
import { printNote } from "./print-row.ts";
import { counted, jsonDocument, visible } from "./text.ts";

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
  printHead(io, pinned.unchanged ? "unchanged" : "pinned", [...facts, ...instead], "green");
  return 0;
}

/** Every pinned plan against today's, with what is different. Exit code 1 where one is. */
export async function checkPins(io: Io, guides: Guides, json: boolean): Promise<number> {
  const checks = await guides.check();
  const changed = checks.filter(({ ok }) => !ok);
  if (json) {
    io.stdout.write(jsonDocument(checks));
    return changed.length > 0 ? 1 : 0;
  }
  for (const { name, ok, pinned, today, before, after } of checks) {
    const digests = ok
      ? [pinned.slice(0, DIGEST_DIGITS)]
      : [pinned.slice(0, DIGEST_DIGITS), `now ${today.slice(0, DIGEST_DIGITS)}`];
    printHead(io, ok ? "same" : "changed", [visible(name), ...digests], ok ? "green" : "red");
    if (!ok) printDifference(io, before.join("\n"), after.join("\n"));
  }
  if (checks.length === 0) io.stdout.write(`nothing is pinned yet: ${commandOf(io)} guides pin NAME --task "…"\n`);
  else if (changed.length > 0) {
    const what = `${counted(changed.length, "plan")} changed: revert what changed it, or pin it again`;
    printNote(io, `${what}: ${commandOf(io)} guides pin NAME --task "…" --reason "…"`, "red");
  }
  return changed.length > 0 ? 1 : 0;
}
