import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { modelAt, requestOf, serve } from "../../../test/loopback.ts";

/** Longer than what is shown of a header, so that its start alone would be found by nobody. */
const KEY = `sk-Secret-${"0123456789abcdef".repeat(4)}`;
/** Any such part of it would be a leak. */
const PART = 8;

async function detailOf(answer: (response: ServerResponse, url: string) => void, query = ""): Promise<string> {
  const { url } = await serve((response, heard) => answer(response, heard.url));
  const reply = await modelAt(`${url}${query}`, { apiKey: KEY, retries: 0 }).complete(requestOf());
  if (reply.ok) throw new Error("there was a reply");
  return reply.detail;
}

function checkNothingOf(secret: string, detail: string): void {
  const low = detail.toLowerCase();
  for (let at = 0; at + PART <= secret.length; at++) {
    expect(low).not.toContain(secret.slice(at, at + PART).toLowerCase());
  }
}

describe("a key that a server echoes reaches no detail", () => {
  test.each<[string, { readonly [name: string]: string }]>([
    ["as the coding", { "content-encoding": KEY }],
    ["behind a coding", { "content-encoding": `zstd-${KEY}` }],
    ["as the charset", { "content-type": `application/json; charset=${KEY}` }],
    ["as a quoted charset", { "content-type": `application/json; charset="x-${KEY}"` }],
  ])("%s", async (_what, headers) => {
    const detail = await detailOf((response) => {
      response.writeHead(200, headers).end(Buffer.from([0xff, 0xfe]));
    });
    checkNothingOf(KEY, detail);
    expect(detail).toContain("[redacted]");
  });

  test("but what else stands there is said", async () => {
    const packed = await detailOf((response) => void response.writeHead(200, { "content-encoding": "Zstd" }).end("x"));
    expect(packed).toBe("the answer is packed as Zstd, which was not asked for");
    const charset = await detailOf((response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-16" }).end(Buffer.from([0xff, 0xfe]));
    });
    expect(charset).toBe("the answer is not UTF-8; its content type says utf-16");
  });
});

describe("a key in the query of the URL reaches no detail", () => {
  const QUERY = "Query-Key-0123456789";
  test.each<[string, string]>([
    ["as it is", QUERY],
    ["escaped", "Query%2FKey%2B0123456789"],
    ["with a plus", "Query+Key+0123456789"],
  ])("%s", async (_what, written) => {
    const decoded = new URLSearchParams(`key=${written}`).get("key") ?? "";
    const detail = await detailOf(
      (response, url) => void response.writeHead(404).end(`no route ${url}, no ${decoded}, no ${written}`),
      `?key=${written}&v=1`,
    );
    expect(detail).toContain("HTTP 404: no route /v1/chat/completions?key=[redacted]&v=1");
    checkNothingOf(written, detail);
    checkNothingOf(decoded, detail);
  });
});
