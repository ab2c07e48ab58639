/**
 * The tools of an MCP server: the result of `tools/list`, with or without the JSON-RPC envelope around it, or the list alone.
 * Each tool is a control, and so is each of its params, right behind it: `send_mail`, `send_mail/to`, `send_mail/lines[].sku`.
 */
import type { Harvested } from "../../domain/control-map.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../../domain/json.ts";
import { quoted } from "../../domain/json-limits.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { addField } from "./add-field.ts";
import { readJsonDocument } from "./json-document.ts";
import { Gathering, type Reading } from "./reading.ts";
import { Looks, SchemaDocument, schemaFields, textOf } from "./schema-fields.ts";
import { writtenJson } from "./written-json.ts";

export function readMcp(reading: Reading, limits: MapLimits): Parsed<Harvested> {
  const json = readJsonDocument(reading.text, limits);
  if (!json.ok) return json;
  const result = isJsonObject(json.value) ? (own(json.value, "result") ?? json.value) : json.value;
  const tools = isJsonObject(result) ? own(result, "tools") : result;
  if (!Array.isArray(tools)) {
    const said = errorOf(json.value, result);
    if (said !== "") return unparsed("not_mcp", `the server answers with an error: ${quoted(said, SAID_MAX)}`);
    return unparsed("not_mcp", 'a list of tools is {"tools": [{"name", "inputSchema"}]}');
  }
  const gathering = new Gathering(reading, limits);
  if (isJsonObject(result) && textOf(own(result, "nextCursor")) !== "") {
    gathering.note("more_pages", "the list has a next page (`nextCursor`): its tools are not in the map");
  }
  const looks = new Looks();
  for (const [i, tool] of tools.entries()) {
    if (gathering.full) break;
    const refused = addTool(tool, i, { gathering, looks, limits });
    if (refused !== null) return refused;
  }
  return gathering.draw(reading, "mcp", { title: "", where: "" }, limits);
}

/** Characters of a server's error that are told. */
const SAID_MAX = 200;

/** What a server says instead of a list: the error of its JSON-RPC reply, or the texts of a result that is one (`isError`). */
function errorOf(reply: Json, result: Json): string {
  const error = isJsonObject(reply) ? (own(reply, "error") ?? null) : null;
  if (error !== null) return (isJsonObject(error) && textOf(own(error, "message"))) || writtenOf(error);
  if (!isJsonObject(result) || own(result, "isError") !== true) return "";
  const content = own(result, "content") ?? result;
  const parts = Array.isArray(content) ? content : [];
  return (
    parts
      .map((part) => (isJsonObject(part) ? textOf(own(part, "text")) : ""))
      .join(" ")
      .trim() || writtenOf(content)
  );
}

function writtenOf(json: Json): string {
  return typeof json === "string" ? json : writtenJson(json, SAID_MAX + 1);
}

type Around = { readonly gathering: Gathering; readonly looks: Looks; readonly limits: MapLimits };

function addTool(tool: Json, i: number, { gathering, looks, limits }: Around): ReturnType<typeof unparsed> | null {
  const name = isJsonObject(tool) ? own(tool, "name") : undefined;
  if (!isJsonObject(tool) || typeof name !== "string" || name === "") {
    return unparsed("not_mcp", `tool ${i + 1} has no name`);
  }
  const title = titleOf(tool);
  if (gathering.leavesOut(name, title)) return null;
  const at = gathering.add({
    id: name,
    role: "tool",
    text: title || name,
    desc: textOf(own(tool, "description")),
    resourceId: name,
    clickable: true,
  });
  const schema = own(tool, "inputSchema") ?? null;
  const fields = schemaFields(
    schema,
    new SchemaDocument(schema, looks, limits, (rule, what) => gathering.note(rule, `${quoted(name)}: ${what}`)),
  );
  if (!fields.ok) return fields;
  for (const field of fields.value) addField(field, { id: name, at }, gathering);
  return null;
}

function titleOf(tool: JsonObject): string {
  const annotations = own(tool, "annotations");
  return textOf(own(tool, "title")) || (isJsonObject(annotations) ? textOf(own(annotations, "title")) : "");
}
