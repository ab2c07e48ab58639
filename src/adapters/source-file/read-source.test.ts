import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSource } from "./index.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array | string, bytesMax = 100): Promise<readonly [string, string]> {
  const path = join(folder, "source.txt");
  writeFileSync(path, bytes);
  const text = await readSource(path, bytesMax);
  return text.ok ? ["read", text.value] : [text.why.code, text.why.detail];
}

test("a text within its bound, as it stands", async () => {
  expect(await read("\ufeff<a>\r\nä</a>")).toEqual(["read", "\ufeff<a>\r\nä</a>"]);
  expect(await read("ä".repeat(50))).toEqual(["read", "ä".repeat(50)]);
  expect((await read("x".repeat(99)))[0]).toBe("read");
  expect((await read("x".repeat(101)))[0]).toBe("too_large");
});

test("what is no UTF-8 is refused, and UTF-16 by its name", async () => {
  expect((await read(Uint8Array.of(0x61, 0xff)))[0]).toBe("not_utf8");
  expect((await read(Uint8Array.of(0xed, 0xa0, 0x80)))[0]).toBe("not_utf8");
  const [code, detail] = await read(Uint8Array.of(0xff, 0xfe, 0x3c, 0x00));
  expect([code, detail.includes("UTF-16")]).toEqual(["not_utf8", true]);
});

test("what is not there, a folder, and what never ends", async () => {
  const codeOf = async (path: string): Promise<string> => {
    const text = await readSource(path, 100);
    return text.ok ? "read" : text.why.code;
  };
  expect(await codeOf(join(folder, "gone"))).toBe("unreadable_source");
  expect(await codeOf(folder)).toBe("unreadable_source");
  if (process.platform === "linux") expect(await codeOf("/dev/zero")).toBe("too_large");
});
