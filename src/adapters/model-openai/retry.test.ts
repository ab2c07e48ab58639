import { constants, createGzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ask, completion, hastyClock, serve } from "../../../test/loopback.ts";

const GOOD = completion({ content: "hi" });

describe("what may pass is sent again", () => {
  test.each([429, 500, 502, 503, 504, 529])("HTTP %i", async (status) => {
    const { url, heard } = await serve((response, _heard, n) => {
      if (n < 3) response.writeHead(status).end("busy");
      else response.end(GOOD);
    });
    expect(await ask(url)).toMatchObject({ ok: true, text: "hi", attempts: 3 });
    expect(heard).toHaveLength(3);
    expect(heard[2]?.json).toEqual(heard[0]?.json);
  });

  test.each<[string, (response: import("node:http").ServerResponse) => void, string]>([
    ["a connection that is reset", (response) => response.socket?.resetAndDestroy(), "unreachable"],
    ["a connection that is closed", (response) => response.socket?.end(), "unreachable"],
    [
      "a body that breaks off",
      (response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("{");
        setImmediate(() => response.destroy());
      },
      "unreachable",
    ],
    [
      "a packed body that breaks off",
      (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(GOOD).subarray(0, 20)),
      "unreachable",
    ],
    ["a page of HTML", (response) => response.end("<!doctype html>"), "bad_answer"],
    [
      "an upgrade that nobody asked for",
      (response) => response.writeHead(101, { upgrade: "x", connection: "upgrade" }).end(),
      "unreachable",
    ],
  ])("%s", async (_what, bad, code) => {
    const once = await serve((response, _heard, n) => (n === 1 ? bad(response) : response.end(GOOD)));
    expect(await ask(once.url)).toMatchObject({ ok: true, attempts: 2 });
    const always = await serve((response) => bad(response));
    expect(await ask(always.url)).toMatchObject({ ok: false, code, detail: expect.stringMatching(/after 3 requests/) });
    expect(always.heard).toHaveLength(3);
    const never = await serve((response) => bad(response));
    expect(await ask(never.url, {}, { retries: 0 })).toMatchObject({ ok: false, code });
    expect(never.heard).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 422, 501])("but not HTTP %i", async (status) => {
    const { url, heard } = await serve((response) => response.writeHead(status).end("no"));
    expect(await ask(url)).toEqual({ ok: false, code: "http_error", detail: `HTTP ${status}: no` });
    expect(heard).toHaveLength(1);
  });
});

describe("before it is sent again there is a pause", () => {
  const busy = (headers = {}) => serve((response) => response.writeHead(503, headers).end());

  test("that doubles, by chance anything up to its bound, which is 8 s", async () => {
    const { url } = await busy();
    const half = hastyClock();
    await ask(url, {}, { clock: half, retries: 8 });
    expect(half.slept).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    const low = hastyClock();
    await ask(url, {}, { clock: low, chance: () => 0 });
    expect(low.slept).toEqual([0, 0]);
    const high = hastyClock();
    await ask(url, {}, { clock: high, chance: () => 0.999 });
    expect(high.slept).toEqual([249, 499]);
  });

  test.each([
    ["2", [2_000, 2_000]],
    ["1.5", [1_500, 1_500]],
    ["0", [125, 250]],
    ["Thu, 01 Jan 1970 00:00:12 GMT", [2_000, 2_000]],
    ["Thu, 01 Jan 1970 00:00:01 GMT", [125, 250]],
    ["30", [30_000, 30_000]],
    ["soon", [125, 250]],
    ["-5", [125, 250]],
    ["2031", []],
  ])("as a Retry-After of %s says", async (value, slept) => {
    const { url } = await busy({ "retry-after": value });
    const clock = hastyClock(10_000);
    expect(await ask(url, {}, { clock })).toMatchObject({ ok: false, code: "http_error" });
    expect(clock.slept).toEqual(slept);
  });

  test("unless a longer one is asked for than is waited", async () => {
    const { url, heard } = await busy({ "retry-after": "30.5" });
    expect(await ask(url)).toEqual({
      ok: false,
      code: "http_error",
      detail: "HTTP 503:  (it asks for a pause of 31 s, which is not waited for)",
    });
    expect(heard).toHaveLength(1);
  });
});

