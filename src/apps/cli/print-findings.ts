import type { Finding } from "../../index.ts";
import { type Io, paint, widthOf } from "./io.ts";
import { pad, visible, wrap } from "./text.ts";

const RULE_COLUMNS = 24;

/** Where fewer columns than this are left beside which check it is, what it says stands below. */
const TEXT_COLUMNS_MIN = 36;
const BELOW = 6;

/** One finding in a line: how bad, which check, where, and what to do about it. */
export function printFindings(io: Io, findings: readonly Finding[]): void {
  const width = widthOf(io);
  for (const { rule, severity, where, message } of findings) {
    const head = `    ${pad(severity, 8)} ${pad(rule, RULE_COLUMNS)} `;
    const text = `${visible(where)}: ${visible(message)}`;
    const style = severity === "error" ? "red" : "yellow";
    if (width - head.length < TEXT_COLUMNS_MIN) {
      io.stdout.write(`${paint(io, style, head.trimEnd())}\n`);
      for (const line of wrap(text, width - BELOW)) io.stdout.write(`${" ".repeat(BELOW)}${line}\n`);
      continue;
    }
    const lines = Number.isFinite(width) ? wrap(text, width - head.length) : [text];
    lines.forEach((line, i) => {
      const margin = i === 0 ? paint(io, style, head) : " ".repeat(head.length);
      io.stdout.write(`${margin}${line}\n`);
    });
  }
}
