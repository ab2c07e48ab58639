import { expect, test } from "vitest";
import { guideHint } from "./guide-hints.ts";

test.each([
  ["unreadable_header: the header of a.md cannot be read, so it may be a safety rule", "guides lint"],
  ["revision_damaged: a@0123456789ab: its bytes are gone", "guides verify puts them back; else restore the database"],
  ["approval_revoked: a: row 4 took its approval back", "start another run"],
  ["withdrawn: a: row 4 withdrew it", "start another run"],
  ["system text, tools, rules and request take 60000 bytes; the window holds 46080", "larger window"],
  ["constructor: no code of ours", "larger window"],
])("%s", (detail, hint) => {
  expect(guideHint(detail)).toContain(hint);
});
