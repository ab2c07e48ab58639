/** What a step of somebody else's loop must be told, by where it stands and by the slow rails: neither more nor less. */
import { paramsOf } from "../../spec/decision/params.ts";
import { type Books, isCited, type Proposed, placeOf, toolOf, type Variant, type Whose } from "./books.ts";
import { PRINCIPALS, WAITING_MAX } from "./world.ts";

/** `allow`, `stage ROLE`, `deny CODE`, or `deny` where any code will do. */
export function expectedOf(books: Books, variant: Variant, whose: Whose, step: number, proposed: Proposed): string {
  const place = placeOf(whose.run, step);
  const standing = books.standingOf(place);
  const staged = books.staged.get(place);
  const tool = toolOf(proposed.tool);

  // What waits, has begun or is over is a proposal of its own. Whatever else is proposed in its place changes nothing.
  if (standing !== "fresh" && !books.standsFor(place, proposed)) return "deny approval_mismatch";
  switch (standing) {
    case "waiting":
      if (staged === undefined || books.now >= staged.expiresAt) return "deny approval_expired";
      return `stage ${staged.role}`;
    case "rejected":
      return "deny approval_rejected";
    case "expired":
      return "deny approval_expired";
    case "done":
      return "deny already_done";
    case "outcome_unknown":
      return "deny outcome_open";
    case "open":
      if (tool?.effect === "once" || proposed.retry !== true) return "deny outcome_open";
  }

  const checked = tool === null ? null : paramsOf(tool, proposed.params);
  // What is no data is refused before it is asked who may do it.
  if (tool === null || checked === null || !("params" in checked) || !isCited(proposed.evidence)) return "deny";
  if ((PRINCIPALS[whose.principal] ?? []).includes(tool.name)) {
    const isMomentary = books.loads === "throws" && tool.name !== "look";
    if (standing !== "fresh" && isMomentary) return "deny record_failed";
    const settled = books.settledBy(tool, checked.params, whose, place);
    if (settled !== null) return settled.came === "done" ? "deny already_done" : "deny outcome_open";
  }
  const said = books.decideSlowly(variant, whose, step, proposed);
  if (said.outcome === "deny") return `deny ${said.code}`;
  if (said.outcome === "permit") return "allow";
  // What has begun may have happened: it is too late to ask a person.
  if (standing === "open") return "deny outcome_open";
  return books.waitingIn(whose.run) < WAITING_MAX ? `stage ${said.role}` : "deny too_many_waiting";
}
