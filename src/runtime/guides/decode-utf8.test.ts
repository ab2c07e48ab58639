import { describe, expect, test } from "vitest";
import { decodeUtf8 } from "./decode-utf8.ts";

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe("decodeUtf8", () => {
  test("keeps a byte order mark, line breaks and everything else", () => {
    const text = "\ufeffé\r\nロ😀\u0000";
    expect(decodeUtf8(new TextEncoder().encode(text))).toEqual({ ok: true, value: text });
    expect(decodeUtf8(bytes())).toEqual({ ok: true, value: "" });
  });

  test.each<[string, Uint8Array, string]>([
    ["a byte of Latin-1", bytes(0x63, 0x61, 0x66, 0xe9), "byte 3,"],
    ["a character that does not go on", bytes(0x61, 0xe3, 0x83, 0x62, 0x63), "byte 1,"],
    ["a character that ends with the file", bytes(0x61, 0xf0, 0x9f, 0x98), "byte 1,"],
    ["a continuation without a beginning", bytes(0x61, 0x62, 0x80), "byte 2,"],
    ["an encoding longer than need be", bytes(0xc0, 0xaf), "byte 0,"],
    ["half a surrogate pair", bytes(0x61, 0xed, 0xa0, 0x80), "byte 1,"],
    ["a point beyond Unicode", bytes(0xf4, 0x90, 0x80, 0x80), "byte 0,"],
    ["UTF-16", bytes(0xff, 0xfe, 0x61, 0x00), "it looks like UTF-16"],
    ["UTF-16 the other way round", bytes(0xfe, 0xff, 0x00, 0x61), "it looks like UTF-16"],
  ])("refuses %s", (_, input, what) => {
    expect(decodeUtf8(input)).toEqual({ ok: false, why: { code: "not_utf8", detail: expect.stringContaining(what) } });
  });

  test("says where in a large file", () => {
    const large = new Uint8Array(1_000_000).fill(0x61);
    large[654_321] = 0xff;
    expect(decodeUtf8(large)).toMatchObject({ why: { detail: expect.stringContaining("byte 654321,") } });
  });
});
