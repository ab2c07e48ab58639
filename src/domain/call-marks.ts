/** Marks that open a call, of the formats that are read and of some that are not: each of them says that a call was meant. */
export const OPENINGS: readonly string[] = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<function=",
  "<parameter=",
  "<arg_key>",
  "<invoke ",
  "<|python_tag|>",
  "<|tool_call",
  "<｜tool▁call",
  "[TOOL_CALLS]",
  "to=functions.",
  "Action Input:",
];

export const CLOSINGS: readonly string[] = [
  "</tool_call>",
  "</tool_calls>",
  "</function_call>",
  "</function>",
  "[/TOOL_CALLS]",
  "<|/tool_call|>",
];

/** What ends a turn in a chat template, where a server leaves it in the text. */
export const TURN_ENDS: readonly string[] = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end|>",
  "<|return|>",
  "<|call|>",
  "</s>",
];

/** The marks right before the JSON of a whole call: one object with its name, or a list of such. */
const CALL_FOLLOWS: readonly string[] = [
  "<tool_call>",
  "<tool_calls>",
  "<function_call>",
  "<|tool_call|>",
  "<|python_tag|>",
  "[TOOL_CALLS]",
];

const NAME = "([^\\s<>{}\\[\\]\"'=]{1,64})";
/** The marks right before the JSON of the arguments alone: Mistral's newer form, and the function tag. */
const ARGS_FOLLOW: readonly RegExp[] = [
  new RegExp(`\\[TOOL_CALLS\\]\\s{0,8}${NAME}\\s{0,8}(?:\\[CALL_ID\\][^\\[\\]\\s]{0,64}\\s{0,8})?(?:\\[ARGS\\])?$`),
  new RegExp(`<function=${NAME}>$`),
];
/** As long as the longest of these can be. */
const MARK_MAX = 256;

/** Characters around an object that were not said but only wrap it: what ends a call or a turn. */
export function withoutMarks(prose: string): string {
  return [...CLOSINGS, ...TURN_ENDS].reduce((text, mark) => text.split(mark).join(""), prose);
}

/** Whether a text says that it calls a tool, in whatever way. */
export function hasCallMark(prose: string): boolean {
  return opensCall(prose) || CLOSINGS.some((mark) => prose.includes(mark));
}

export function opensCall(prose: string): boolean {
  return OPENINGS.some((mark) => prose.includes(mark));
}

export type Mark = { readonly text: string; readonly length: number; readonly name?: string };

/** The mark that a text ends with. */
export function markBefore(before: string): Mark | null {
  const whole = CALL_FOLLOWS.find((mark) => before.endsWith(mark));
  if (whole !== undefined) return { text: whole, length: whole.length };
  const tail = before.slice(-MARK_MAX);
  for (const form of ARGS_FOLLOW) {
    const found = form.exec(tail);
    if (found?.[1] !== undefined) return { text: found[0], length: found[0].length, name: found[1] };
  }
  return null;
}

/** A function tag may stand inside of a call tag, and a call tag inside of one for several. */
export function withoutOuter(before: string): string {
  let rest = before;
  for (const outer of ["<tool_call>", "<tool_calls>"]) {
    const end = rest.trimEnd();
    if (end.endsWith(outer)) rest = end.slice(0, -outer.length);
  }
  return rest;
}
