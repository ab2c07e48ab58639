/** A guide in a rule file: what is written is read back, and what is no guide is refused at its place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import type { Guide, Milestone } from "../domain/guide.ts";
import { guideText } from "./guide-text.ts";
import { parseGuide } from "./parse-guide.ts";
import { parseRule } from "./parse-rule.ts";
import { writeRule } from "./write-rule.ts";

const step = (intent: string, more: Partial<Milestone> = {}): Milestone => ({
  screen: null,
  intent,
  control: null,
  ...more,
});
const guide: Guide = {
  version: 1,
  id: "",
  task: "Reset the password",
  preconditions: ["the account exists"],
  entry: [step("open Settings", { screen: "home", control: "c1" })],
  milestones: [step("press Reset: now", { control: "c#2 {x}" }), step('type "Größe" into 鍵')],
  fallback: "stop and say which step",
  scope: "customers' own accounts",
};
const DIGEST = "a".repeat(64);

function fileOf(of: Guide, body = guideText(of)): string {
  return writeRule({ id: "reset", guide: { map: "shop", digest: DIGEST, guide: of } }, body);
}

test("its text has a line a step, with the ids of the screens", () => {
  expect(guideText(guide)).toBe(
    [
      "To reset the password:",
      '1. On "home": open Settings',
      "2. press Reset: now",
      '3. type "Größe" into 鍵',
      "If a step cannot be done as it stands here, stop and say which.",
    ].join("\n"),
  );
});

test("what was written is read back, whatever the texts hold", () => {
  const text = fc
    .string({ unit: fc.constantFrom(..."aZ9 :#-{}[]'\"\\|>&*!%@`,?é鍵~".split("")), minLength: 1, maxLength: 30 })
    .filter((said) => said.trim() !== "");
  const anyStep = fc.record({ screen: fc.option(text), intent: text, control: fc.option(text) });
  const any = fc.record({
    ...{ version: fc.constant(1 as const), id: fc.constant("") },
    ...{ task: text, preconditions: fc.array(text, { maxLength: 3 }), entry: fc.array(anyStep, { maxLength: 3 }) },
    ...{ milestones: fc.array(anyStep, { minLength: 1, maxLength: 3 }), fallback: text, scope: text },
  });
  fc.assert(
    fc.property(any, (of) => {
      const read = parseRule({ name: "reset.md", text: fileOf(of, "Body."), digest: DIGEST });
      expect(read).toMatchObject({ ok: true, rule: { guide: { map: "shop", digest: DIGEST, guide: of } } });
    }),
    { seed, numRuns: 300 },
  );
});

test.each([
  ["no object", "x", "wrong_type"],
  ["a key too many", { ...guide, version: undefined, id: undefined, milestone: [] }, "unknown_key"],
  ["a key that is missing", { task: "x" }, "missing_key"],
  ["no steps", { ...said(), milestones: [] }, "empty"],
  ["a step with a key too many", { ...said(), milestones: [{ ...step("x"), note: 1 }] }, "unknown_key"],
  ["a text that is none", { ...said(), scope: 7 }, "wrong_type"],
  ["an empty text", { ...said(), scope: " " }, "empty"],
  ["a line break", { ...said(), scope: "a\nRULES" }, "hidden_code_point"],
  ["a soft hyphen", { ...said(), scope: "a\u00adb" }, "hidden_code_point"],
  ["a text over the border", { ...said(), scope: "x".repeat(401) }, "too_long"],
  ["steps over the border", { ...said(), milestones: Array.from({ length: 41 }, () => step("x")) }, "too_many"],
  ["a prototype", JSON.parse('{"__proto__": {"task": "x"}}'), "unknown_key"],
])("%s is no guide", (_, value, code) => {
  const plain = JSON.parse(JSON.stringify(value));
  expect(parseGuide(code === "unknown_key" && _ === "a prototype" ? value : plain, "g")).toMatchObject({
    ok: false,
    why: { code },
  });
});

test("at the borders it is one", () => {
  expect(parseGuide({ ...said(), scope: "x".repeat(400) } as never, "g")).toMatchObject({ ok: true });
  const steps = Array.from({ length: 40 }, () => step("x"));
  expect(parseGuide({ ...said(), milestones: steps } as never, "g")).toMatchObject({ ok: true });
});

test.each([
  ["guide: x", 3],
  ["guide: { map: shop }", 3],
  [`guide: { map: shop, digest: "${DIGEST}", steps: [] }`, 3],
  [`guide: { map: Shop, digest: "${DIGEST}" }`, 3],
])("a header that has no sound guide cannot be read: %s", (line, at) => {
  const read = parseRule({ name: "a.md", text: `---\nid: a\n${line}\n---\nBody.\n`, digest: DIGEST });
  expect(read).toMatchObject({ ok: false, headerUnreadable: true });
  expect(read.findings[0]?.where).toMatch(new RegExp(`^a\\.md:${at}:`));
});

function said(): object {
  const { version: _, id: __, ...rest } = guide;
  return rest;
}
