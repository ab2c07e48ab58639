import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type OriginGate, openGate } from "./origin-gate.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function origin(body: string): Promise<{ readonly origin: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers["proxy-connection"] ?? ""}`.trim());
    response.writeHead(200, { "x-own": "1" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function gateTo(origins: readonly string[], bytesMax = 1_000): Promise<OriginGate> {
  const gate = await openGate({ origins: new Set(origins), bytesMax });
  open.push(gate);
  return gate;
}

/** Asks for a whole address, as a browser asks its proxy. */
function through(gate: OriginGate, url: string): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const asking = request(
      gate.url,
      { path: url, headers: { "proxy-connection": "keep-alive" } },
      (answer: IncomingMessage) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("close", () => resolve([answer.statusCode ?? 0, text]));
      },
    );
    asking.on("error", () => resolve([0, ""]));
    asking.end();
  });
}

/** Asks for a tunnel and sends a line through it: the first line of what comes back. */
function tunnel(gate: OriginGate, host: string, line: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(gate.url);
    const socket = connect(Number(port), hostname);
    let heard = "";
    socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    socket.on("data", (chunk) => {
      heard += chunk;
      if (heard.startsWith("HTTP/1.1 200 OK\r\n\r\n") && heard.length < 30) socket.write(line);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard.replace("HTTP/1.1 200 OK\r\n\r\n", "").split("\r\n")[0] ?? ""));
  });
}

describe("the way out of the browser", () => {
  test("leads to the origins that are allowed, and to no other", async () => {
    const [mine, other] = [await origin("mine"), await origin("other")];
    const gate = await gateTo([mine.origin]);
    expect(await through(gate, `${mine.origin}/a?b`)).toEqual([200, "mine"]);
    expect((await through(gate, `${other.origin}/a`))[0]).toBe(403);
    expect((await through(gate, `${mine.origin.replace("127.0.0.1", "localhost")}/`))[0]).toBe(403);
    expect((await through(gate, "/not/a/whole/address"))[0]).toBe(403);
    expect(mine.asked).toEqual(["GET /a?b"]);
    expect(other.asked).toEqual([]);
  });

  test("tunnels to the hosts and ports of the allowed origins only", async () => {
    const [mine, other] = [await origin("mine"), await origin("other")];
    const gate = await gateTo([mine.origin]);
    const ask = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(await tunnel(gate, mine.origin.slice(7), ask)).toBe("HTTP/1.1 200 OK");
    expect(await tunnel(gate, other.origin.slice(7), ask)).toBe("HTTP/1.1 403 Forbidden");
    expect(await tunnel(gate, "not a host", ask)).toMatch(/^HTTP\/1\.1 40[03]/);
    expect(other.asked).toEqual([]);
  });

  test("closes when more has come in than may: one below, the bound, one above", async () => {
    const { origin: mine } = await origin("x".repeat(100));
    for (const [bytesMax, full] of [
      [99, true],
      [100, false],
      [101, false],
    ] as const) {
      const gate = await gateTo([mine], bytesMax);
      await through(gate, `${mine}/`);
      expect(gate.full).toBe(full);
      if (!full) continue;
      expect(await gate.filled).toBeNull();
      expect((await through(gate, `${mine}/`))[0]).toBe(403);
    }
  });

  test("a server that is not there is an answer, not a crash", async () => {
    const gate = await gateTo(["http://127.0.0.1:9"]);
    expect((await through(gate, "http://127.0.0.1:9/"))[0]).toBe(502);
    expect(await tunnel(gate, "127.0.0.1:9", "x")).toBe("");
  });
});
