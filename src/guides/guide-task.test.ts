import { expect, test } from "vitest";
import { NAME_UNITS_MAX } from "./glob-match.ts";
import { guideTask } from "./guide-task.ts";

test("a task is about the files that it names, and those that are given besides, each once", () => {
  expect(guideTask("fix web/x.ts")).toEqual({
    ok: true,
    value: { text: "fix web/x.ts", app: null, paths: ["web/x.ts"] },
  });
  expect(guideTask("fix web/x.ts", { app: "shop", paths: ["a.ts"] })).toMatchObject({
    value: { app: "shop", paths: ["web/x.ts", "a.ts"] },
  });
  expect(guideTask("fix web/x.ts", { paths: ["a.ts", "web/x.ts"] })).toMatchObject({
    value: { app: null, paths: ["web/x.ts", "a.ts"] },
  });
  expect(guideTask("do it", { app: null, paths: [] })).toMatchObject({ value: { app: null, paths: [] } });
});

test("a name without a character and one over the border are refused", () => {
  const long = "a".repeat(NAME_UNITS_MAX);
  expect(guideTask("", { app: long, paths: [long.slice(1), long] })).toMatchObject({ ok: true });
  expect(guideTask("", { app: `${long}a` })).toMatchObject({ why: { code: "app_too_long" } });
  expect(guideTask("", { paths: ["a", `${long}a`] })).toMatchObject({ why: { code: "path_too_long" } });
  expect(guideTask("", { app: "" })).toMatchObject({ why: { code: "app_empty" } });
  expect(guideTask("", { paths: [""] })).toMatchObject({ why: { code: "path_empty" } });
});
