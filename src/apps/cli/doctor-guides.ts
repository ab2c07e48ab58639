import { type Signalbox, SignalboxError } from "../../index.ts";
import type { Check } from "./doctor.ts";
import { guideHint } from "./guide-hints.ts";
import { counted, visible } from "./text.ts";

/** Whether the rules could be served: what is published, what stops it, and what nobody measured. */
export async function checkGuides(box: Signalbox): Promise<readonly Check[]> {
  const { guides } = box.parts;
  if (guides === null) return [];
  const name = "guides";
  const failed = (code: string, detail: string, hint = ""): Check => ({
    ...{ name, state: "failed", code, detail },
    ...(hint === "" ? {} : { hint }),
  });
  try {
    const { files, findings } = await box.guides.lint();
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const served = await box.guides.serve({ task: "doctor" });
    // Where the ledger does not hold, the check of the ledger has said what is wrong, and what to do.
    if (served.kind !== "plan" && LEDGER_CODES.includes(served.code))
      return [failed(served.code, "nothing is served while the ledger does not hold")];
    if (served.kind !== "plan") return [failed(served.code, visible(served.detail), guideHint(`${served.code}: `))];
    const { given, profile, measured } = served.report;
    const withheld = served.served.withheld.length;
    const counts = [
      `${counted(given, "rule")} served under profile ${profile} (${measured})`,
      ...(withheld === 0 ? [] : [`${withheld} withheld`]),
    ];
    const warnings = findings.length - errors;
    const found = `${counted(errors, "error")} and ${counted(warnings, "warning")} in ${counted(files, "file")}`;
    if (findings.length > 0)
      return [warning(name, "guides_lint", `${counts.join(", ")}; ${found}`, "signalbox guides lint")];
    if (withheld > 0) return [warning(name, "guides_withheld", counts.join(", "), "signalbox guides serve --task …")];
    if (given === 0)
      return [warning(name, "guides_none", "nothing is published, so nothing is told", "signalbox guides list")];
    return [{ name, state: "ok", code: "guides_served", detail: counts.join(", ") }];
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return [failed(error.code, visible(error.message), error.hint)];
  }
}

const LEDGER_CODES: readonly string[] = ["chain_broken", "revision_damaged"];

function warning(name: string, code: string, detail: string, hint: string): Check {
  return { name, state: "warning", code, detail, hint };
}
