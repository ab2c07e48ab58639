/** A harvest that the person at the terminal stops. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, folder } from "../e2e/stage.ts";
import { noBrowser, servePages } from "./pages.ts";

const WHY_NOT = await noBrowser();

describe.skipIf(WHY_NOT !== null)("Ctrl-C while a page is looked at", () => {
  test("ends it as stopped, in one line and at once, with no map; until then the terminal says what it does", async () => {
    const cwd = folder();
    const stop = new AbortController();
    let said = "";
    const pages = await servePages({ "/": () => stop.abort() });
    try {
      const outcome = await cli(cwd, ["harvest", "web", `${pages.origin}/`, "--name", "shop", "--no-sandbox"], {
        isTty: true,
        env: { NO_COLOR: "1" },
        columns: 80,
        signal: stop.signal,
        onWrite: (text) => {
          said += text;
        },
      });
      expect([outcome.code, outcome.stderr]).toEqual([130, "signalbox: cancelled: stopped, and no map was written\n"]);
      const [before, first, ...rest] = said.split("\r\u001b[K");
      expect([before, first, rest.at(-1)]).toEqual(["", "looking at 1 screen", ""]);
      expect(existsSync(join(cwd, "maps"))).toBe(false);
    } finally {
      await pages.close();
    }
  });
});
