/** Who does not harvest pages needs no browser, and who has none is told what to install. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { webHarvester } from "../../src/adapters/harvest-web/index.ts";
import { webSource } from "./pages.ts";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

test("where the packages are not installed a page is refused, and nothing else happens", () => {
  const home = mkdtempSync(join(tmpdir(), "signalbox-"));
  try {
    for (const part of ["domain", "ports", "adapters/harvest-web"]) {
      cpSync(join(SRC, part), join(home, part), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
    }
    writeFileSync(join(home, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(home, "try.ts"),
      `import { webHarvester } from "./adapters/harvest-web/index.ts";
       const source = ${JSON.stringify(webSource("http://127.0.0.1:9/"))};
       console.log(JSON.stringify(await webHarvester(source, { clock: { now: () => 1 } }).harvest()));`,
    );
    const run = spawnSync(process.execPath, ["--no-warnings", join(home, "try.ts")], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(JSON.parse(run.stdout)).toEqual({
      ok: false,
      why: {
        code: "no_browser",
        detail: "the package playwright-core is not installed: npm install playwright-core",
      },
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("a browser that is not there is named", async () => {
  const browser = { executablePath: join(tmpdir(), "no-such-chromium"), sandbox: false };
  const outcome = await webHarvester(webSource("http://127.0.0.1:9/"), { clock: { now: () => 1 }, browser }).harvest();
  expect(outcome.ok ? "" : outcome.why.code).toBe("no_browser");
});
