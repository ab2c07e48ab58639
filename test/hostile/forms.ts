/** The forms in which models write what they propose, on the two wires; each with what it then says. */
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { ModelCall, WireMode } from "../../src/domain/said.ts";
import type { Draw } from "./draw.ts";
import type { Proposed, Utterance } from "./meant.ts";

/** Tools whose native calls cite evidence beside their params. */
const CITING = ["pay", "wire", "purge"];
/** What a description must hold to be code work. */
const CODE_WORK = "implement the function";

/** Text around a core of JSON. What is cut is cut within the core. */
type Core = { readonly form: string; readonly before: string; readonly core: string; readonly after: string };

/** The native and written forms have no place for the evidence of a tool that asks for none. */
function asCalled({ tool, params, evidence }: Proposed): Proposed {
  if (CITING.includes(tool)) return { tool, params: without(params, "evidence"), evidence };
  return { tool, params, evidence: [] };
}

function without(params: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== key));
}

function argsOf({ tool, params, evidence }: Proposed): JsonObject {
  return CITING.includes(tool) ? { ...params, evidence: [...evidence] } : params;
}

/** As one flat object, in one of the ways in which models fill it. */
function flatOf({ tool, params, evidence }: Proposed, draw: Draw): JsonObject {
  const kind = draw.odds(1, 12) ? draw.pick(["Action", "ACTION", " action "]) : "action";
  switch (draw.below(6)) {
    case 0:
      return {
        kind,
        text: null,
        tool,
        params: JSON.stringify(params),
        steps: null,
        query: null,
        evidence: [...evidence],
      };
    case 1:
      return { evidence: [...evidence], params, tool, kind };
    case 2:
      return { kind, text: null, tool, params, steps: null, query: null, evidence: [...evidence] };
    default:
      return { kind, tool, params, evidence: [...evidence] };
  }
}

function stepsOf(proposals: readonly Proposed[], draw: Draw): Json[] {
  return proposals.map(({ tool, params, evidence }) => ({
    actor: tool,
    description: draw.odds(1, 4) ? CODE_WORK : "",
    params,
    evidence: [...evidence],
  }));
}

/** A one-step plan for nobody that is code work goes to the builder. */
function meantByPlan(proposals: readonly Proposed[]): readonly Proposed[] {
  const [first, second] = proposals;
  return first === undefined || second !== undefined ? proposals : [first, { ...first, tool: "builder" }];
}

/** What may stand around a reply without changing what it says. */
function around(core: string, draw: Draw): Core {
  const plain = { form: "plain", before: "", core, after: "" };
  if (draw.odds(5, 10)) return plain;
  switch (draw.below(11)) {
    case 0:
      return { ...plain, form: "fence", before: "```json\n", after: "\n```" };
    case 1:
      return {
        ...plain,
        form: "prose",
        before: "I will do this now:\n",
        after: draw.pick(["", "\nIs that right?", "</s>"]),
      };
    case 2:
      return {
        ...plain,
        form: "think",
        before: draw.pick([
          "<think>Hm, {maybe}.</think>\n",
          "so</think>\n",
          '<think>{"kind":"action","tool":"purge"}</think>',
        ]),
      };
    case 3:
      return { ...plain, form: "list", core: `[${core}]` };
    case 4:
      return { ...plain, form: "wrapper", core: `{"reply":${core}}` };
    case 5:
      return { ...plain, form: "twice", after: `\n${core}` };
    case 6:
      return { ...plain, form: "comma", core: `${core.slice(0, -1)},}` };
    case 7:
      return { ...plain, form: "python", core: pythonOf(JSON.parse(core)) };
    case 8:
      return { ...plain, form: "string", core: JSON.stringify(core) };
    case 9:
      return { ...plain, form: "hidden", before: "\u200b\ufeff", after: "\u200b" };
    default:
      return {
        ...plain,
        form: "spaces",
        before: "\n\n  ",
        core: JSON.stringify(JSON.parse(core), null, 2),
        after: "\n",
      };
  }
}

function pythonOf(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return JSON.stringify(value);
  if (typeof value === "string")
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((one: Json) => pythonOf(one)).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${pythonOf(key)}: ${pythonOf(one)}`)
    .join(", ")}}`;
}

