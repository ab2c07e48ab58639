import { decideSlowly } from "../../../spec/decision/decide.ts";
import { plainText } from "../../../spec/decision/plain-text.ts";
import type { SaidCase, SaidDecision } from "../../../spec/decision/said.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Decision } from "../../../src/rails/index.ts";
import type { Builder, Tried } from "./build.ts";
import { shown } from "./worlds.ts";

/** How a decision of the real rails differs from what the slow ones say of the same case; null where it does not. */
export function differenceIn(
  about: SaidCase,
  builder: Builder,
  { rails }: Tried,
): { readonly said: SaidDecision; readonly fault: string | null } {
  const said = decideSlowly(about);
  const real = rails.decide(builder.input(about));
  const [ours, theirs] = [plainText(said as unknown as Json), plainText(asSaid(real, said))];
  if (ours !== theirs) {
    return { said, fault: `slowly ${ours}\n    really ${theirs}\n    of ${shown({ ...about, rules: about.rules })}` };
  }
  if (real.outcome === "permit") {
    const { run, step, tool } = about;
    const stamped = rails.isAuthorised(real.authorised, run, step, tool?.name ?? "");
    if (!stamped) return { said, fault: `what was permitted has no token of its own: ${shown(about)}` };
  }
  return { said, fault: null };
}

/** The real decision as the slow rails say theirs. Of a denial's words only what is promised is compared. */
function asSaid(real: Decision, said: SaidDecision): Json {
  switch (real.outcome) {
    case "permit": {
      const reservations = real.reservations.map(({ cap, key, window, amount, limit }) => ({
        cap,
        key,
        window,
        amount,
        limit,
      }));
      return { outcome: "permit", rule: real.rule, params: real.checked, reservations };
    }
    case "stage":
      return { outcome: "stage", rule: real.rule, role: real.role, params: real.checked };
    case "deny": {
      const { rail, code, detail } = real.denial;
      const names = said.outcome === "deny" && said.names !== null ? detail : null;
      return { outcome: "deny", rule: real.rule, rail, code, names, params: real.checked };
    }
  }
}
