import { readFileSync } from "node:fs";

/** The package's version. The same relative place in src and in dist. */
export const VERSION: string = (() => {
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version?: unknown };
  return typeof version === "string" ? version : "0.0.0";
})();
