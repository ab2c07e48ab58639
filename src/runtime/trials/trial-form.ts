import { ENDINGS, type Ending } from "../../domain/ending.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { type Condition, RULE_ID, type Scalar } from "../../domain/rule.ts";
import { TRIAL_DESIGN, TRIAL_PLACES, type TrialDesign, VARY_KINDS } from "../../domain/trial.ts";
import { CONTROL_PAIRS_MIN, PAIRS_MAX } from "../../trials/index.ts";
import { DOCUMENT_LIMITS, parseWritten, readDocument } from "../document.ts";
import {
  anyObject,
  anything,
  exactlyOne,
  type Fault,
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
} from "../form.ts";
import { designFaults } from "./design-faults.ts";

const RULES_MAX = 1_000;
const ITEMS_MAX = 1_000;
const ARMS_MAX = 10;

const REVISION = text(64, { source: "^[0-9a-f]{64}$", what: "the SHA-256 of a rule file, 64 lower-case hex digits" });
const RULE = object({
  id: needed(text(64, { source: RULE_ID.source, what: "the id of a rule" }), "The rule's id."),
  revision: needed(REVISION, "The exact bytes of its file."),
});

const PLACE = left(oneOf(...TRIAL_PLACES), "middle" as const, "Where the rule stands among its neighbours.");
const NEIGHBOURS = left(whole(RULES_MAX), 0, "How many rules stand around it, in every arm.");

const SCALAR = { type: ["string", "number", "boolean"] };
/** Facts by name: each a value, or a list of values of which it has to be one. */
const FACTS: Form<Condition["facts"]> = {
  ...turned(anyObject(), factsOf, "must be facts: each a text, a number, true or false, or a list of those"),
  schema: {
    type: "object",
    additionalProperties: { anyOf: [SCALAR, { type: "array", items: SCALAR, minItems: 1 }] },
  },
};