describe("a body is bounded", () => {
  const BOUND = 4 * 1024 * 1024;

  test("[json-bombs] a body without end is cut off, and not asked for again", async () => {
    const { url, heard, quiet } = await serve((response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        if (!response.destroyed) response.once("drain", pump);
      };
      pump();
    });
    expect(await ask(url)).toEqual({
      ok: false,
      code: "bad_answer",
      detail: `the answer is longer than ${BOUND} bytes`,
    });
    expect(heard).toHaveLength(1);
    await quiet();
  });

  test("[json-bombs] so is one that is packed, after unpacking: it is not unpacked to its end", async () => {
    let packed = 0;
    const { url, heard, quiet } = await serve((response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
      const zeros = Buffer.alloc(1024 * 1024, " ");
      const pump = (): void => {
        while (!response.destroyed && packed < 1024) {
          packed += 1;
          if (!gzip.write(zeros)) return void gzip.once("drain", pump);
        }
        gzip.end();
      };
      gzip.pipe(response);
      pump();
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await ask(url)).toMatchObject({
      ok: false,
      code: "bad_answer",
      detail: expect.stringContaining("longer than"),
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect(heard).toHaveLength(1);
    await quiet();
  });

  test.each([
    ["gzip", gzipSync(GOOD)],
    ["identity", Buffer.from(GOOD)],
  ])("packed as %s it is read", async (coding, body) => {
    const { url } = await serve((response) => response.writeHead(200, { "content-encoding": coding }).end(body));
    expect(await ask(url)).toMatchObject({ ok: true, text: "hi" });
  });

  test("packed as nobody knows, it is not", async () => {
    const { url } = await serve((response) => response.writeHead(200, { "content-encoding": "zip" }).end(GOOD));
    expect(await ask(url)).toMatchObject({ ok: false, code: "bad_answer", detail: expect.stringContaining("zip") });
  });

  test("at the bound, and one byte beyond", async () => {
    const of = (bytes: number): string => GOOD + " ".repeat(bytes - GOOD.length);
    const at = await serve((response) => response.end(of(BOUND)));
    expect(await ask(at.url)).toMatchObject({ ok: true, text: "hi" });
    const over = await serve((response) => response.end(of(BOUND + 1)));
    expect(await ask(over.url)).toMatchObject({ ok: false, code: "bad_answer" });
  });

  test.each([
    [
      "Latin-1",
      "application/json; charset=iso-8859-1",
      Buffer.from(completion({ content: "é" }), "latin1"),
      /not UTF-8; .*iso-8859-1/,
    ],
    ["UTF-16 with its mark", "application/json", Buffer.from(`\ufeff${GOOD}`, "utf16le"), /not UTF-8/],
    ["UTF-16 without", "application/json", Buffer.from(GOOD, "utf16le"), /not_json/],
    ["half a character", "application/json", Buffer.from(completion({ content: "é" })).subarray(0, -40), /not/],
  ])("in %s it is not read", async (_what, type, body, detail) => {
    const { url } = await serve((response) => response.writeHead(200, { "content-type": type }).end(body));
    expect(await ask(url)).toMatchObject({ ok: false, code: "bad_answer", detail: expect.stringMatching(detail) });
  });

  test("in UTF-8 it is read, whatever its content type says", async () => {
    const type = "text/html; charset=utf-16";
    const body = completion({ content: "é" });
    const { url } = await serve((response) => response.writeHead(200, { "content-type": type }).end(body));
    expect(await ask(url)).toMatchObject({ ok: true, text: "é" });
  });
});
