import { approvalId } from "../../domain/approval.ts";
import { exactDuration, roughDuration } from "../../domain/duration.ts";
import type { CapHolder, CapState } from "../../index.ts";
import { commandOf, type Io, paint, type Style, widthOf } from "./io.ts";
import { counted, grouped, jsonDocument, pad, visible, wrap, wrapCommand, wrapParts } from "./text.ts";

/** What of the caps is taken and by whom, and how what nobody is at work on is freed. `now`: in milliseconds since 1970. */
export function printCaps(io: Io, caps: readonly CapState[], now: number, json: boolean): number {
  if (json) {
    io.stdout.write(jsonDocument(caps));
    return 0;
  }
  if (caps.length === 0) io.stdout.write("no tool has a cap\n");
  caps.forEach((cap, i) => {
    if (i > 0) io.stdout.write("\n");
    printCap(io, cap, now);
  });
  return 0;
}

function printCap(io: Io, cap: CapState, now: number): void {
  const width = widthOf(io);
  const key = cap.key === "all" ? [] : [cap.key === null ? "for each key" : `for ${visible(cap.key)}`];
  const [first = "", ...rest] = broken([visible(cap.cap), ...key, windowText(cap.slot)], width);
  const name = visible(cap.cap);
  const head = first.startsWith(name) ? paint(io, "bold", name) + first.slice(name.length) : first;
  for (const text of [head, ...rest]) io.stdout.write(`${text}\n`);
  const left = Math.max(0, cap.limit - cap.used);
  const parts = [
    `${grouped(cap.used)} of ${grouped(cap.limit)} used`,
    left === 0 ? "nothing left" : `${grouped(left)} left`,
    ...(
      [
        ["settled", cap.settled],
        ["reserved", cap.reserved],
        ["unknown", cap.kept],
      ] as const
    )
      .filter(([, amount]) => amount > 0)
      .map(([state, amount]) => `${grouped(amount)} ${state}`),
  ];
  for (const text of broken(parts, width - 2)) io.stdout.write(`  ${left === 0 ? paint(io, "red", text) : text}\n`);
  const columns = Math.max(0, ...cap.holders.map(({ amount }) => grouped(amount).length));
  for (const holder of cap.holders) printHolder(io, holder, columns, now);
  const more = cap.open - cap.holders.length;
  if (more > 0) io.stdout.write(`  and ${counted(more, "older reservation")}\n`);
}

/** `  reserved  1,990  refund, step 3 of run 01j…, for 12 min`, and below it whose turn it is. */
function printHolder(io: Io, holder: CapHolder, columns: number, now: number): void {
  const { run, step, tool, state, amount, since } = holder;
  const width = widthOf(io);
  const [style, word]: readonly [Style, string] = state === "kept" ? ["red", "unknown"] : ["yellow", "reserved"];
  const head = `  ${paint(io, style, pad(word, 8))}  ${grouped(amount).padStart(columns)}  `;
  const indent = 2 + 8 + 2 + columns + 2;
  const age = roughDuration(Math.max(0, now - since));
  const what = `${visible(tool)}, step ${step} of run ${visible(run)}, for ${age}`;
  lines(what, width - indent).forEach((text, i) => {
    io.stdout.write(`${i === 0 ? head : " ".repeat(indent)}${text}\n`);
  });
  const { says, command } = todo(io, holder);
  for (const text of lines(says, width - indent)) io.stdout.write(`${" ".repeat(indent)}${paint(io, "dim", text)}\n`);
  for (const text of wrapCommand(command, width - indent + 2)) io.stdout.write(`${" ".repeat(indent - 2)}${text}\n`);
}

function todo(io: Io, holder: CapHolder): { readonly says: string; readonly command: string } {
  const { run, step, state, carried, outside } = holder;
  const name = commandOf(io);
  const resolve = `${name} outcomes resolve ${visible(approvalId(run, step))}`;
  if (state === "kept")
    return { says: "nobody knows whether it happened; when somebody has looked:", command: resolve };
  if (outside) {
    return {
      says: "another loop is at it, and settles it; where that one is gone, when somebody has looked:",
      command: resolve,
    };
  }
  if (carried === true) return { says: "a process is at it", command: "" };
  const says =
    carried === false ? "no process carries this run any more; to settle it:" : "if its process is gone, settle it:";
  return { says, command: `${name} resume ${visible(run)}` };
}

/** `day 2026-11-30 (Europe/Zurich)`, `run 01j…`, `the last 24 hours`; `each run` where none has taken anything. */
function windowText(window: string | null): string {
  if (window === null) return "each run";
  const [, kind = "", what = "", where] = /^([a-z]+):(.*?)(?:@([^@]*))?$/s.exec(window) ?? [];
  switch (kind) {
    case "run":
      return `run ${visible(window.slice("run:".length))}`;
    case "day":
    case "week":
    case "month":
      return `${kind} ${visible(what)} (${visible(where ?? "")})`;
    case "sliding":
      return `the last ${exactDuration(Number(what))}`;
    default:
      return visible(window);
  }
}

function broken(parts: readonly string[], columns: number): readonly string[] {
  return Number.isFinite(columns) ? wrapParts(parts, columns) : [parts.join(" · ")];
}

function lines(text: string, columns: number): readonly string[] {
  return Number.isFinite(columns) ? wrap(text, columns) : [text];
}
