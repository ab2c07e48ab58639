/**
 * The scripted model. It has no memory: what it says follows from the text of the prompt alone, from the request and from
 * how many results stand in it, so that a new process after a crash says what the dead one would have said.
 */
export function replyTo(prompt: string): string {
  const blocks = prompt.split("\n\n");
  const request = linesOf(blocks, "REQUEST")[0] ?? "";
  const results = linesOf(blocks, "ACTION HISTORY").length + (linesOf(blocks, "NEWEST RESULT").length > 0 ? 1 : 0);
  const said = (SCRIPTS.get(request) ?? [])[results] ?? { kind: "conversation", text: `no line for ${results}` };
  if (said.kind === "broken_at_first") {
    return prompt.includes("Your last reply could not be used")
      ? JSON.stringify(said.mended)
      : "I would now tag the order.";
  }
  return JSON.stringify(said);
}

/** The quoted lines of the block that begins so. */
function linesOf(blocks: readonly string[], head: string): readonly string[] {
  const block = blocks.find((one) => one.startsWith(head)) ?? "";
  return block
    .split("\n")
    .filter((line) => line.startsWith("> "))
    .map((line) => line.slice(2));
}

type Params = { readonly [key: string]: string | number };
type Act = { readonly kind: "action"; readonly tool: string; readonly params: Params; readonly evidence: string[] };
type Line =
  | Act
  | { readonly kind: "broken_at_first"; readonly mended: Act }
  | { readonly kind: "plan"; readonly steps: readonly object[] }
  | { readonly kind: "conversation"; readonly text: string };

const act = (tool: string, params: Params, ...evidence: string[]): Act => ({ kind: "action", tool, params, evidence });
const plan = (...acts: readonly Act[]): Line => ({
  kind: "plan",
  steps: acts.map(({ tool: actor, params, evidence }) => ({ actor, description: "", params, evidence })),
});

/** By request: what is said where so many results stand in the prompt. A plan leaves several, so some lines are never said. */
const SCRIPTS: ReadonlyMap<string, readonly (Line | null)[]> = new Map([
  ["prelude", [act("refund", { order: "C", amount: 100 }, "evC1"), { kind: "conversation", text: "Refunded." }]],
  [
    "main",
    [
      act("lookup", { order: "A" }),
      { kind: "broken_at_first", mended: act("tag", { order: "A", tag: "vip" }) },
      act("refund", { order: "A", amount: 1_200 }, "evA1"),
      // One more than the run's cap has left.
      act("refund", { order: "A", amount: 801 }, "evA1"),
      // Up to the very cap.
      plan(
        act("tag", { order: "B", tag: "late" }),
        act("refund", { order: "A", amount: 800 }, "evA2"),
        act("send", { order: "A", copies: 1 }),
      ),
      null,
      null,
      act("builder", { path: "a.ts", version: 1 }),
      // Done already: a short-circuit.
      act("builder", { path: "a.ts", version: 2 }),
      // Another customer's event.
      act("refund", { order: "B", amount: 5 }, "evB1"),
      plan(act("lookup", { order: "C" })),
      act("ship", { order: "C" }),
      // Settled in the prelude, and settled in this run.
      act("refund", { order: "C", amount: 100 }, "evC1"),
      act("refund", { order: "A", amount: 1_200 }, "evA1"),
      act("send", { order: "B", copies: 2 }),
      act("send", { order: "C", copies: 1 }),
      act("tag", { order: "C", tag: "done" }),
      plan(act("lookup", { order: "B" }), act("nobody", { order: "B" })),
      null,
      { kind: "conversation", text: "All done." },
    ],
  ],
  ["break", [act("lookup", { order: "A" }), act("send", { order: "A", copies: 3 })]],
]);
