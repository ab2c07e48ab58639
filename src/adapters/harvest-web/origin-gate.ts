/**
 * The only way out of the browser: a proxy on loopback that lets through what was allowed and nothing else. It sees every
 * connection, also those that no event of a page tells of: redirects, popups, workers, sockets, prefetching.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export type OriginGate = {
  readonly url: string;
  /** Whether more came in than was allowed: nothing comes any more. */
  readonly full: boolean;
  /** Resolves when that happens. */
  readonly filled: Promise<null>;
  close(): Promise<void>;
};

export type GateOptions = {
  readonly origins: ReadonlySet<string>;
  /** Bytes that may come in, as they are on the wire. */
  readonly bytesMax: number;
};

export async function openGate({ origins, bytesMax }: GateOptions): Promise<OriginGate> {
  const hosts = new Set([...origins].map(hostAndPort));
  const sockets = new Set<Duplex>();
  let bytes = 0;

  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };
  let fill = (_: null): void => {};
  const filled = new Promise<null>((resolve) => {
    fill = resolve;
  });
  const count = (chunk: Uint8Array): void => {
    bytes += chunk.length;
    if (bytes <= bytesMax) return;
    fill(null);
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((request, response) => {
    const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : null;
    if (url === null || url.protocol !== "http:" || !origins.has(url.origin) || bytes > bytesMax) refuse(response);
    else forward(url, request, response, count);
  });
  server.on("connection", keep);
  // What asks for a tunnel says only a host and a port, which is all of an origin that can be said of it.
  server.on("connect", (request: IncomingMessage, inner: Duplex, head: Buffer) => {
    keep(inner);
    const host = request.url ?? "";
    if (!hosts.has(host) || bytes > bytesMax) {
      inner.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${host}`);
    const outer = keep(connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) }));
    outer.on("connect", () => {
      inner.write("HTTP/1.1 200 OK\r\n\r\n");
      outer.write(head);
      outer.on("data", count);
      outer.pipe(inner);
      inner.pipe(outer);
    });
    outer.on("close", () => inner.destroy());
    inner.on("close", () => outer.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    filled,
    get full() {
      return bytes > bytesMax;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `host:port` as a tunnel names it, with the port that an address need not say. */
function hostAndPort(origin: string): string {
  const { hostname, port, protocol } = new URL(origin);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { "content-type": "text/plain" });
  response.end("this origin is not allowed");
}

/** Headers that are about one connection. */
const HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

function forward(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  count: (chunk: Uint8Array) => void,
): void {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP.has(name)));
  const onward = httpRequest(url, { method: request.method ?? "GET", headers, agent: false }, (answer) => {
    const back = Object.fromEntries(
      Object.entries(answer.headers).filter(([name]) => !HOP.has(name) && name !== "transfer-encoding"),
    );
    response.writeHead(answer.statusCode ?? 502, back);
    answer.on("data", count);
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  onward.on("socket", (socket: Socket) => response.on("close", () => socket.destroy()));
  onward.on("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  request.pipe(onward);
}
