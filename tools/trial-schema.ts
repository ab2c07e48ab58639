/** Writes docs/trial.schema.json from the form in the code. `node tools/trial-schema.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import { TRIAL_SCHEMA } from "../src/runtime/trials/trial-form.ts";
import { schemaText } from "./scenario-schema.ts";

export const TRIAL_SCHEMA_FILE = new URL("../docs/trial.schema.json", import.meta.url);

export function trialSchema(): string {
  return schemaText(TRIAL_SCHEMA);
}

if (import.meta.main && process.argv.includes("--write")) writeFileSync(TRIAL_SCHEMA_FILE, trialSchema());
