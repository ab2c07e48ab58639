/**
 * A RuleSet: rules prepared for compiling. In authored order, each measured, their words and patterns indexed; made once a
 * load, so that a compile costs what it serves and not what there is.
 */
import { inAuthoredOrder, type Rule } from "../domain/rule.ts";
import { Part } from "./part.ts";
import { type Scopes, scopesOf } from "./scopes.ts";
import { type TaskIndex, taskIndex } from "./task-index.ts";

/** Taken once: a global that is patched later changes nothing here. */
const { freeze } = Object;

/** An id that several rules have, and the files that they are in. */
export type DuplicateId = { readonly id: string; readonly files: readonly string[] };

export class RuleSet {
  /** How many rules there are. */
  readonly size: number;
  readonly duplicates: readonly DuplicateId[];
  readonly #parts: readonly Part[];
  readonly #tasks: TaskIndex;
  readonly #scopes: Scopes;

  constructor(given: readonly Rule[]) {
    // Rules of one id are refused by compile; until then their files tell them apart, so that no order of input shows.
    const rules = [...given].sort((a, b) => inAuthoredOrder(a, b) || (a.file < b.file ? -1 : 1));
    this.size = rules.length;
    this.duplicates = duplicatesIn(rules);
    this.#parts = freeze(rules.map((rule) => new Part(rule)));
    this.#tasks = taskIndex(rules.map(({ task }) => task));
    this.#scopes = scopesOf(rules);
    freeze(this);
  }

  /** What is in a set. Throws on whatever is no set; the door gives the type and `ruleSet`, never this. */
  static contents(set: RuleSet): {
    readonly parts: readonly Part[];
    readonly tasks: TaskIndex;
    readonly scopes: Scopes;
  } {
    return { parts: set.#parts, tasks: set.#tasks, scopes: set.#scopes };
  }
}

/**
 * Prepares rules as a parser left them, in whatever order. Everything that is needed later is copied: what happens to the
 * rules afterwards changes nothing. Throws on a rule that no parser leaves, such as one with a pattern that cannot be read.
 */
export function ruleSet(rules: readonly Rule[]): RuleSet {
  return new RuleSet(rules);
}

/** `rules` are sorted, so that the same ids stand together where their order is the same, and not where it differs. */
function duplicatesIn(rules: readonly Rule[]): readonly DuplicateId[] {
  const files = new Map<string, string[]>();
  for (const { id, file } of rules) {
    const known = files.get(id);
    if (known === undefined) files.set(id, [file]);
    else known.push(file);
  }
  return [...files]
    .filter(([, named]) => named.length > 1)
    .map(([id, named]) => ({ id, files: named.sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
