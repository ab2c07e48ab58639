/** Faults in the guides' compiler, and the law that must catch each. */
import type { Patch } from "../../twins/twin.ts";
import type { LawName } from "./laws.ts";

export type GuideTwin = { readonly law: LawName; readonly fault: string; readonly patches: readonly Patch[] };

function twin(
  law: LawName,
  fault: string,
  ...patches: readonly (readonly [file: string, find: string, replace: string])[]
): GuideTwin {
  return { law, fault, patches: patches.map(([file, find, replace]) => ({ file: `guides/${file}`, find, replace })) };
}

const BUDGET: LawName = "the text is within its budget";
const WINDOW: LawName = "text and channel B are within the window";
const SAFETY: LawName = "a selected safety rule is in the text or on channel B";
const COUNTS: LawName = "every given rule is accounted for";
const PREFIX: LawName = "kept ordinary rules are the first of the ordinary rules, and as many as fit";
const BYTES: LawName = "the text is the kept texts, byte for byte";
const ORDER: LawName = "order is nothing: of the rules, and of the keys in them";
const STRANGER: LawName = "a rule that is not selected changes nothing but the counts";
const DROPPED: LawName = "without the dropped rules the same text is served";
const LARGER: LawName = "a larger budget keeps what a smaller one kept";
const LAST: LawName = "a rule behind all others takes the place of none";
const CHANNEL: LawName = "a rule of channel B spends nothing of the budget";
const TWICE: LawName = "the house and the specification come to the same";

/** The constructor is a second lock: a fault behind it shows only where it is gone. */
const NO_LOCK = ["serve-plan.ts", "if (!(bytes <= profile.budgetBytes))", "if (bytes < 0)"] as const;

