/**
 * A vitest reporter for machines: a line for each skipped test, and as the very last line of the process
 * `N passed, N failed` or `N passed, N failed, N skipped`, in plain text and alone on its line.
 */
import { writeSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

/** How a run went. What neither passed nor was skipped has failed: a test that never ended, a file that never loaded. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

export default class ClosingLine implements Reporter {
  #tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  #registered = false;

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests("skipped")])) say(skippedLine(test));
    this.#tally = tallied(modules, unhandledErrors.length);
    // Other reporters and vitest itself print after this point, so the closing line waits for the end of the process.
    if (!this.#registered) process.once("exit", () => say(closingLine(this.#tally)));
    this.#registered = true;
  }
}

/** Counts tests. A file that did not load, a suite that was not set up and an error outside of tests each fail once. */
export function tallied(modules: readonly TestModule[], unhandledErrors: number): Tally {
  let [passed, failed, skipped] = [0, unhandledErrors, 0];
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    for (const test of tests) {
      const { state } = test.result();
      if (state === "passed") passed += 1;
      else if (state === "skipped") skipped += 1;
      else failed += 1;
    }
    const broken = [module, ...module.children.allSuites()].filter((suite) => hasErrors(suite)).length;
    failed += broken;
    if (broken === 0 && tests.length === 0 && module.state() !== "skipped" && module.state() !== "passed") failed += 1;
  }
  return { passed, failed, skipped };
}

function hasErrors(suite: TestModule | TestSuite): boolean {
  return suite.errors().length > 0;
}

export function closingLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}

function skippedLine(test: TestCase): string {
  const result = test.result();
  const reason = result.state === "skipped" ? result.note : undefined;
  const line = `skipped: ${test.fullName}${reason === undefined ? "" : ` (${reason})`}`;
  return line.replace(/\s*[\r\n]+\s*/g, " ");
}

/** Writes a line to standard output at once. A pipe whose reader is slow says EAGAIN, and then the line waits for it. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
