/** Writes docs/model-servers.md from the table in the code. `node tools/servers-page.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import { MISBEHAVIOURS, type Misbehaviour, type Recorded, type TrialEnd } from "../src/testing/index.ts";

export function serversPage(): string {
  const entries: readonly Misbehaviour[] = MISBEHAVIOURS;
  const rows = entries.map(
    (entry) =>
      `| \`${entry.name}\`${whereOf(entry)} | ${entry.does} | ${entry.answer} | ${onceText(entry)} | ${alwaysText(entry)} |`,
  );
  return `# Model servers, and what they do wrong

Generated from \`src/testing/misbehaviours.ts\` by \`npm run docs\`. Do not edit.

Any server that speaks \`/v1/chat/completions\` will do: vLLM, Ollama, llama.cpp, LM Studio, OpenAI. Nothing that it claims is
trusted: its schemas, its ids, its counts, its word for why it stopped. Before the first call of a process a canary asks it for
the one value that a schema admits; what came of that is an event of the run, and \`signalbox doctor\` shows it.

## What Signalbox does about it

Each line below is run by a test against a real server on loopback, in mode \`flat\` and in mode \`tools\`, streamed and not. _Once_
is one such answer in an honest run: its reply is used like any other, or it is asked for again, or the run ends. _Without end_ the
server does nothing else and says the same each time, so that what is used ends as \`repetition\`; the requests are all that it gets.
Every run ends with a name, and nothing that could not be read is performed or goes into a later request.

| name | what the server does | what Signalbox does | once | without end |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

## A server that misbehaves, for your own tests

\`misbehavingServer\` from \`signalbox/testing\` is that server. It takes a free port of 127.0.0.1 and speaks
\`/v1/chat/completions\`, plain and as a stream, \`/v1/models\` and \`/tokenize\`.

\`\`\`ts
import { createSignalbox } from "signalbox";
import { misbehavingServer } from "signalbox/testing";

const server = await misbehavingServer({
  replies: [
    { misbehaviour: "cut_stream", reply: { kind: "action", tool: "note", params: { text: "one" } } },
    { kind: "action", tool: "note", params: { text: "one" } },
    { kind: "conversation", text: "Noted." },
  ],
});
const box = createSignalbox({ model: { baseUrl: server.baseUrl, name: "any" }, tools, store: "memory" });
const outcome = await box.run("Note what there is to note.");
outcome.ending; // "answered"
server.requests.length; // 3: what was heard of the first is void, and it was sent again
await server.close();
\`\`\`

- Each request for a reply takes the next line of \`replies\`, one that is sent again included. A line is a flat reply, a text, native
  tool calls (\`{ calls: [{ name: "note", args: { text: "one" } }] }\`), a misbehaviour, an answer in your own hand
  (\`{ status: 418, body: "..." }\`), or a function of the request. When they are used up it answers with HTTP 400.
- \`always: "finish_missing"\` bends every line that does not bend itself. \`schema_ignored\` and its like are given so, since the canary has
  to meet them too.
- \`server.requests\` are the requests for a reply as they were heard: path, headers, text, JSON. Canaries are answered honestly, use
  up no line, and are in \`server.probes\`; what was asked of models and tokens is in \`server.others\`.
- \`close()\` ends everything at once, answers under way included. A gigabyte is made as it is taken, and never held.
`;
}

/** Where it can be shown, unless that is everywhere. */
function whereOf({ scope: { modes, streaming } }: Misbehaviour): string {
  const only = [
    modes.length === 1 ? `mode ${modes[0]}` : "",
    streaming.length === 1 ? (streaming[0] === true ? "streamed" : "not streamed") : "",
  ].filter((part) => part !== "");
  return only.length === 0 ? "" : ` (${only.join(", ")})`;
}

/** What one of them in an honest run comes to. */
function onceText({ expected: { once, recorded, recordedInTools } }: Misbehaviour): string {
  if (once.ending !== "answered") return endText(once);
  if (once.effects.includes("bent")) return `used${noted(recorded)}`;
  if (recorded.attempts !== undefined) return "sent again";
  if (once.failed !== null) return `asked again, smaller (\`${once.failed}\`)`;
  const codes = new Set([recorded.why, recordedInTools?.why].filter((code) => code !== undefined));
  return `asked again (${[...codes].map((code) => `\`${code}\``).join(" or ")})`;
}

function noted({ repairs = [], schema, tools, notRun }: Recorded): string {
  const facts = [
    ...(repairs.length === 0 ? [] : [`repaired: ${repairs.map((name) => `\`${name}\``).join(", ")}`]),
    ...[schema, tools].flatMap((found) => (found === undefined ? [] : [`canary: \`${found}\``])),
    ...(notRun === undefined ? [] : [`${notRun} call not run`]),
  ];
  return facts.length === 0 ? "" : `; ${facts.join("; ")}`;
}

function endText({ ending, failed }: TrialEnd): string {
  return `\`${ending}\`${failed === null ? "" : ` (\`${failed}\`)`}`;
}

function alwaysText({ expected: { always } }: Misbehaviour): string {
  return `${endText(always)}, ${always.requests} ${always.requests === 1 ? "request" : "requests"}`;
}

export const SERVERS_PAGE = new URL("../docs/model-servers.md", import.meta.url);

if (process.argv.includes("--write")) writeFileSync(SERVERS_PAGE, serversPage());
