import { sep } from "node:path";

/**
 * How a person calls this executable, for the commands that it suggests. `script`: the second of the process's arguments.
 * What npx, a package's script or a person starts from a project's own `node_modules/.bin` is in no PATH of theirs, so it
 * is `npx signalbox` there; elsewhere it was found by its name.
 */
export function calledAs(script: string | undefined, separator: string = sep): string {
  const folders = (script ?? "").split(separator);
  const within = folders.lastIndexOf("node_modules");
  return within !== -1 && folders[within + 1] === ".bin" ? "npx signalbox" : "signalbox";
}
