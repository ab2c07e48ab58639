import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CODES_PAGE, codesPage } from "../tools/codes-page.ts";
import { SERVERS_PAGE, serversPage } from "../tools/servers-page.ts";

test("docs/codes.md is what the tables say (npm run docs writes it)", () => {
  expect(readFileSync(CODES_PAGE, "utf8")).toBe(codesPage());
});

test("docs/model-servers.md is what the table of misbehaviours says (npm run docs writes it)", () => {
  expect(readFileSync(SERVERS_PAGE, "utf8")).toBe(serversPage());
});
