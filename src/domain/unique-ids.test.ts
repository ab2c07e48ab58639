import { expect, test } from "vitest";
import { uniqueIds } from "./unique-ids.ts";

const renamed = (ids: readonly string[], owners: readonly (readonly [number, number])[] = []) => {
  const { items, repeated } = uniqueIds(
    ids.map((id) => ({ id })),
    new Map(owners),
  );
  return { ids: items.map(({ id }) => id), repeated: Object.fromEntries(repeated) };
};

test("of equal ids the later are numbered, past what is taken, and what belongs to a numbered one follows it", () => {
  expect(renamed(["a", "a", "a~2"])).toEqual({ ids: ["a", "a~3", "a~2"], repeated: { a: 2 } });
  const owners = [
    [1, 0],
    [3, 2],
    [4, 2],
  ] as const;
  expect(renamed(["a", "a/x", "a", "a/x", "a/x"], owners)).toEqual({
    ids: ["a", "a/x", "a~2", "a~2/x", "a~2/x~2"],
    repeated: { a: 2, "a~2/x": 2 },
  });
  expect(renamed(["a", "a~2/x", "a", "a/x"], [[3, 2]]).ids).toEqual(["a", "a~2/x", "a~2", "a~2/x~2"]);
  expect(
    renamed(
      ["a", "a", "a/x~2", "a/x", "a/x"],
      [2, 3, 4].map((i) => [i, 1] as const),
    ).ids,
  ).toEqual([...["a", "a~2", "a~2/x~2", "a~2/x", "a~2/x~3"]]);
});
