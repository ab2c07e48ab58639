/**
 * Which recorded dialogues belong to which task: the recordings number their tasks as the first release of the benchmark
 * did, the tasks as its successor does, and many were rewritten in between. Matched by customer, by the reservations that
 * both texts name, and by how alike the texts are; what is not clear is left out and said.
 */
import { requestOf, type Task } from "../tasks.ts";
import type { Dialogue } from "./data.ts";

export type Match = {
  readonly task: string;
  /** The recordings' task number, or null where none is clearly the same. */
  readonly recorded: number | null;
  readonly similarity: number;
  readonly why: string;
};

/** Share of common words (Dice) from which two texts count as the same errand. */
const SIMILAR_MIN = 0.4;
/** How far the best candidate has to be ahead of the next. */
const LEAD_MIN = 0.1;

export function matchTasks(tasks: readonly Task[], dialogues: readonly Dialogue[]): Match[] {
  const matches = tasks.map((task) => matchTask(task, dialogues));
  // A recorded task belongs to one task at most: the one whose text is most like it.
  return matches.map((match) => {
    const closer = matches.find((other) => other.recorded === match.recorded && other.similarity > match.similarity);
    if (match.recorded === null || closer === undefined) return match;
    return { ...match, recorded: null, why: `recorded task ${match.recorded} is more like task ${closer.task}` };
  });
}

function matchTask(task: Task, dialogues: readonly Dialogue[]): Match {
  const text = requestOf(task);
  const sameCustomer = new Map(
    dialogues
      .filter((dialogue) => dialogue.actorUserId === task.actorUserId)
      .map((dialogue) => [dialogue.taskId, dialogue.instruction]),
  );
  const none = (similarity: number, why: string): Match => ({ task: task.id, recorded: null, similarity, why });
  if (sameCustomer.size === 0) return none(0, "no recorded dialogue of this customer");
  const ranked = [...sameCustomer]
    .map(([recorded, instruction]) => ({ recorded, instruction, similarity: alike(text, instruction) }))
    .sort((a, b) => b.similarity - a.similarity);
  const [best, next] = ranked;
  if (best === undefined) return none(0, "no recorded dialogue of this customer");
  if (best.similarity < SIMILAR_MIN) return none(best.similarity, "the most similar text is not similar enough");
  if (next !== undefined && best.similarity - next.similarity < LEAD_MIN) {
    return none(best.similarity, `ambiguous: recorded tasks ${best.recorded} and ${next.recorded}`);
  }
  const ours = reservationIds(text);
  const theirs = reservationIds(best.instruction);
  if (ours.length > 0 && theirs.length > 0 && !theirs.some((id) => ours.includes(id))) {
    return none(best.similarity, `the texts name other reservations: ${ours.join(" ")} and ${theirs.join(" ")}`);
  }
  const named = theirs.filter((id) => ours.includes(id));
  const shared = named.length === 0 ? "no reservation named in both" : `both name ${named.join(" ")}`;
  return { task: task.id, recorded: best.recorded, similarity: best.similarity, why: shared };
}

/** Dice's coefficient over the words of two texts. */
export function alike(a: string, b: string): number {
  const left = words(a);
  const right = words(b);
  const common = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size === 0 ? 0 : (2 * common) / (left.size + right.size);
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z0-9_]{3,}/g) ?? []);
}

function reservationIds(text: string): string[] {
  const candidates = text.match(/\b[A-Z0-9]{6}\b/g) ?? [];
  // Flight numbers have the same form, and in this timetable they all begin alike.
  return [...new Set(candidates.filter((id) => /[A-Z]/.test(id) && /[0-9]/.test(id) && !/^HAT[0-9]{3}$/.test(id)))];
}
