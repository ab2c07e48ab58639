import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** A run whose model reaches for prototypes, in a Node where they throw, are gone, or are frozen (claim S2). */
test.each([["--disable-proto=throw"], ["--disable-proto=delete"], ["--disable-proto=throw", "--frozen-intrinsics"]])(
  "[json-prototype] a run under %s %s",
  (...flags) => {
    const child = fileURLToPath(new URL("./hardened-child.ts", import.meta.url));
    const args = [...flags.filter((flag) => flag !== undefined), "--no-warnings", child];
    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(
      "forbidden_key unknown_tool answered true true\n",
    );
  },
);
