/**
 * A process of its own that wants to use one approval, sixteen times at once. Started by approval-once.test.ts:
 * approval-user.ts <path> <run> <resume|decide|guard|retry> <effects file> <die|die-after|live>. Says `ready`, waits for one
 * line on stdin, works, and prints what each of its attempts came to as one JSON list. `die`: the process is killed as its
 * effect begins; `die-after`: when it has happened, and before that is written.
 *
 * With `stage-decide` or `stage-run` for how, it stages and approves instead, and prints the run: in a process like those
 * that use the approval, since a test runner rewrites functions, and a tool with another source is another tool.
 */

import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { openApprovalBox, proposal } from "./approval-box.ts";

const [path = "", run = "", how = "decide", effects = "", dies = "live"] = process.argv.slice(2);
const AT_ONCE = 16;

function pay(): { readonly receipt: number } {
  if (dies === "die") process.kill(process.pid, "SIGKILL");
  appendFileSync(effects, `${process.pid}\n`);
  if (dies === "die-after") process.kill(process.pid, "SIGKILL");
  return { receipt: 1 };
}

const box = openApprovalBox(path, pay);
if (how.startsWith("stage")) {
  const staged = how === "stage-run" ? (await box.run("pay")).run : run;
  if (how === "stage-decide") await box.decide(proposal(run));
  await box.approvals.approve(`${staged}-1`, { as: "user:sue" });
  await box.close();
  console.log(staged);
  process.exit(0);
}
console.log("ready");
await once(process.stdin, "data");
const attempts = Array.from({ length: AT_ONCE }, async () => {
  try {
    if (how === "decide") {
      const decided = await box.decide(proposal(run));
      // What is allowed is done by whoever asked, and settled after it: here, never.
      if (decided.outcome === "allow" && dies !== "live") pay();
      return decided.outcome === "deny" ? decided.code : decided.outcome;
    }
    if (how === "guard" || how === "retry") {
      const guarded = await box.guard({ ...proposal(run), retry: how === "retry" }, pay);
      return guarded.kind === "denied" ? guarded.code : guarded.kind;
    }
    const outcome = await box.resume(run);
    return outcome.performed === 1 ? outcome.ending : `${outcome.ending}, nothing performed`;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
});
console.log(JSON.stringify(await Promise.all(attempts)));
await box.close();
process.exit(0);
