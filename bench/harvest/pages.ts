/** The public pages, each harvested in a real browser from a server on loopback. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { webHarvesters } from "../../src/adapters/harvest-web/index.ts";
import { type HarvestData, nameOf } from "./data.ts";

export type PageFigure = {
  readonly pages: number;
  readonly refused: number;
  readonly controls: number;
  readonly reference: number;
  readonly clickable: number;
  readonly referenceClickable: number;
  /** Texts of the reference that the map of the page does not have. */
  readonly textsMissing: number;
  readonly millis: number;
};

/** The instruction's element, which is no part of the interface. */
const INSTRUCTION = "query";

/** Null where there is no browser, with the reason. */
export async function harvestPages({ folder, maps, reference }: HarvestData): Promise<PageFigure | string> {
  const pages = maps.filter(({ format }) => format === "miniwob-html");
  const files = new Map(pages.map(({ name, file }) => [`/${name}`, join(folder, file)]));
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const harvesters = webHarvesters({ clock: { now: () => 0 } });
  const sum = { pages: 0, refused: 0, controls: 0, reference: 0, clickable: 0, referenceClickable: 0, textsMissing: 0 };
  const began = performance.now();
  try {
    for (const path of files.keys()) {
      const url = `http://127.0.0.1:${port}${path}`;
      const source = { app: null, url, first: "start", paths: [], leaveOut: [INSTRUCTION], allowOrigins: [] };
      const outcome = await harvesters.harvester(source).harvest();
      if (!outcome.ok && outcome.why.code === "no_browser") return outcome.why.detail;
      const controls = outcome.ok ? outcome.value.map.controls : [];
      const theirs = reference.get(path.slice(1)) ?? [];
      const said = squeezed(
        controls.map(({ text, value, childText }) => [text, value, ...childText].join("")).join(""),
      );
      sum.pages += 1;
      sum.refused += outcome.ok ? 0 : 1;
      sum.controls += controls.length;
      sum.reference += theirs.length;
      sum.clickable += controls.filter(({ clickable }) => clickable).length;
      sum.referenceClickable += theirs.filter(({ clickable }) => clickable).length;
      sum.textsMissing += theirs.filter((control) => !said.includes(squeezed(nameOf(control)))).length;
    }
    return { ...sum, millis: performance.now() - began };
  } finally {
    await harvesters.close();
    server.closeAllConnections();
    server.close();
  }
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
