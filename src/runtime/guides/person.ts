import { hasRole } from "../../domain/approval.ts";
import { checkedWhy } from "../approvals.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Approver, Parts } from "../parts.ts";
import { guidesIn } from "./guide-parts.ts";

/** Who speaks of guides: an approver of the config with the role. @throws SignalboxError `unknown_approver`, `approver_lacks_role`. */
export function guideApprover(parts: Parts, id: string): Approver {
  const { role } = guidesIn(parts);
  const by = parts.approvers.get(id);
  const able = [...parts.approvers.values()].filter(({ roles }) => hasRole(roles, role)).map((one) => one.id);
  const hint =
    able.length === 0
      ? `declare some: \`approvers\` with the role "${role}"`
      : `name one with --as: ${able.join(", ")}`;
  if (by === undefined) {
    throw new SignalboxError("unknown_approver", `there is no approver "${textOf(id).slice(0, 60)}"`, { hint });
  }
  if (hasRole(by.roles, role)) return by;
  throw new SignalboxError("approver_lacks_role", `${by.id} has the roles ${by.roles.join(", ")}, and not ${role}`, {
    exitCode: 3,
    hint,
  });
}

/** Why they say it, in their own words, as it can be recorded. @throws SignalboxError `no_reason`, `bad_reason`. */
export function neededWhy(parts: Parts, why: unknown): string {
  const checked = checkedWhy(parts, why);
  if (checked !== null) return checked;
  throw new SignalboxError("no_reason", "what a person says of a guide needs a reason: it is kept with it", {
    hint: "--why",
  });
}
