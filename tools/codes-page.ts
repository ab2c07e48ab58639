/** Writes docs/codes.md from the tables in the code. `node tools/codes-page.ts --write`; a test checks that it is fresh. */
import { writeFileSync } from "node:fs";
import { DENIAL_CODES } from "../src/domain/denial.ts";
import { ENDINGS } from "../src/domain/ending.ts";

export function codesPage(): string {
  const endings = Object.entries(ENDINGS).map(
    ([name, ending]) => `| \`${name}\` | ${ending.exitCode} | ${ending.continuable ? "yes" : ""} | ${ending.trigger} |`,
  );
  const denials = Object.entries(DENIAL_CODES).map(
    ([code, { rail, retryable, when }]) =>
      `| \`${code}\` | ${rail.replace("_", " ")} | ${retryable ? "yes" : ""} | ${when} |`,
  );
  return `# Endings and codes

Generated from \`src/domain/ending.ts\` and \`src/domain/denial.ts\` by \`npm run docs\`. Do not edit.

## Endings

No run ends without one, and none but \`answered\` and \`retrieved\` exits 0. Continuable: \`signalbox continue RUN\` lets it go on
with fresh budgets.

| ending | exit code | continuable | when |
| --- | --- | --- | --- |
${endings.join("\n")}

## Denial codes

A tool adds its own through \`denials\`; those belong to the action rail. Retryable: the world was at fault, not the proposal.

| code | rail | retryable | when |
| --- | --- | --- | --- |
${denials.join("\n")}
`;
}

export const CODES_PAGE = new URL("../docs/codes.md", import.meta.url);

if (process.argv.includes("--write")) writeFileSync(CODES_PAGE, codesPage());
