/** Runs a script of the tests in a process of its own: with a heap that is its alone, and that can be killed where it hangs. */
import { spawn } from "node:child_process";

/** What such a script prints: a line of JSON now and then, so that whoever waits knows that it lives, and at last its report. */
export type Line<Report> = { readonly done: number } | { readonly report: Report; readonly cpuSeconds: number };

export type Apart<Report> =
  | { readonly ok: true; readonly report: Report; readonly cpuSeconds: number }
  | { readonly ok: false; readonly why: string };

/** One that says nothing for so long, on however busy a machine, hangs. */
const SILENCE_MS = 90_000;

export function apart<Report>(script: string, args: readonly string[]): Promise<Apart<Report>> {
  const flags = ["--expose-gc", "--conditions=signalbox-source", "--no-warnings"];
  const child = spawn(process.execPath, [...flags, script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let last: Apart<Report> | null = null;
    let [done, rest, errors] = [0, "", ""];
    let hangs = false;
    let silence = setTimeout(() => {}, 0);
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        hangs = true;
        child.kill("SIGKILL");
      }, SILENCE_MS);
    };
    listen();
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      listen();
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const line: Line<Report> = JSON.parse(text);
        if ("done" in line) done = line.done;
        else last = { ok: true, ...line };
      }
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(silence);
      const how = hangs ? "hangs" : "broke off";
      resolve(last ?? { ok: false, why: `it ${how} after ${done}: ${errors.slice(-2_000)}` });
    });
  });
}

/** The other side: prints a line. */
export function tell<Report>(line: Line<Report>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Seconds of a processor that this process has had. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
