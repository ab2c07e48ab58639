/** What a caller of `box.guides` may get wrong is told as a mistake, with what would be right. */
import { expect, test } from "vitest";
import { openBox } from "./box.ts";

const WORD = { as: "user:sue", why: "read" };

test.each([
  ["verify", ["a"], "takes a list of names"],
  ["verify", [[1]], "takes a list of names"],
  ["publish", [undefined, { as: "user:sue" }], "takes a list of names"],
  ["publish", [["a"], undefined], "takes an object"],
  ["approve", ["a@1", "x"], "takes an object"],
  ["statement", ["a@1", { ...WORD, wy: "x" }], 'has no option "wy"; did you mean "why"?'],
  ["revoke", ["a@1", null], "takes an object"],
  ["withdraw", ["a", "x"], "takes an object"],
  ["serve", [undefined], "takes an object"],
  ["serve", [{}], "needs `task`: a text"],
  ["serve", [{ task: "x", ap: "y" }], 'has no option "ap"; did you mean "app"?'],
  ["serve", [{ task: "x", paths: "a.ts" }], "needs `paths`: a list of texts"],
  ["pin", ["n", { task: "x" }], "takes an object"],
  ["plan", [{ task: "x", map: "m" }], "needs `id`: a text"],
  ["explain", [null], "takes a name"],
] as const)("guides.%s(%j)", async (verb, args, says) => {
  const box = openBox([], [], {
    guides: { folder: { read: async () => [] } },
    approvers: { "user:sue": { roles: ["guides"] } },
  });
  const call = box.guides[verb] as (...given: readonly unknown[]) => Promise<unknown>;
  const failed = await call(...args).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ name: "SignalboxError", code: "bad_argument", exitCode: 2 });
  expect((failed as Error).message).toContain(`guides.${verb} ${says}`);
});
