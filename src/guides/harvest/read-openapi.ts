/**
 * OpenAPI documents (3.0, 3.1, and Swagger 2.0), as JSON or YAML. Each operation is a control, and so is each of its
 * parameters and each field of its body, right behind it. Only references inside the document are followed; what leads out of it
 * refuses the document, since half of an operation is not an operation.
 */
import type { Harvested } from "../../domain/control-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { ECHO_MAX, quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { addField, type FieldOwner } from "./add-field.ts";
import { readJsonDocument } from "./json-document.ts";
import { readYaml } from "./read-yaml.ts";
import { Gathering, type Reading } from "./reading.ts";
import { Looks, SchemaDocument, schemaFields, textOf } from "./schema-fields.ts";
import { writtenJson } from "./written-json.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

type Fault = ReturnType<typeof unparsed>;

export function readOpenapi(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const json = readDocument(reading.text, limits);
  if (!json.ok) return json;
  const root = json.value;
  const paths = isJsonObject(root) ? own(root, "paths") : undefined;
  const version = isJsonObject(root) ? versionOf(root) : null;
  if (!isJsonObject(root) || version === null || !isJsonObject(paths)) {
    return unparsed("not_openapi", "a document has `openapi` (or `swagger`), `info` and `paths`");
  }
  if (!VERSION.test(version)) {
    return unparsed("not_openapi", `${quoted(version)} is not read: OpenAPI 3.0 and 3.1 are, and Swagger 2.0`);
  }
  const gathering = new Gathering(reading, limits);
  const document = new SchemaDocument(root, new Looks(), limits, (rule, what) => gathering.note(rule, what));
  for (const [path, item] of Object.entries(paths)) {
    const fault = addPath(path, item, document, gathering);
    if (fault !== null) return fault;
    if (gathering.full) break;
  }
  const info = own(root, "info");
  const title = isJsonObject(info) ? textOf(own(info, "title")) : "";
  return gathering.draw(reading, "openapi", { title, where: serverOf(root) }, limits);
}

/** The versions that are read. YAML makes a number of one without quotation marks: 3.0 is 3 then. */
const VERSION = /^(?:openapi 3(?:\.[01](?:\.\d+)?(?:-[\w.]+)?)?|swagger 2(?:\.0)?)$/;

/** What a document says that it is, as `openapi 3.1.0`; null where it says nothing. */
function versionOf(root: JsonObject): string | null {
  const name = own(root, "openapi") === undefined ? "swagger" : "openapi";
  const version = own(root, name);
  return version === undefined
    ? null
    : `${name} ${typeof version === "string" ? version : writtenJson(version, ECHO_MAX)}`;
}

function readDocument(text: string, limits: MapLimits): Parsed<Json> {
  const even = text.replace(/^\ufeff/, "");
  return /^\s*\{/.test(even) ? readJsonDocument(even, limits) : readYaml(even, { aliases: true, texts: false }, limits);
}

/** Where the interface is, as far as the document says it; without a name, a password or a query that stands in the address. */
function serverOf(root: JsonObject): string {
  const servers = own(root, "servers");
  const [first] = Array.isArray(servers) ? servers : [];
  const url = isJsonObject(first) ? textOf(own(first, "url")) : textOf(own(root, "basePath"));
  const place = url.slice(0, URL_UNITS_MAX).replace(/[?#].*$/s, "");
  return place.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, "$1//");
}

const URL_UNITS_MAX = 4_096;

function addPath(path: string, json: Json, document: SchemaDocument, gathering: Gathering): Fault | null {
  const item = document.meant(json);
  if (!item.ok) return item;
  if (!isJsonObject(item.value)) return null;
  const shared = listOf(own(item.value, "parameters"));
  for (const method of METHODS) {
    const operation = own(item.value, method);
    if (!isJsonObject(operation) || gathering.full) continue;
    const fault = addOperation(`${method.toUpperCase()} ${path}`, operation, shared, document, gathering);
    if (fault !== null) return fault;
  }
  return null;
}

function addOperation(
  call: string,
  operation: JsonObject,
  shared: readonly Json[],
  document: SchemaDocument,
  gathering: Gathering,
): Fault | null {
  const name = textOf(own(operation, "operationId"));
  const id = name || call;
  const summary = textOf(own(operation, "summary"));
  if (gathering.leavesOut(id, call, summary)) return null;
  const at = gathering.add({
    id,
    role: "operation",
    text: summary || name || call,
    desc: textOf(own(operation, "description")),
    childText: summary === "" && name === "" ? [] : [call],
    resourceId: call,
    value: own(operation, "deprecated") === true ? "deprecated" : "",
    clickable: true,
  });
  const owner: FieldOwner = { id, at };
  const parameters = parametersOf([...shared, ...listOf(own(operation, "parameters"))], document);
  if (!parameters.ok) return parameters;
  for (const parameter of parameters.value) {
    const fault = addParameter(parameter, owner, document, gathering);
    if (fault !== null) return fault;
  }
  const body = document.meant(own(operation, "requestBody") ?? null);
  if (!body.ok) return body;
  const schema = isJsonObject(body.value) ? bodySchema(body.value) : null;
  return schema === null ? null : addBody(schema, owner, document, gathering);
}

/** The parameters of an operation: one of its own takes the place of the path's of the same name and kind. */
function parametersOf(list: readonly Json[], document: SchemaDocument): Parsed<readonly JsonObject[]> {
  const found = new Map<string, JsonObject>();
  for (const json of list) {
    const tooMuch = document.looks.more();
    if (tooMuch !== null) return tooMuch;
    const parameter = document.meant(json);
    if (!parameter.ok) return parameter;
    if (!isJsonObject(parameter.value)) continue;
    found.set(`${textOf(own(parameter.value, "in"))} ${textOf(own(parameter.value, "name"))}`, parameter.value);
  }
  return parsed([...found.values()]);
}

function addParameter(
  parameter: JsonObject,
  owner: FieldOwner,
  document: SchemaDocument,
  gathering: Gathering,
): Fault | null {
  const name = textOf(own(parameter, "name"));
  if (own(parameter, "in") === "body") return addBody(own(parameter, "schema") ?? null, owner, document, gathering);
  if (name === "") {
    gathering.note("not_expanded", `a parameter of ${quoted(owner.id)} has no name`);
    return null;
  }
  // Swagger 2.0 has the type on the parameter itself.
  const said = own(parameter, "schema") ?? parameter;
  const schema = document.meant(said);
  if (!schema.ok) return schema;
  const object = isJsonObject(schema.value) ? schema.value : {};
  const facts = document.facts(object, said);
  const desc = textOf(own(parameter, "description")) || facts.desc;
  addField({ ...facts, path: name, title: "", desc }, owner, gathering);
  return null;
}

function addBody(schema: Json, owner: FieldOwner, document: SchemaDocument, gathering: Gathering): Fault | null {
  const fields = schemaFields(schema, document);
  if (!fields.ok) return fields;
  for (const field of fields.value) addField(field, owner, gathering);
  return null;
}

/** The schema of a body: that of JSON where it can be sent, else of the first kind that it can be sent as. */
function bodySchema(body: JsonObject): Json | null {
  const content = own(body, "content");
  const kinds = isJsonObject(content) ? Object.entries(content) : [];
  const [, kind] = kinds.find(([name]) => /[/+]json\b/.test(name)) ?? kinds[0] ?? [];
  return isJsonObject(kind) ? (own(kind, "schema") ?? null) : null;
}

function listOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}
