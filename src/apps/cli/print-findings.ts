import type { Finding } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { pad, visible, wrap } from "./text.ts";

const RULE_COLUMNS = 24;

/** One finding in a line: how bad, which check, where, and what to do about it. */
export function printFindings(io: Io, findings: readonly Finding[]): void {
  const width = widthOf(io);
  for (const { rule, severity, where, message } of findings) {
    const head = `    ${pad(severity, 8)} ${pad(rule, RULE_COLUMNS)} `;
    const text = `${visible(where)}: ${visible(message)}`;
    const lines = Number.isFinite(width) ? wrap(text, Math.max(20, width - head.length)) : [text];
    lines.forEach((line, i) => {
      const margin = i === 0 ? paint(io, severity === "error" ? "red" : "yellow", head) : " ".repeat(head.length);
      io.stdout.write(`${margin}${line}\n`);
    });
  }
}
