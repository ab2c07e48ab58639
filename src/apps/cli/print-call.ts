import type { Json } from "../../domain/json.ts";
import type { SentAs } from "../../domain/said.ts";
import { utf8Length } from "../../domain/utf8.ts";
import type { ShownCall, ShownSent } from "../../runtime/index.ts";
import { printFramed, printHead } from "./framed.ts";
import type { Io } from "./io.ts";
import { callText, codeAndDetail } from "./run-texts.ts";
import { counted, grouped, visible } from "./text.ts";

/** The sections of one model call: what was sent, and what came back. Texts are printed whole. */

export function callTitle({ mode }: Pick<ShownCall, "mode">, number: number): string {
  switch (mode) {
    case "turn":
      return number === 1 ? "call 1" : `call ${number}, again`;
    case "reask":
      return `call ${number}, re-asked: the reply before could not be read`;
    case "closing":
      return `call ${number}, an answer from the passages that were found`;
  }
}

/** `systemSeen`: where the same system text was printed before. */
export function printSent(io: Io, sent: ShownSent, systemSeen: string | null): void {
  if (sent.system !== null) {
    const seen = systemSeen === null ? [] : [`as ${systemSeen}`];
    printHead(io, "sent: system", [bytesOf(sent.system), ...seen]);
    if (systemSeen === null) printFramed(io, sent.system);
  }
  if (sent.user !== null) {
    printHead(io, "sent: user", [bytesOf(sent.user)]);
    printFramed(io, sent.user);
  }
  if (sent.cut.length > 0) printHead(io, "left out", sent.cut.map(visible), "yellow");
  const room = `${grouped(sent.bytes)} of ${counted(sent.bytesMax, "byte")}`;
  printHead(io, "sent: limits", [room, `${counted(sent.outputTokens, "token")} for the reply`]);
}

/** Whether what was printed is what was sent, byte for byte. */
export function printExact(io: Io, sent: ShownSent): void {
  const digest = sent.digest === "" ? [] : [`digest ${sent.digest.slice(0, 12)}`];
  if (sent.exact === true) printHead(io, "exact", ["system and user are the bytes that were sent", ...digest], "green");
  else if (sent.exact === false) printHead(io, "not exact", [visible(sent.why), ...digest], "red");
  else printHead(io, "not compared", [visible(sent.why)], "yellow");
}

/** What constrained the reply. It is known only when the reply is there. */
export function printWire(io: Io, sent: ShownSent, full: boolean, hint: readonly string[]): void {
  const more = full ? [] : hint;
  if (sent.tools.length > 0) {
    const names = sent.tools.map((tool) => visible(tool.name)).join(", ");
    printHead(io, "sent: tools", [names, sizeOf(sent.tools), ...more]);
    if (full) printFramed(io, pretty(sent.tools));
  }
  if (sent.sentAs === null) return;
  if (sent.schema === null) {
    if (sent.sentAs !== "tools") printHead(io, "sent: schema", [SENT_AS[sent.sentAs]]);
    return;
  }
  printHead(io, "sent: schema", [SENT_AS[sent.sentAs], sizeOf(sent.schema), ...more]);
  if (full) printFramed(io, pretty(sent.schema));
}

const SENT_AS: { readonly [As in SentAs]: string } = {
  params_object: "each tool's params as an object",
  params_text: "params as JSON text",
  no_schema: "none was sent",
  tools: "native tools",
};

/** `answered`: a conversation's text is printed elsewhere. */
export function printCame(io: Io, { came }: Pick<ShownCall, "came">, answered = false): void {
  switch (came.kind) {
    case "failed":
      printHead(io, "came back: nothing", [codeAndDetail(came.code, came.detail)], "red");
      return;
    case "interrupted":
      printHead(io, "came back: nothing", [codeAndDetail(came.ending, came.detail)], "red");
      return;
    case "nothing":
      printHead(io, "came back: nothing", ["the rows end here: the call was under way, or the process stopped"], "red");
      return;
    case "replied":
      break;
  }
  const { raw, calls, finish, usage, attempts, repair, why, notRun, reply, truncated } = came.reply;
  const tokens = `${grouped(usage.promptTokens)} + ${counted(usage.completionTokens, "token")}`;
  const facts = [
    `finish ${visible(finish)}`,
    counted(attempts, "request"),
    usage.estimated ? `${tokens}, estimated` : tokens,
    ...(usage.costMicro > 0 ? [`cost ${grouped(usage.costMicro)} millionths`] : []),
  ];
  printHead(io, "came back", [raw === "" ? "no content" : bytesOf(raw), ...facts]);
  if (raw !== "") printFramed(io, raw);
  if (truncated) printHead(io, "cut by the server", [TRUNCATED], "red");
  for (const call of calls) {
    printHead(io, "came back: call", [visible(call.name), bytesOf(call.args)]);
    if (call.args !== "") printFramed(io, call.args);
  }
  if (repair !== null) {
    printHead(io, "mended", [repair.names.join(", "), "read instead"], "yellow");
    printFramed(io, repair.text);
  }
  if (notRun.length > 0) {
    printHead(io, "not run", [notRun.map(visible).join(", "), "one action a turn"], "yellow");
  }
  if (why !== null) printHead(io, "not read", [codeAndDetail(why.code, why.detail)], "red");
  if (reply === null) return;
  switch (reply.kind) {
    case "conversation":
      printHead(io, "read as", ["conversation"], "green");
      if (!answered) printFramed(io, reply.text);
      return;
    case "action":
      printHead(io, "read as", ["action", callText(reply)], "green");
      return;
    case "plan":
      printHead(io, "read as", [`plan of ${counted(reply.steps.length, "step")}`], "green");
      for (const step of reply.steps) printHead(io, "  step", [callText({ ...step, tool: step.actor })], "dim");
      return;
    case "retrieve":
      printHead(io, "read as", ["retrieve", visible(reply.query)], "green");
      return;
  }
}

/** What a server's own count of a prompt gives away. */
export const TRUNCATED =
  "it counts fewer tokens than the prompt has, so it read only a part of it or miscounts; signalbox doctor compares the windows";

function bytesOf(text: string): string {
  return counted(utf8Length(text), "byte");
}

function sizeOf(value: Json | readonly object[]): string {
  return bytesOf(JSON.stringify(value));
}

function pretty(value: Json | readonly object[]): string {
  return JSON.stringify(value, null, 2);
}
