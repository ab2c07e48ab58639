import { isZone } from "../domain/dates.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { Parsed } from "../domain/parsed.ts";
import { SCENARIO, type Scenario, SIMULATED_OUTCOMES } from "../domain/scenario.ts";
import { DOCUMENT_LIMITS, parseDocument, readDocument } from "./document.ts";
import {
  anyObject,
  anything,
  either,
  exactlyOne,
  type Form,
  ID,
  left,
  list,
  NAME,
  needed,
  object,
  oneOf,
  TEXT_MAX,
  text,
  turned,
  whole,
} from "./form.ts";

const ITEMS_MAX = 10_000;

const PATHS = either(list(text(512), 0, 256), oneOf("all"));

const INSTANT = text(40, {
  source: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?(?:Z|[+-]\\d{2}:\\d{2})$",
  what: "an instant such as 2026-11-30T10:00:00Z, or milliseconds since 1970",
});
/** The end of the year 9999: dates have four digits for the year, and calendars go on a little behind it. */
const MOMENT_MAX = 253_402_300_799_999;
const MOMENT = turned(
  either(INSTANT, whole(MOMENT_MAX)),
  (value) => (typeof value === "number" ? value : instantOf(value)),
  "is no instant of the calendar from 1970 on",
);

function instantOf(written: string): number | null {
  const at = Date.parse(written);
  // Date.parse takes the 30th of February for a day in March.
  const day = written.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isDay && Number.isSafeInteger(at) && at >= 0 && at <= MOMENT_MAX ? at : null;
}

const RESULT = object({
  tool: needed(NAME, "The tool that gave it."),
  params: left(
    anyObject(),
    null,
    "What it was called with: what the result repeats of it is no more trusted than it was.",
  ),
  result: needed(anything(), "What it gave, as JSON."),
  outcome: left(
    oneOf("done", "failed", "outcome_unknown"),
    "done" as const,
    "In `steps`: how the newest permitted proposal for this tool came out. A failed one gives back what it reserved.",
  ),
  untrusted: left(
    PATHS,
    [] as readonly string[],
    'Output fields that an attacker can write, such as "[].memo", or "all". It only tightens what the tool declares as trusted.',
  ),
});

const RECORD = object({
  tool: needed(NAME, "The tool whose record it is."),
  params: left(anyObject(), {} as JsonObject, "It is the record of proposals whose params hold these values."),
  record: needed(anything(), "The FactRecord, as the tool's `record` would give it; null where there is none."),
});

const EXPECT = object({
  outcome: needed(oneOf(...SIMULATED_OUTCOMES), "The verdict that is right."),
  code: left(NAME, null, "The code of the denial."),
  rule: left(NAME, null, "The rule that decides."),
  role: left(NAME, null, "The role that may approve."),
});

const PROPOSAL = object({
  tool: needed(text(256), "The tool that is proposed. One that there is not is a verdict, no fault of the scenario."),
  params: needed(anything(), "The params as a model would say them."),
  evidence: left(list(text(TEXT_MAX), 0, 1_000), [] as readonly string[], "The ids that it cites."),
  expect: left(EXPECT, null, "What the verdict has to be, so that a corpus is a test."),
});

const PRINCIPAL = either(
  turned(ID, (id) => ({ id, tools: null, attributes: null }), ""),
  object({
    id: needed(ID, "On whose authority the proposals are made."),
    tools: left(
      either(list(NAME, 0, ITEMS_MAX), oneOf("all")),
      null,
      "What it may use. Left out: what the config says.",
    ),
    attributes: left(anyObject(), null, "Facts about it that policies read. Left out: what the config says."),
  }),
);

const STEP = exactlyOne({
  proposal: PROPOSAL,
  result: RESULT,
  record: RECORD,
  request: text(TEXT_MAX),
  now: MOMENT,
});

const DOCUMENT = object({
  $schema: left(text(1_024), null, "Where an editor finds this schema."),
  schema: needed(oneOf(SCENARIO), "The version of the format."),
  name: left(NAME, null, "What it is called in reports."),
  description: left(text(TEXT_MAX), null, "For whoever reads it."),
  principal: needed(
    PRINCIPAL,
    "On whose authority the proposals are made: an id of the config, or a principal as such.",
  ),
  customer: left(ID, null, "Whom it is about."),
  now: needed(MOMENT, "The moment of the first step."),
  zone: left(
    turned(NAME, (zone) => (isZone(zone) ? zone : null), "is not an IANA time zone such as Europe/Zurich"),
    null,
    "The IANA zone of `today`. Left out: the config's.",
  ),
  requests: needed(
    list(text(TEXT_MAX), 1, 1_000),
    "What the operator said in this thread, oldest first. The last one is the request of the run that proposes.",
  ),
  results: left(list(RESULT, 0, ITEMS_MAX), [], "What tools gave before the first step."),
  records: left(list(RECORD, 0, ITEMS_MAX), [], "The facts that the system would load, so that no service is called."),
  caps: left(
    list(
      object({
        cap: needed(NAME, "The name of a cap of the config."),
        key: left(text(1_024), "all", "The key that splits it."),
        used: needed(whole(), "What others hold of it, in its unit, in every window."),
      }),
      0,
      ITEMS_MAX,
    ),
    [],
    "What others hold of the caps.",
  ),
  steps: needed(list(STEP, 1, ITEMS_MAX), "What happens, in order. A proposal sees what stands before it."),
});

const FORM: Form<Scenario> = turned(DOCUMENT, ({ $schema, schema, description, ...scenario }) => scenario, "");

/** The format as JSON Schema (draft 2020-12): docs/scenario.schema.json is this. */
export const SCENARIO_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Signalbox scenario",
  description: "A situation and the proposals to be judged in it, for `signalbox simulate`. See scenarios.md.",
  ...DOCUMENT.schema,
};

/**
 * Reads a scenario. `not_json` and its like name the line and column, `bad_scenario` each fault's place, one a line.
 * A time zone or an instant that no calendar has is refused here and not by the JSON Schema, which cannot say it.
 */
export function parseScenario(written: string): Parsed<Scenario> {
  return parseDocument(FORM, written, DOCUMENT_LIMITS, "bad_scenario");
}

/** The same for a document that has been read as JSON. */
export function readScenario(document: Json): Parsed<Scenario> {
  return readDocument(FORM, document, "bad_scenario");
}