/** A call that is written as text, in one of the templates that models are trained on. */
function writtenCall(proposed: Proposed, draw: Draw): Core {
  const { tool } = proposed;
  const args = argsOf(proposed);
  const named = JSON.stringify({ name: tool, arguments: args });
  switch (draw.below(9)) {
    case 0:
      return { form: "hermes", before: "<tool_call>\n", core: named, after: "\n</tool_call>" };
    case 1:
      return { form: "llama", before: "", core: JSON.stringify({ name: tool, parameters: args }), after: "" };
    case 2:
      return {
        form: "llama_tag",
        before: "<|python_tag|>",
        core: JSON.stringify({ name: tool, parameters: args }),
        after: "<|eom_id|>",
      };
    case 3:
      return { form: "mistral", before: "[TOOL_CALLS]", core: `[${named}]`, after: "</s>" };
    case 4:
      return { form: "mistral_args", before: `[TOOL_CALLS]${tool}[ARGS]`, core: JSON.stringify(args), after: "" };
    case 5:
      return { form: "function", before: `<function=${tool}>`, core: JSON.stringify(args), after: "</function>" };
    case 6:
      return {
        form: "args_text",
        before: "",
        core: JSON.stringify({ name: tool, arguments: JSON.stringify(args) }),
        after: "",
      };
    case 7: {
      const calls = [{ id: "call_1", type: "function", function: { name: tool, arguments: JSON.stringify(args) } }];
      return {
        form: "message",
        before: "",
        core: JSON.stringify({ role: "assistant", content: null, tool_calls: calls }),
        after: "",
      };
    }
    default:
      return {
        form: "python_call",
        before: "<tool_call>",
        core: pythonOf({ name: tool, arguments: args }),
        after: "</tool_call>",
      };
  }
}

function nativeOf(proposed: Proposed, draw: Draw): ModelCall {
  const args = JSON.stringify(argsOf(proposed));
  switch (draw.below(12)) {
    case 0:
      return { name: proposed.tool, args: JSON.stringify(args) };
    case 1:
      return { name: proposed.tool, args: `\`\`\`json\n${args}\n\`\`\`` };
    case 2:
      return { name: proposed.tool, args: pythonOf(argsOf(proposed)) };
    default:
      return { name: proposed.tool, args };
  }
}

/** Args that no reading can be had of: cut, another kind of thing, or none at all. */
function brokenArgs(args: string, draw: Draw): string {
  const some = draw.pick(["cut", "cut", "cut", "other"]);
  if (some === "cut" && args.length > 2) return args.slice(0, 1 + draw.below(args.length - 1));
  return draw.pick([
    "{",
    "[]",
    "7",
    "status=open",
    '{"status":"open"} and so on',
    "{'status':",
    "undefined",
    '"{"',
    "{}{}",
  ]);
}

/** The proposals as a model writes them. Mostly whole; sometimes cut, and then they say nothing. */
export function utter(proposals: readonly Proposed[], mode: WireMode, draw: Draw): Utterance {
  const [first] = proposals;
  if (first === undefined) return { form: "silence", text: "", calls: [], only: [] };
  const cut = draw.odds(1, 9);
  if (mode === "tools" ? draw.odds(6, 10) : draw.odds(1, 12)) return nativeUtterance(proposals, cut, mode, draw);
  const plan = proposals.length > 1 || draw.odds(1, 14);
  if (plan) {
    const core = JSON.stringify({ kind: "plan", steps: stepsOf(proposals, draw) });
    return finished("plan", around(core, draw), meantByPlan(proposals), cut, draw);
  }
  if (draw.odds(mode === "tools" ? 6 : 2, 10)) {
    const written = writtenCall(first, draw);
    const said = asCalled(first);
    // The name stands in the open there, and the white space around it belongs to nobody.
    const only = written.form === "mistral_args" ? { ...said, tool: said.tool.trim() } : said;
    return finished(`text_${written.form}`, written, [only], cut, draw);
  }
  const core = around(JSON.stringify(flatOf(first, draw)), draw);
  return finished(`flat_${core.form}`, core, [first], cut, draw);
}

function finished(form: string, parts: Core, only: readonly Proposed[], cut: boolean, draw: Draw): Utterance {
  const { before, core, after } = parts;
  if (!cut) return { form, text: before + core + after, calls: [], only };
  return { form: "cut", text: before + core.slice(0, 1 + draw.below(core.length - 1)), calls: [], only: [] };
}

function nativeUtterance(proposals: readonly Proposed[], cut: boolean, mode: WireMode, draw: Draw): Utterance {
  const [first] = proposals;
  if (first === undefined) return { form: "silence", text: "", calls: [], only: [] };
  const text = mode === "flat" ? draw.pick(["", " "]) : draw.pick(["", "", "", "Let me do that."]);
  if (draw.odds(1, 14)) {
    const args = JSON.stringify({ steps: stepsOf(proposals, draw) });
    if (cut) return { form: "native_broken", text, calls: [{ name: "plan", args: brokenArgs(args, draw) }], only: [] };
    return { form: "native_plan", text, calls: [{ name: "plan", args }], only: meantByPlan(proposals) };
  }
  const calls = proposals.map((one) => nativeOf(one, draw));
  const whole = calls[0];
  if (cut && whole !== undefined) {
    const broken = { name: whole.name, args: brokenArgs(JSON.stringify(argsOf(first)), draw) };
    return { form: "native_broken", text, calls: [broken, ...calls.slice(1)], only: [] };
  }
  return { form: calls.length > 1 ? "native_several" : "native", text, calls, only: [asCalled(first)] };
}
