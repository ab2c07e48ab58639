#!/usr/bin/env node
/** The executable. Asks for a new enough Node before anything is loaded that needs one. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `signalbox needs Node.js 22.13 or newer, this is ${process.versions.node}: install a newer one; in a project: npm i -D node@24, then npx signalbox …\n`,
  );
  process.exit(2);
}
// What Node says about itself says nothing to an operator and would end up in every log: that its SQLite is experimental,
// that a config would load quicker in a package of another type, and that it failed where the loader then went on.
const UNSAID = ["SQLite is an experimental feature", "Reparsing as ES module", "Failed to load the ES module"];
for (const print of process.listeners("warning")) {
  process.off("warning", print);
  process.on("warning", (warning) => {
    if (!UNSAID.some((part) => warning.message.includes(part))) print.call(process, warning);
  });
}
// A reader who has seen enough (`| head`) must not kill a run between an effect and its record.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
const argv = process.argv.slice(2);
// What a config or a tool prints is not part of the document.
if (argv.includes("--json") || argv.includes("--stream")) {
  const { Console } = await import("node:console");
  globalThis.console = new Console(process.stderr);
}
const { main } = await import("./main.ts");
const { calledAs } = await import("./called-as.ts");
const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The first asks the run to stop at its next step; the second ends the process, and the run can be resumed.
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}
/** Only a person at a terminal is asked anything, and never in CI. */
const asks = process.stdin.isTTY === true && process.stdout.isTTY === true && (process.env.CI ?? "") === "";
/** What was typed before the question stood there answers something else. Raw, so that half a line is taken as well. */
const forgetTyped = (): Promise<"forgotten" | "gone"> =>
  new Promise((resolve) => {
    const { stdin } = process;
    let end: "forgotten" | "gone" = "forgotten";
    const hear = (typed: Buffer): void => {
      if (typed.includes(CTRL_C) || typed.includes(CTRL_D)) end = "gone";
    };
    stdin.setRawMode(true);
    stdin.on("data", hear).resume();
    setTimeout(() => {
      stdin.off("data", hear).pause();
      stdin.setRawMode(false);
      resolve(end);
    }, TYPED_MS);
  });
const [CTRL_C, CTRL_D, TYPED_MS] = [3, 4, 80];
const ask = async (question: string): Promise<string> => {
  if ((await forgetTyped()) === "gone") return "";
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D are answers too: not yes.
  const gone = new Promise<string>((resolve) => {
    lines.on("SIGINT", () => lines.close());
    lines.on("close", () => resolve(""));
  });
  try {
    const answer = await Promise.race([lines.question(question).catch(() => ""), gone]);
    if (answer === "") process.stdout.write("\n");
    return answer;
  } finally {
    lines.close();
  }
};
const exitCode = await main(
  argv,
  {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isTty: process.stdout.isTTY === true,
    isErrorTty: process.stderr.isTTY === true,
    command: calledAs(process.argv[1]),
    ...(asks ? { ask } : {}),
    get columns() {
      return process.stdout.columns;
    },
  },
  controller.signal,
);
// A tool that left a socket or a timer open must not keep the command open. What was printed is let out first.
process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
