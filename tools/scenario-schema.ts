/** Writes docs/scenario.schema.json from the form in the code. `node tools/scenario-schema.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import { SCENARIO_SCHEMA } from "../src/runtime/scenario-form.ts";

export const SCENARIO_SCHEMA_FILE = new URL("../docs/scenario.schema.json", import.meta.url);

export function scenarioSchema(): string {
  // Lists of words on one line, as the formatter has them.
  const text = JSON.stringify(SCENARIO_SCHEMA, null, 2);
  return `${text.replace(/\[\n\s+("[^[\]{}]*")\n\s+\]/g, (_, words) => `[${words.replace(/,\n\s+/g, ", ")}]`)}\n`;
}

if (import.meta.main && process.argv.includes("--write")) writeFileSync(SCENARIO_SCHEMA_FILE, scenarioSchema());
