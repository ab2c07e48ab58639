import { expect, test } from "vitest";
import { printFindings } from "./print-findings.ts";

const message = "the name of this control holds a text that nobody sees, since it stands in front of nothing at all";
const finding = { rule: "hidden_in_name", severity: "warning", where: "cart/button:pay", message } as const;

test.each([
  [60, 32],
  [80, 32],
  [120, 62],
])("at %i columns a finding fits, and its text has %i of them at the least", (columns, least) => {
  let said = "";
  printFindings(
    {
      stdout: { write: (text) => (said += text) },
      stderr: { write: () => {} },
      env: { NO_COLOR: "1" },
      cwd: "/",
      isTty: true,
      columns,
    },
    [finding],
  );
  const lines = said.trimEnd().split("\n");
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns);
  const text = lines
    .map((line) => line.replace("    warning  hidden_in_name", "").trim())
    .filter((line) => line !== "");
  expect(text.join(" ")).toBe(`cart/button:pay: ${message}`);
  expect(Math.max(...text.map((line) => line.length))).toBeGreaterThanOrEqual(least);
});
