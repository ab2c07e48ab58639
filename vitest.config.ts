import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import ClosingLine from "./tools/closing-line.ts";

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // What a user imports by name is the source here, as under `node --conditions=signalbox-source`.
  resolve: {
    alias: [
      { find: /^signalbox$/, replacement: source("./src/index.ts") },
      { find: /^signalbox\/testing$/, replacement: source("./src/testing/index.ts") },
      { find: /^signalbox\/ai-sdk$/, replacement: source("./src/adapters/model-ai-sdk/index.ts") },
      { find: /^signalbox\/otel$/, replacement: source("./src/adapters/otel/index.ts") },
      { find: /^signalbox\/cli$/, replacement: source("./src/apps/cli/index.ts") },
    ],
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    // Processes rather than threads: tests kill children, look at signals and must not share prototypes.
    pool: "forks",
    // What a test imports past vite, by a configuration file that it loads, resolves to the source as well.
    execArgv: ["--conditions=signalbox-source"],
    // One on each core: most files keep one busy, and what waits for children leaves it to another.
    maxWorkers: "100%",
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ["default", new ClosingLine()],
  },
});
