/**
 * What `npm start` runs: two messages to the refund desk, through the same command line that you would use. Then it reads
 * back from the ledger what was stopped and what was paid, and checks that against the payment service.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createSignalbox, ENDINGS, type RunEvent } from "signalbox";
import { main } from "signalbox/cli";
import { francs } from "./desk/policy.ts";

// A new ledger for every start. The config asks for its place when it is loaded, so that is named before.
const store = join(mkdtempSync(join(tmpdir(), "refund-desk-")), "signalbox.db");
process.env.SIGNALBOX_STORE = store;
const { default: config } = await import("./signalbox.config.ts");
const configPath = relative(process.cwd(), join(import.meta.dirname, "signalbox.config.ts"));
const isScripted = process.env.SIGNALBOX_MODEL_URL === undefined;

say("A shop's refund desk: the model proposes, code decides what happens. Ada writes:");
for (const request of ["Order 1042 arrived broken. I want my money back.", "Thank you. And where is order 1043?"]) {
  say(`\n> ${request}\n`);
  await signalbox("run", request, "--as", "agent:desk", "--for", "customer:ada", "--thread", "demo");
}

const box = createSignalbox({ ...config, store });
const runs = (await box.runs({ thread: "demo" })).toReversed();
const events = (await Promise.all(runs.map(({ run }) => box.events(run)))).flat();
const ledger = await box.verifyLedger();
await box.close();
const paid = config.services.payments.receipts;

say("\nWhat was stopped, as the ledger has it:\n");
for (const line of stopped()) say(`  ${line}`);
say(`\n${moneyMoved()}`);
if (isScripted) {
  say("\nThe model is scripted: it makes, on cue, the faults that live models make. With one of your own, such as a");
  say("local Ollama:");
  say("  SIGNALBOX_MODEL_URL=http://127.0.0.1:11434/v1 SIGNALBOX_MODEL=qwen3:8b npm start");
}
say("\nTo look closer, derive every decision of the first run again from its rows:");
say(`  SIGNALBOX_STORE=${store} npm run signalbox -- replay ${runs[0]?.run} --config ${configPath}\n`);

for (const problem of problems()) {
  process.stderr.write(`refund-desk: ${problem}\n`);
  process.exitCode = 1;
}

function signalbox(...args: readonly string[]): Promise<number> {
  const { stdout, stderr, env } = process;
  const command = `SIGNALBOX_STORE=${store} npm run -s signalbox --`;
  const io = {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    isTty: stdout.isTTY === true,
    columns: stdout.columns,
    command,
  };
  return main([...args, "--config", configPath], io);
}

/** One line for each thing that the model said and that did not get through. */
function stopped(): readonly string[] {
  const row = (code: string, what: string) => `${code.padEnd(18)} ${what}`;
  const again = (tool: string) => row("already done", `${tool} again: it got the first receipt, nothing was performed`);
  return events.flatMap((event: RunEvent, index) => {
    switch (event.kind) {
      case "replied":
        if (event.why !== null) return [row(event.why.code, "not one JSON object: the model was asked again")];
        // Where no decision follows an action, an earlier receipt of the same run has settled it.
        return event.reply?.kind === "action" && events[index + 1]?.kind === "replied" ? [again(event.reply.tool)] : [];
      case "settled_before":
        return [again(event.tool)];
      case "decided":
        return event.denial === null ? [] : [row(event.denial.code, `${event.tool} denied: ${event.denial.detail}`)];
      case "ended":
        return ENDINGS[event.ending].exitCode === 0 ? [] : [row(event.ending, ENDINGS[event.ending].message)];
      default:
        return [];
    }
  });
}

function moneyMoved(): string {
  const payments = paid.map((one) => `${francs(one.amountMinor)} on order ${one.orderId} (receipt ${one.receipt})`);
  if (payments.length === 0) return "No money moved.";
  return `Money moved ${payments.length === 1 ? "once" : `${payments.length} times`}: ${payments.join(", ")}.`;
}

/** What this example promises and did not keep. A live model may say what it likes; the money has to be right even so. */
function problems(): readonly string[] {
  const recorded = events.flatMap((event) =>
    event.kind === "finished" && event.tool === "refund" && event.outcome === "done" ? [event.result] : [],
  );
  const amounts = paid.map(({ amountMinor }) => amountMinor).join(", ");
  const endings = runs.map(({ ending }) => ending).join(", ");
  const found: string[] = [];
  if (!ledger.ok) found.push("the ledger does not verify");
  if (!isDeepStrictEqual(recorded, paid)) found.push("the ledger and the payment service disagree");
  if (endings.includes("model_unreachable")) found.push("the model could not be reached");
  if (isScripted && amounts !== "8990")
    found.push(`8990 should have been paid, once, and not: ${amounts || "nothing"}`);
  if (isScripted && endings !== "answered, repetition") found.push(`the runs ended otherwise: ${endings}`);
  return found;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
