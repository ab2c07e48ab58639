import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { DOORS } from "./house.ts";

/**
 * Makes one file of the house at `src`, for processes that are born only to die: sixty modules take three times as long
 * to load as one. zod is left out, since the scenario's schemas do without it.
 */
export async function bundle(src: string, to: string): Promise<string> {
  const doors = Object.entries(DOORS).map(
    ([name, path]) => `import * as ${name} from ${JSON.stringify(join(src, path))}; export { ${name} };`,
  );
  const virtual = new Map([
    ["\0house", doors.join("\n")],
    ["\0zod", "export const z = null;"],
  ]);
  const plugin = {
    name: "house",
    enforce: "pre" as const,
    resolveId: (id: string) => (virtual.has(`\0${id}`) ? `\0${id}` : null),
    load: (id: string) => virtual.get(id) ?? null,
  };
  const built = await build({
    configFile: false,
    root: src,
    publicDir: false,
    logLevel: "error",
    plugins: [plugin],
    // The file lies where no package is found.
    ssr: { noExternal: true },
    build: { ssr: true, write: false, minify: false, target: "node24", rollupOptions: { input: "house" } },
  });
  const output = Array.isArray(built) ? built[0] : built;
  const chunk = output !== undefined && "output" in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error(`vite made nothing of ${src}`);
  writeFileSync(to, chunk.code);
  return to;
}