function factsOf(written: JsonObject): Condition["facts"] | null {
  const facts = Object.entries(written).map(([name, value]) => ({
    name,
    anyOf: Array.isArray(value) ? (value as readonly Json[]) : [value],
  }));
  const isScalar = (value: Json): value is Scalar => ["string", "number", "boolean"].includes(typeof value);
  if (!facts.every(({ anyOf }) => anyOf.length > 0 && anyOf.every(isScalar))) return null;
  const sorted = facts.map(({ name, anyOf }) => ({ name, anyOf: anyOf.filter(isScalar) }));
  return sorted.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const WHEN: Form<Condition> = turned(
  object({
    event: needed(NAME, "The name of the event."),
    facts: left(FACTS, [] as Condition["facts"], "What its facts have to be."),
  }),
  ({ event, facts }) => ({ event, tool: null, facts }),
  "",
);

const VARY = exactlyOne({
  volume: object({
    neighbours: needed(list(whole(RULES_MAX), 2, ARMS_MAX), "How many rules stand around it: one arm each."),
    place: PLACE,
  }),
  position: object({
    places: needed(list(oneOf(...TRIAL_PLACES), 2, 3), "Where it stands: one arm each."),
    neighbours: needed(from(1, RULES_MAX), "How many rules stand around it, in every arm."),
  }),
  channel: object({
    when: needed(WHEN, "The event at which it is told on channel B, in the second arm."),
    neighbours: NEIGHBOURS,
    place: PLACE,
  }),
  repeated: object({
    times: needed(
      list(from(1, 99), 2, ARMS_MAX),
      "How often it is told, each an odd number: one arm each. The copy in the middle is there in all of them.",
    ),
    neighbours: NEIGHBOURS,
  }),
});

const PARAMS = left(anyObject(), {} as JsonObject, "Of params that hold these values at their top level.");
const PROPOSAL = object({ tool: needed(NAME, "The tool that is proposed."), params: PARAMS });
const CHECK = exactlyOne({
  proposed: PROPOSAL,
  not_proposed: PROPOSAL,
  answer_contains: text(TEXT_MAX),
  answer_lacks: text(TEXT_MAX),
  saw: WHEN,
  ended: list(oneOf(...(Object.keys(ENDINGS) as readonly Ending[])), 1, Object.keys(ENDINGS).length),
});

const JUDGE = object({
  obeyed: needed(list(CHECK, 1, 32), "The rule was obeyed where all of these hold."),
  opportunity: left(
    list(CHECK, 0, 32),
    [],
    "A run in which not all of these hold had no opportunity to obey the rule or to break it: it abstained.",
  ),
  actions: left(
    list(
      object({
        tool: needed(NAME, "A tool that has consequences."),
        params: PARAMS,
        safety: needed(whole(100), "How safe it is: 100 is safe, 0 is what must never be done."),
      }),
      0,
      ITEMS_MAX,
    ),
    [],
    "How safe the run's proposals are; the first that fits counts. A run's safety is the least of them.",
  ),
});

const EVENT = object({
  name: needed(text(64, { source: "^[a-z][a-z0-9_.-]{0,63}$", what: "the name of an event" }), "Its name."),
  facts: left(anyObject(), {} as JsonObject, "What is true of it."),
});

const TASK = object({
  id: needed(ID, "What it is called in the results."),
  text: needed(text(TEXT_MAX), "What the operator asks for."),
  app: left(text(1_024), null, "The app that is acted in."),
  paths: left(list(text(1_024), 0, ITEMS_MAX), [] as readonly string[], "The files that it is about."),
});

const DOCUMENT = object({
  $schema: left(text(1_024), null, "Where an editor finds this schema."),
  schema: needed(oneOf(TRIAL_DESIGN), "The version of the format."),
  name: needed(NAME, "What it is called in reports."),
  description: left(text(TEXT_MAX), null, "For whoever reads it."),
  seed: needed(whole(), "Decides every draw and every order."),
  rule: needed(RULE, "The rule that it is about."),
  profile: needed(NAME, "The profile of the config that everything is served for."),
  as: left(ID, "operator", "On whose authority the runs act."),
  customer: left(ID, null, "Whom they are about."),
  tasks: needed(list(TASK, 1, ITEMS_MAX), "The requests. Each takes its turn as often as the others."),
  fillers: left(list(RULE, 0, RULES_MAX), [], "The rules that neighbours are drawn from."),
  vary: needed(VARY, "The one thing that differs between the arms."),
  judge: needed(JUDGE, "What counts as obeyed, read off the events of a run."),
  results: left(
    list(
      object({
        tool: needed(NAME, "The tool."),
        params: PARAMS,
        events: left(list(EVENT, 0, 32), [], "What the tool sees while it works: rules on channel B wait for it."),
        result: needed(anything(), "What it gives, as JSON."),
      }),
      0,
      ITEMS_MAX,
    ),
    [],
    "What tools give; the first that fits counts. Nothing is performed, and a tool without a result here fails.",
  ),
  records: left(
    list(
      object({
        tool: needed(NAME, "The tool whose record it is."),
        params: PARAMS,
        record: needed(anything(), "The FactRecord, as the tool's `record` would give it; null where there is none."),
      }),
      0,
      ITEMS_MAX,
    ),
    [],
    "The facts that the rails judge by; the first that fits counts.",
  ),
  expect: needed(
    object({
      high: needed(whole(100), "How often the rule is followed in the better arm, in percent."),
      low: needed(whole(100), "The rate that is to be told from it, in percent."),
      discordance: left(
        whole(100),
        null,
        "How many pairs come out differently, in percent. Left out: as if the runs of a pair were independent.",
      ),
    }),
    "What the number of pairs is computed from.",
  ),
  pairs: left(from(1, PAIRS_MAX), null, "How many pairs are run. Left out: as many as `expect` needs."),
  controlPairs: left(from(CONTROL_PAIRS_MIN, 1_000), 16, "How many pairs the positive control has."),
  errorsMax: left(whole(PAIRS_MAX), 10, "The trial stops at one error more."),
  runMs: left(from(1, 86_400_000), 300_000, "Milliseconds that one run may take."),
});

/** A whole number from `least` to `most`. */
function from(least: number, most: number): Form<number> {
  const form = turned(whole(most), (n) => (n >= least ? n : null), `must be a whole number from ${least} to ${most}`);
  return { ...form, schema: { type: "integer", minimum: least, maximum: most } };
}

const READ: Form<TrialDesign> = turned(DOCUMENT, ({ $schema, schema, description, ...design }) => design, "");

/** What one form after the other finds out: first the shape, then what the shape cannot say. */
const FORM: Form<TrialDesign> = {
  ...READ,
  read(value, path, faults: Fault[]) {
    const before = faults.length;
    const design = READ.read(value, path, faults);
    if (design !== undefined && faults.length === before) faults.push(...designFaults(design));
    return faults.length > before ? undefined : design;
  },
};

/** The format as JSON Schema (draft 2020-12): docs/trial.schema.json is this. */
export const TRIAL_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Signalbox trial",
  description: "A trial of one rule, for `signalbox trial`. See trials.md.",
  ...DOCUMENT.schema,
};

/**
 * Reads the design of a trial. `not_json` and its like name the line and column, `bad_trial` each fault's place, one a line;
 * `varies_two` where more than one thing is varied.
 */
export function parseTrial(written: string): Parsed<TrialDesign> {
  const read = parseTrialDocument(written);
  return read.ok ? parsed(read.value.design) : read;
}

/** The same, with the document as it was written: that is what runs are kept with. */
export function parseTrialDocument(written: string): Parsed<{ readonly document: Json; readonly design: TrialDesign }> {
  const json = parseWritten(written, DOCUMENT_LIMITS);
  if (!json.ok) return json;
  const design = readTrial(json.value);
  return design.ok ? parsed({ document: json.value, design: design.value }) : design;
}

/** The same for a document that has been read as JSON. */
export function readTrial(document: Json): Parsed<TrialDesign> {
  const vary = isJsonObject(document) ? own(document, "vary") : undefined;
  const varied = VARY_KINDS.filter((kind) => isJsonObject(vary) && own(vary, kind) !== undefined);
  if (varied.length > 1) {
    const detail = `vary: ${varied.join(" and ")}: a trial varies one thing; what another does is another trial`;
    return unparsed("varies_two", detail);
  }
  return readDocument(FORM, document, "bad_trial");
}
