import type { RunEvent } from "../../index.ts";
import { printHead } from "./framed.ts";
import type { Io } from "./io.ts";
import { grouped, visible } from "./text.ts";

/** What a canary found out about the model's server. */
export function printProbed(io: Io, probed: Extract<RunEvent, { kind: "probed" }>): void {
  const facts = [
    `schema ${probed.schema}`,
    ...(probed.tools === "unasked" ? [] : [`tools ${probed.tools}`]),
    probed.tokeniser ? "has a tokeniser" : "no tokeniser",
    ...(probed.windowTokens === null ? [] : [`window of ${grouped(probed.windowTokens)} tokens`]),
    ...(probed.detail === "" ? [] : [visible(probed.detail)]),
  ];
  printHead(io, "server", facts, probed.schema === "honoured" ? "green" : "yellow");
}
