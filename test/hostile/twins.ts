/** Faults planted in the house, each of which a campaign must catch. */
import type { Patch } from "../twins/twin.ts";

export type HostileTwin = { readonly fault: string; readonly patches: readonly Patch[] };

export const HOSTILE_TWINS: readonly HostileTwin[] = [
  {
    fault: "the evidence rail is skipped",
    patches: [
      {
        file: "rails/decide.ts",
        find: "if (tool.evidence === null) return null;",
        replace: "if (tool !== null) return null;",
      },
    ],
  },
  {
    fault: "whose the evidence is, is not checked",
    patches: [
      {
        file: "rails/evidence.ts",
        find: "if (item.owner !== undefined && item.owner !== context.principal.id",
        replace: "if (item.owner === null && item.owner !== context.principal.id",
      },
    ],
  },
  {
    fault: "what outsiders wrote counts as seen",
    patches: [
      {
        file: "rails/provenance.ts",
        find: 'source !== "untrusted" && rule.from.includes(source)',
        replace: "source !== null && rule.from.length > 0",
      },
    ],
  },
  {
    fault: "old evidence counts",
    patches: [{ file: "rails/evidence.ts", find: "now - at <= maxAgeMs", replace: "now - at <= Infinity" }],
  },
  {
    fault: "no evidence has to vouch for a field",
    patches: [
      {
        file: "rails/evidence.ts",
        find: "if (value === undefined) continue;",
        replace: "if (value !== null) continue;",
      },
    ],
  },
  {
    fault: "caps are not summed",
    patches: [
      { file: "rails/caps.ts", find: "slot.used + want.amount > want.limit", replace: "want.amount > want.limit" },
      // The books would refuse what the judge let through.
      { file: "adapters/store-memory/store.ts", find: "this.#caps.check(capUse, start.reservations);", replace: "" },
    ],
  },
  {
    fault: "what a cap's other runs hold is forgotten at midnight UTC, not in its zone",
    patches: [{ file: "rails/caps.ts", find: "dayIn(window.zone, context.now)", replace: 'dayIn("UTC", context.now)' }],
  },
  {
    fault: "unknown params are ignored",
    patches: [
      {
        file: "rails/output.ts",
        find: "if (result.issues !== undefined) return",
        replace: 'if (result.issues !== undefined && result.issues[0]?.code !== "unrecognized_keys") return',
      },
      {
        file: "rails/output.ts",
        find: "frozenJson(result.value, LIMITS)",
        replace: "frozenJson(result.value ?? given, LIMITS)",
      },
    ],
  },
  {
    fault: "whether a principal may use the tool is not checked",
    patches: [
      {
        file: "domain/principal.ts",
        find: "return principal.tools.includes(tool);",
        replace: 'return tool !== "" || principal.tools.includes(tool);',
      },
    ],
  },
  {
    fault: "what was done in the thread is done again",
    patches: [
      {
        file: "runtime/perform.ts",
        find: "const settled = seen.settled;",
        replace: "const settled = [seen.settled].find((one) => one === null) ?? null;",
      },
    ],
  },
  {
    fault: "arguments that cannot be read are none",
    patches: [
      {
        file: "domain/call-args.ts",
        find: 'if (typeof args === "string") return readArgs(args, bytesMax);',
        replace:
          'if (typeof args === "string") { const read = readArgs(args, bytesMax); return read.ok ? read : parsed({ value: {}, names: [] }); }',
      },
    ],
  },
  {
    fault: "what waits for a person is done at once",
    patches: [
      {
        file: "rails/decide.ts",
        find: 'if (judged.effect === "stage") {',
        replace: 'if (judged.effect === "nobody") {',
      },
    ],
  },
  {
    fault: "a policy that throws permits",
    patches: [
      {
        file: "rails/policy.ts",
        find: "// The message may hold anything, so it is not repeated to the model. Its place is the tool author's own log.",
        replace: 'if (rule !== "") return { effect: "permit", rule };',
      },
    ],
  },
  {
    fault: "of two objects that differ the first counts",
    patches: [
      {
        file: "domain/flat.ts",
        find: ': unparsed("two_objects", "the reply holds several objects that differ: send exactly one");',
        replace: ": parsed(first);",
      },
    ],
  },
  {
    fault: "arguments in the middle of their JSON are read up to there",
    patches: [
      {
        file: "domain/call-args.ts",
        find: 'if (pieces.cutAt !== null) return unparsed("arguments_unreadable", "the arguments ended in the middle of their JSON");',
        replace: "if (pieces.cutAt !== null) return parsed({ value: {}, names: [] });",
      },
    ],
  },
  {
    fault: "the first letter case of a tool that fits is taken",
    patches: [
      {
        file: "loop/advance.ts",
        find: "const step: RoutedStep = { tool: reply.tool,",
        replace: "const step: RoutedStep = { tool: reply.tool.trim().toLowerCase(),",
      },
    ],
  },
  {
    fault: "re-asks are not counted as calls",
    patches: [
      {
        file: "loop/advance.ts",
        find: 'used: { ...run.used, modelCalls: run.used.modelCalls + 1 },\n      command: { kind: "ask_model", turn: event.turn, call: 2',
        replace: 'used: { ...run.used },\n      command: { kind: "ask_model", turn: event.turn, call: 2',
      },
    ],
  },
];
