import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FOREIGN_BYTES_MAX, IMPORT_FINDINGS, IMPORT_REFUSALS } from "../../src/domain/imported.ts";
import { DEFAULT_PROFILE } from "../../src/domain/profile.ts";
import { SECTIONS_MAX } from "../../src/guides/import/drafts.ts";

const page = readFileSync(new URL("../../docs/importing.md", import.meta.url), "utf8");

test("docs/importing.md names every finding with its severity, every refusal and every bound", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  for (const [code, severity] of Object.entries(IMPORT_FINDINGS)) {
    const row = rows.find((line) => line.split("|")[1]?.includes(`\`${code}\``));
    expect(row?.split("|")[2]?.trim(), code).toBe(severity);
  }
  for (const code of IMPORT_REFUSALS) expect(page).toContain(`(\`${code}\``);
  for (const bound of [FOREIGN_BYTES_MAX, SECTIONS_MAX, DEFAULT_PROFILE.budgetBytes]) {
    expect(page).toContain(bound.toLocaleString("en"));
  }
});
