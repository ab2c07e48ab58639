import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-folder-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what is missing is made, and what is there stays", () => {
  const deep = join(folder, "a/b/c");
  makeFolder(deep);
  expect(existsSync(deep)).toBe(true);
  writeFileSync(join(deep, "file"), "kept");
  makeFolder(deep);
  expect(existsSync(join(deep, "file"))).toBe(true);
  expect(() => makeFolder(join(deep, "file/below"))).toThrow("ENOTDIR");
});

test.skipIf(!existsSync("/proc/self"))(
  "below a place where nothing can be made it says so, and comes to an end",
  () => {
    expect(() => makeFolder("/proc/nope/deeper")).toThrow("ENOENT");
  },
);
