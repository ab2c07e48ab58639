import { checkPolicy, type Finding, type PolicyConfig, railsOf } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { loadConfig } from "./load-config.ts";
import type { Opening } from "./opened.ts";
import { printRails } from "./print-rails.ts";
import { counted, jsonDocument, visible, wrap } from "./text.ts";

/** Exit code 1 where any finding is an error. Opens neither a store nor a model. */
export async function checkPolicyFile(io: Io, options: Opening): Promise<number> {
  const { path, config } = await loadConfig(io, options.config);
  const findings = checkPolicy(config);
  const ok = findings.every(({ severity }) => severity !== "error");
  const tools = isReadable(config, findings) ? railsOf(config) : [];
  if (options.json === true) io.stdout.write(jsonDocument({ ok, config: path, findings, tools }));
  else {
    for (const found of findings) print(io, found);
    printRails(io, tools);
    const count = (severity: Finding["severity"]): number =>
      findings.filter((found) => found.severity === severity).length;
    const word = ok ? paint(io, "green", "ok") : paint(io, "red", "not ok");
    const rules = Array.isArray(config.policies) ? config.policies.length : 0;
    const declared = Array.isArray(config.tools) ? config.tools.length : 0;
    const parts = [counted(count("error"), "error"), counted(count("warning"), "warning"), counted(rules, "rule")];
    io.stdout.write(`${[word, ...parts, counted(declared, "tool")].join(" · ")}\n`);
  }
  return ok ? 0 : 1;
}

/** Of what could not start, the declarations are of any shape. */
function isReadable(config: PolicyConfig, findings: readonly Finding[]): boolean {
  const doubts = new Set(DOUBTS);
  return (
    findings.every(({ severity, rule }) => severity !== "error" || doubts.has(rule)) && Array.isArray(config.tools)
  );
}

/** Errors of a config that starts all the same. */
const DOUBTS: readonly string[] = ["rule_names_unknown", "rule_unreachable"];

const SEVERITY_COLUMNS = 9;

function print(io: Io, { severity, where, message }: Finding): void {
  const style = severity === "error" ? "red" : "yellow";
  const room = widthOf(io) - SEVERITY_COLUMNS;
  const text = visible(`${where}: ${message}`);
  const [first = "", ...rest] = Number.isFinite(room) ? wrap(text, Math.max(20, room)) : [text];
  io.stdout.write(`${paint(io, style, severity.padEnd(SEVERITY_COLUMNS))}${first}\n`);
  for (const line of rest) io.stdout.write(`${" ".repeat(SEVERITY_COLUMNS)}${line}\n`);
}