export const GUIDE_TWINS: readonly GuideTwin[] = [
  twin(BUDGET, "characters are counted and not bytes", [
    "part.ts",
    "const bytes = utf8Length(body);",
    "const bytes = body.length;",
  ]),
  twin(
    BUDGET,
    "one byte more than the budget",
    ["fit.ts", "!(more.bytes <= budgetBytes)", "!(more.bytes <= budgetBytes + 1)"],
    NO_LOCK,
  ),
  twin(BUDGET, "one byte more than the budget, caught by the constructor", [
    "fit.ts",
    "!(more.bytes <= budgetBytes)",
    "!(more.bytes <= budgetBytes + 1)",
  ]),
  twin(BUDGET, "separators are not counted", ["taken.ts", "taken.rules === 0 ? 0 : SEPARATOR_BYTES", "0"]),
  twin(
    BUDGET,
    "pinned rules are not counted",
    ["fit.ts", "let taken = pinned;", "let taken = { rules: 0, bytes: 0 };"],
    NO_LOCK,
  ),
  twin(BUDGET, "safety rules may exceed it", ["pin.ts", "taken.bytes <= budget.bytes", "taken.bytes >= 0"], NO_LOCK),

  twin(
    WINDOW,
    "channel B has no bound",
    ["place.ts", "text + channel <= window", "text <= window"],
    ["serve-plan.ts", "if (!(bytes + channel <=", "if (!(bytes <="],
  ),
  twin(WINDOW, "channel B has no separators", ["taken.ts", "return SEPARATOR_BYTES + bytes;", "return bytes;"]),

  twin(
    SAFETY,
    "a safety rule after the stop is dropped",
    ["fit.ts", "if (part.safety) {", "if (part.safety && !stopped) {"],
    ["serve-plan.ts", "else if (part.safety) throw", "else if (part.id === null) throw"],
  ),
  twin(SAFETY, "a safety rule after the stop is dropped, caught by the constructor", [
    "fit.ts",
    "if (part.safety) {",
    "if (part.safety && !stopped) {",
  ]),
  twin(SAFETY, "no rule is a safety rule", ["part.ts", "safety: safety === true", "safety: safety === null"]),
  twin(
    SAFETY,
    "channel B leaves safety rules out",
    [
      "route.ts",
      "for (const part of selected) (part",
      "for (const part of selected) if (part.routed === null || !part.safety) (part",
    ],
    [
      "serve-plan.ts",
      "if (part.routed !== null) {",
      "if (part.routed !== null && part.safety) continue;\n    if (part.routed !== null) {",
    ],
  ),

  twin(COUNTS, "nobody counts what was not selected", [
    "serve-plan.ts",
    "unselected: parts.given - parts.selected.length",
    "unselected: 0",
  ]),
  twin(COUNTS, "what was dropped is not told", [
    "serve-plan.ts",
    "dropped: droppedOf(parts.dropped)",
    "dropped: droppedOf([])",
  ]),
  twin(COUNTS, "what was dropped first is not told", [
    "serve-plan.ts",
    "dropped: droppedOf(parts.dropped)",
    "dropped: droppedOf(parts.dropped.slice(1))",
  ]),
  twin(COUNTS, "an explanation leaves rules out", [
    "select.ts",
    'fired[i] === 1 ? judge(i).outside : "task"',
    "fired[i] === 1 ? judge(i).outside : null",
  ]),

  twin(
    PREFIX,
    "it skips and does not stop",
    ["fit.ts", "stopped ||= !(", "stopped = !("],
    ["fit.ts", "stopped ? taken : bytesWith(taken, part)", "bytesWith(taken, part)"],
  ),
  twin(PREFIX, "it stops a byte early", ["fit.ts", "!(more.bytes <= budgetBytes)", "!(more.bytes < budgetBytes)"]),
  twin(PREFIX, "a reason is only for the rule at the stop", [
    "fit.ts",
    'part.bytes <= budgetBytes ? "after_the_stop"',
    'part.bytes <= budgetBytes || dropped.length > 0 ? "after_the_stop"',
  ]),

  twin(BYTES, "a rule is cut", [
    "serve-plan.ts",
    "text += i === 0 ? part.text",
    "text += i === 0 ? part.text.slice(0, 20)",
  ]),
  twin(BYTES, "rules are trimmed", [
    "serve-plan.ts",
    "text += i === 0 ? part.text",
    "text += i === 0 ? part.text.trim()",
  ]),
  twin(BYTES, "another separator", ["serve-plan.ts", "RULE_SEPARATOR + part.text", '"\\r\\n" + part.text']),
  twin(BYTES, "pinned rules come first", [
    "fit.ts",
    "return { kept, dropped };",
    "return { kept: kept.toSorted((a, b) => Number(b.safety) - Number(a.safety)), dropped };",
  ]),

  twin(
    ORDER,
    "rules are served as they were given",
    ["rule-set.ts", "[...given].sort((a, b) => inAuthoredOrder(a, b) || (a.file < b.file ? -1 : 1))", "[...given]"],
    ["serve-plan.ts", "inAuthoredOrder(before, part) >= 0", "before === part"],
  ),
  twin(
    ORDER,
    "rules of one order are served as they were given",
    [
      "rule-set.ts",
      "[...given].sort((a, b) => inAuthoredOrder(a, b) || (a.file < b.file ? -1 : 1))",
      "[...given].sort((a, b) => a.order - b.order)",
    ],
    ["serve-plan.ts", "inAuthoredOrder(before, part) >= 0", "before === part"],
  ),

  twin(STRANGER, "a rule that is not selected takes of the budget", [
    "compile.ts",
    "fit(dispatch, pinned.taken, budgetBytes)",
    "fit(dispatch, pinned.taken, budgetBytes - set.size)",
  ]),
  twin(STRANGER, "a safety rule that is not selected is pinned", [
    "select.ts",
    "fired[i] !== 1) continue;",
    "(!part.safety && fired[i] !== 1)) continue;",
  ]),

  twin(
    DROPPED,
    "every rule brings room of its own",
    [
      "compile.ts",
      "fit(dispatch, pinned.taken, budgetBytes)",
      "fit(dispatch, pinned.taken, budgetBytes + 9 * dispatch.length)",
    ],
    NO_LOCK,
  ),

  twin(LARGER, "small rules are preferred where there is room for few", [
    "fit.ts",
    "for (const part of dispatch) {",
    'const small = budgetBytes % 2 === 1;\n  for (const part of dispatch) {\n    if (small && !part.safety) {\n      dropped.push({ part, reason: "after_the_stop" });\n      continue;\n    }',
  ]),

  twin(LAST, "the last rule is reserved a place", [
    "fit.ts",
    "let taken = pinned;",
    "let taken = bytesWith(pinned, dispatch.at(-1) ?? { bytes: 0 });",
  ]),

  twin(CHANNEL, "channel B is paid from the budget", [
    "compile.ts",
    "fit(dispatch, pinned.taken, budgetBytes)",
    "fit(dispatch, pinned.taken, budgetBytes - routed.length)",
  ]),

  twin(TWICE, "one of the counted words is enough", [
    "task-index.ts",
    "{ needs: least, words }",
    "{ needs: 1, words }",
  ]),
  twin(TWICE, "one word of a phrase is enough", ["task-index.ts", "needs: distinct.length", "needs: 1"]),
  twin(TWICE, "a word that occurs twice counts twice", [
    "word-index.ts",
    "return [...found];",
    "return [...found, ...found];",
  ]),
  twin(TWICE, "forms are not folded", [
    "words.ts",
    'return text.normalize("NFKC").toLowerCase()',
    "return text.toLowerCase()",
  ]),
  twin(TWICE, "two sigmas", ["words.ts", '.replaceAll("ς", "σ")', ""]),
  twin(TWICE, "a stretch has to be all of its run", [
    "word-index.ts",
    "if (!spaced) findStretches(index.stretches, run, found, steps);\n",
    "if (!spaced) {\n      const all = new Set<number>();\n      findStretches(index.stretches, run, all, steps);\n      if (run.length < 3) for (const one of all) found.add(one);\n    }\n",
  ]),
  twin(TWICE, "the shorter stretch in a longer is not seen", [
    "word-index.ts",
    "at = shorter[at] ?? 0;\n",
    "at = 0;\n",
  ]),
  twin(TWICE, "a beginning is a whole word", [
    "word-index.ts",
    "if (ended !== NONE) found.add(ended);\n  }\n}",
    "if (ended !== NONE && i === run.length - 1) found.add(ended);\n  }\n}",
  ]),
  twin(TWICE, "a rule with an app is for a task without", [
    "scopes.ts",
    "app !== null && matchesName(glob, app, steps)",
    "app === null || matchesName(glob, app, steps)",
  ]),
  twin(TWICE, "paths are not asked", [
    "scopes.ts",
    'if (inFiles === NO) return { outside: "paths", assumed: false };',
    "",
  ]),
  twin(TWICE, "the profile is not asked", [
    "scopes.ts",
    'if (inProfile === NO) return { outside: "profile", assumed: false };',
    "",
  ]),
  twin(TWICE, "all paths have to match", ["scopes.ts", "paths.some((path)", "paths.every((path)"]),
  twin(
    TWICE,
    "files beyond those that are looked at are forgotten",
    [
      "scopes.ts",
      "isAboutAll ? [] : task.paths.map(normalPath)",
      "task.paths.slice(0, TASK_PATHS_MAX).map(normalPath)",
    ],
    ["scopes.ts", "isAboutAll ? assumed : files", "files"],
  ),
  twin(TWICE, "nobody says what was not looked at", ["select.ts", "if (judged.assumed) assumed.push(part);", ""]),
  twin(TWICE, "a path is taken as it is written", ["scopes.ts", "task.paths.map(normalPath)", "task.paths"]),
  twin(TWICE, "a pattern is taken as it is written", [
    "glob.ts",
    "const read = parseGlob(normal);",
    "const read = written;",
  ]),
  twin(TWICE, "a folder is taken back that is not there", [
    "normal-path.ts",
    "const back = kept.pop();",
    "const back = segment;",
  ]),
  twin(TWICE, "characters are not composed", ["normal-path.ts", 'path.normalize("NFC")', "path"]),
  twin(TWICE, "a star crosses slashes", [
    "glob-match.ts",
    'case "run":\n      return !path || point !== SLASH;',
    'case "run":\n      return true;',
  ]),
  twin(TWICE, "no folder at all is one too few", [
    "glob-match.ts",
    "if (folderStart) open.push(at + 1);",
    "if (folderStart && position > 0) open.push(at + 1);",
  ]),
  twin(TWICE, "half a folder is a folder", [
    "glob-match.ts",
    "if (folderStart) open.push(at + 1);",
    "open.push(at + 1);",
  ]),
  twin(TWICE, "a set matches a slash", [
    "glob-match.ts",
    "return (!path || point !== SLASH) && op.ranges",
    "return op.ranges",
  ]),
  twin(TWICE, "a set is never turned round", ["glob-match.ts", "!== op.not", "!== false"]),
  twin(TWICE, "only the first alternative", [
    "glob.ts",
    'ops[split] = { op: "split", to: starts };',
    'ops[split] = { op: "split", to: starts.slice(0, 1) };',
  ]),
  twin(TWICE, "a pattern without a slash is about the whole path", [
    "glob.ts",
    'text.includes("/") ? 1 + lead : 0',
    "1 + lead",
  ]),
  twin(TWICE, "a slash at the end is a slash", [
    "glob.ts",
    'if (text.endsWith("/")) reader.ops.push({ op: "below" });',
    "",
  ]),
  twin(
    TWICE,
    "one id twice is served twice",
    ["compile.ts", "if (set.duplicates.length > 0) return duplicateIds(set);", ""],
    ["serve-plan.ts", "inAuthoredOrder(before, part) >= 0", "before === part"],
  ),
  twin(TWICE, "files of one id are named by their order", ["rule-set.ts", "files: named.sort()", "files: named"]),
  twin(TWICE, "another slot", [
    "place.ts",
    'return { kind: "placed", slot };',
    'return { kind: "placed", slot: "system_end" };',
  ]),
];
