/** Writes docs/scenario.schema.json from the form in the code. `node tools/scenario-schema.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import type { JsonObject } from "../src/domain/json.ts";
import { SCENARIO_SCHEMA } from "../src/runtime/scenario-form.ts";

export const SCENARIO_SCHEMA_FILE = new URL("../docs/scenario.schema.json", import.meta.url);

export function scenarioSchema(): string {
  return schemaText(SCENARIO_SCHEMA);
}

/** As the formatter has it: a list of words stands on one line where it fits. */
export function schemaText(schema: JsonObject): string {
  const text = JSON.stringify(schema, null, 2);
  const onOneLine = text.replace(/^(.*)\[\n\s+("[^[\]{}]*")\n\s+\](,?)$/gm, (whole, before, words, after) => {
    const line = `${before}[${words.replace(/,\n\s+/g, ", ")}]${after}`;
    return line.length <= LINE_COLUMNS ? line : whole;
  });
  return `${onOneLine}\n`;
}

const LINE_COLUMNS = 120;

if (import.meta.main && process.argv.includes("--write")) writeFileSync(SCENARIO_SCHEMA_FILE, scenarioSchema());
