import { existsSync, readFileSync, realpathSync, statfsSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";

/** Running processes a core, from which on others take part in what is measured. */
const LOAD_A_CORE_MAX = 0.6;

/** What a measurement was made on, in a line each, since no number of microseconds means anything without it. */
export function machineLines(): readonly string[] {
  const cores = cpus();
  const [load = 0] = loadavg();
  const busy = load > LOAD_A_CORE_MAX * cores.length;
  return [
    `node ${process.version}, ${cores.length} cores (${cores[0]?.model.trim() ?? "unknown"}), load at the start ${load.toFixed(2)}`,
    ...(busy ? ["THE MACHINE IS BUSY with other work: do not trust what is measured in wall time"] : []),
    `databases in ${tmpdir()}, a file system of type ${fileSystemOf(realpathSync(tmpdir()))}`,
  ];
}

/** The type of the file system that a path is on: by its name where the system lists its mounts, else by its magic number. */
function fileSystemOf(path: string): string {
  if (!existsSync("/proc/mounts")) return `0x${statfsSync(path).type.toString(16)}`;
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .map(([, at = "", type = ""]) => ({ at, type }))
    .filter(({ at }) => at === "/" || path === at || path.startsWith(`${at}/`));
  // The innermost mount holds the path; of two at one place the later hides the earlier.
  const innermost = mounts.reduce((best, mount) => (mount.at.length >= best.at.length ? mount : best), {
    at: "",
    type: "",
  });
  return innermost.type === "" ? "unknown" : innermost.type;
}
