/** For an item, by its place: the place of the item before it that it belongs to, and whose id its own begins with. */
export type Owners = ReadonlyMap<number, number>;

/**
 * Makes the ids of a list unique, whatever they are: the first of several equal ones keeps its id, a later one becomes `id~2`,
 * `id~3` and so on, never an id that another one had from the start. What belongs to one that was numbered follows it: the field
 * `id/name` of `id~2` is `id~2/name`. The same list gives the same ids.
 */
export function uniqueIds<T extends { readonly id: string }>(
  items: readonly T[],
  owners: Owners = new Map(),
): {
  readonly items: readonly T[] /** Each id that was there more than once, and how often. */;
  readonly repeated: ReadonlyMap<string, number>;
} {
  const repeated = new Map<string, number>();
  /** What is no new id: the ids from the start, and those that were made. */
  const given = new Set(items.map(({ id }) => id));
  if (given.size === items.length) return { items, repeated };
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  const renamed: T[] = [];
  for (const [i, item] of items.entries()) {
    const own = ownId(i, items, renamed, owners);
    const isFree = !seen.has(own) && (own === item.id || !given.has(own));
    let id = own;
    if (!isFree) {
      repeated.set(own, (repeated.get(own) ?? 1) + 1);
      let number = numbers.get(own) ?? 1;
      do {
        number += 1;
        id = `${own}~${number}`;
      } while (given.has(id));
      numbers.set(own, number);
    }
    seen.add(id);
    given.add(id);
    renamed.push(id === item.id ? item : { ...item, id });
  }
  return { items: renamed, repeated };
}

/** The id of an item, with what its owner is called now in the place of what the owner was called. */
function ownId<T extends { readonly id: string }>(
  i: number,
  items: readonly T[],
  renamed: readonly T[],
  owners: Owners,
): string {
  const id = items[i]?.id ?? "";
  const owner = owners.get(i) ?? -1;
  const [before, now] = [items[owner]?.id, renamed[owner]?.id];
  if (before === undefined || now === undefined || before === now || !id.startsWith(before)) return id;
  return `${now}${id.slice(before.length)}`;
}
