/**
 * Makes the ids of a list unique, whatever they are: the first of several equal ones keeps its id, a later one becomes `id~2`,
 * `id~3` and so on, never an id that another one had from the start. The same list gives the same ids.
 */
export function uniqueIds<T extends { readonly id: string }>(
  items: readonly T[],
): {
  readonly items: readonly T[] /** Each id that was there more than once, and how often. */;
  readonly repeated: ReadonlyMap<string, number>;
} {
  const repeated = new Map<string, number>();
  const given = new Set<string>();
  for (const { id } of items) {
    if (given.has(id)) repeated.set(id, (repeated.get(id) ?? 1) + 1);
    given.add(id);
  }
  if (repeated.size === 0) return { items, repeated };
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  const renamed = items.map((item) => {
    if (!seen.has(item.id)) {
      seen.add(item.id);
      return item;
    }
    let number = numbers.get(item.id) ?? 1;
    let id = item.id;
    do {
      number += 1;
      id = `${item.id}~${number}`;
    } while (given.has(id));
    numbers.set(item.id, number);
    return { ...item, id };
  });
  return { items: renamed, repeated };
}
