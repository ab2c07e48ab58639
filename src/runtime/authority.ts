import { canonicalJson } from "../domain/canonical.ts";
import type { Principal } from "../domain/principal.ts";
import { redactText } from "../domain/redact.ts";
import { ID } from "./config-finding.ts";
import { SignalboxError, textOf } from "./error.ts";
import type { Parts } from "./parts.ts";

/** Who is who: ids that can be recorded, and the authority behind them. */

export function principalOf(parts: Parts, id: string): Principal {
  const everything: Principal = { id: checkedId("principal", id), tools: [...parts.tools.keys()], attributes: {} };
  if (parts.principals === null) return everything;
  const principal = parts.principals.get(id);
  if (principal !== undefined) return principal;
  throw new SignalboxError("unknown_principal", `there is no principal "${id}"`, {
    hint: `name one with \`as\` (--as): ${[...parts.principals.keys()].join(", ")}`,
  });
}

export function checkedId(what: string, id: string): string {
  // A test by pattern takes a number or a list for the text that it would be.
  if (typeof id === "string" && ID.test(id)) return id;
  throw new SignalboxError(
    "bad_id",
    `"${textOf(id).slice(0, 60)}" is no ${what} id: letters, digits and : . _ - are, at most 128`,
  );
}

/** An id is recorded as it is, so a declared secret cannot stand in one. */
export function refuseSecret(parts: Parts, id: string | undefined): void {
  if (id === undefined || redactText(id, parts.redaction) === id) return;
  throw new SignalboxError("bad_id", "an id holds a declared secret, and ids are recorded as they are");
}

/** What a run or a pin is about is recorded as it is, too: its app, its paths, its profile's name. */
export function refuseSecretAbout(parts: Parts, names: readonly (string | null | undefined)[]): void {
  if (names.every((name) => typeof name !== "string" || redactText(name, parts.redaction) === name)) return;
  throw new SignalboxError(
    "bad_about",
    "an app, a path or a profile's name holds a declared secret, and is recorded as it is",
  );
}

/** The authority that a run began with may have been taken away since; then it does not go on with it. */
export function checkAuthority(parts: Parts, recorded: Principal): void {
  if (parts.principals === null) return;
  const today = parts.principals.get(recorded.id);
  const kept = today !== undefined && recorded.tools.every((tool) => today.tools.includes(tool));
  if (kept && canonicalJson(today.attributes) === canonicalJson(recorded.attributes)) return;
  throw new SignalboxError("authority_changed", `${recorded.id} may no longer do what this run began with`, {
    hint: "start another run under today's authority",
  });
}
