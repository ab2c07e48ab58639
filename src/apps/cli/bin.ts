#!/usr/bin/env node
/** The executable. Asks for a new enough Node before anything is loaded that needs one. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `signalbox needs Node.js 22.13 or newer, this is ${process.versions.node}: install a newer one, or run it through an npm script that has the "node" package beside it\n`,
  );
  process.exit(2);
}
// Node prints a warning for its built-in SQLite; it says nothing to an operator and would end up in every log.
const { emitWarning } = process;
process.emitWarning = ((warning: string | Error, ...rest: []) => {
  if (!String(warning).includes("SQLite is an experimental feature")) emitWarning.call(process, warning, ...rest);
}) as typeof process.emitWarning;
const { main } = await import("./main.ts");
const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The first asks the run to stop at its next step; the second ends the process, and the run can be resumed.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}
process.exitCode = await main(
  process.argv.slice(2),
  {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isTty: process.stdout.isTTY === true,
    columns: process.stdout.columns,
  },
  controller.signal,
);
