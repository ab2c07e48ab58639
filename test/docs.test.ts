import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CODES_PAGE, codesPage } from "../tools/codes-page.ts";
import { SCENARIO_SCHEMA_FILE, scenarioSchema } from "../tools/scenario-schema.ts";
import { SCORE_PAGE, scorePage } from "../tools/score-page.ts";
import { SERVERS_PAGE, serversPage } from "../tools/servers-page.ts";
import { TRIAL_SCHEMA_FILE, trialSchema } from "../tools/trial-schema.ts";

test("docs/codes.md is what the tables say (npm run docs writes it)", () => {
  expect(readFileSync(CODES_PAGE, "utf8")).toBe(codesPage());
});

test("docs/model-servers.md is what the table of misbehaviours says (npm run docs writes it)", () => {
  expect(readFileSync(SERVERS_PAGE, "utf8")).toBe(serversPage());
});

test("docs/scenario.schema.json is what the form of scenarios says (npm run docs writes it)", () => {
  expect(readFileSync(SCENARIO_SCHEMA_FILE, "utf8")).toBe(scenarioSchema());
});

test("docs/trial.schema.json is what the form of trials says (npm run docs writes it)", () => {
  expect(readFileSync(TRIAL_SCHEMA_FILE, "utf8")).toBe(trialSchema());
});

test("docs/score-1.md is what the numbers, lists and findings of the score say (npm run docs writes it)", () => {
  expect(readFileSync(SCORE_PAGE, "utf8")).toBe(scorePage());
});
