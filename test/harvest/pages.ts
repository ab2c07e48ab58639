/** Pages on loopback, and whether there is a browser to look at them with. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { webHarvesters } from "../../src/adapters/harvest-web/index.ts";
import type { WebSource } from "../../src/domain/harvest-source.ts";

export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

export type Pages = {
  /** `http://127.0.0.1:1234` */
  readonly origin: string;
  /** Paths that were asked for, in order. Connections that say nothing count as `connection`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
};

/** A server of pages by their paths. A page without a doctype gets one, so that it is a page of today. */
export async function servePages(pages: Readonly<Record<string, Answer>>): Promise<Pages> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const answer = pages[path.split("?")[0] ?? ""];
    if (answer === undefined) response.writeHead(404).end("nothing is here");
    else if (typeof answer === "function") answer(request, response);
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(answer);
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.destroy();
  });
  server.on("upgrade", (request, socket) => {
    asked.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function webSource(url: string, more: Partial<WebSource> = {}): WebSource {
  return { app: null, url, first: "start", paths: [], leaveOut: [], allowOrigins: [], ...more };
}

/** Why no page can be looked at here, or null. */
export async function noBrowser(): Promise<string | null> {
  const pages = await servePages({ "/": "<!doctype html><button>Save</button>" });
  const harvesters = webHarvesters({ clock: { now: () => 1 } });
  try {
    const outcome = await harvesters.harvester(webSource(`${pages.origin}/`)).harvest();
    if (outcome.ok) return null;
    if (outcome.why.code === "no_browser") return outcome.why.detail;
    throw new Error(`a page with one button: ${outcome.why.code}, ${outcome.why.detail}`);
  } finally {
    await harvesters.close();
    await pages.close();
  }
}
