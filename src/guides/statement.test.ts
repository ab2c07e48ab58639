import { expect, test } from "vitest";
import { statementOf } from "./statement.ts";

test("[guide-signature] the statement that people sign, letter by letter", () => {
  const statement = statementOf({
    rule: "lock-screen",
    revision: "a".repeat(64),
    verification: { seq: 7, hash: "b".repeat(64) },
    by: "user:sue",
    role: "guides",
    why: 'read it with "Tom"\nand café',
  });
  expect(statement).toBe(
    `{"by":"user:sue","revision":"${"a".repeat(64)}","role":"guides","rule":"lock-screen","statement":"signalbox-guide-approval/1","verification":{"hash":"${"b".repeat(64)}","seq":7},"why":"read it with \\"Tom\\"\\nand café"}`,
  );
});
