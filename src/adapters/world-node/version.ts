import { readFileSync } from "node:fs";

/** The package's version, from its own package.json, wherever below it this code was put by the build. */
export const VERSION: string = versionAbove(new URL(".", import.meta.url));

function versionAbove(folder: URL): string {
  const found = read(new URL("package.json", folder));
  if (found !== null) return found;
  const above = new URL("..", folder);
  return above.href === folder.href ? "unknown" : versionAbove(above);
}

function read(file: URL): string | null {
  try {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown; version?: unknown };
    return name === "signalbox" && typeof version === "string" ? version : null;
  } catch {
    // There is none here, or not ours: it lies further up.
    return null;
  }
}
