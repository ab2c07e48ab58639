/** Interfaces of programs: MCP's tool lists and OpenAPI documents. */
import { describe, expect, test } from "vitest";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import { readMcp } from "./read-mcp.ts";
import { readOpenapi } from "./read-openapi.ts";
import type { Read, Reading } from "./reading.ts";

const READING: Reading = { app: null, where: "a text", text: "", screen: null, leaveOut: [], map: null, at: 1 };

function outcome(read: Read, document: unknown, more: Partial<Reading> = {}) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return read({ ...READING, text, ...more }, MAP_LIMITS);
}

function harvested(read: Read, document: unknown, more: Partial<Reading> = {}) {
  const found = outcome(read, document, more);
  if (!found.ok) throw new Error(`${found.why.code}: ${found.why.detail}`);
  return found.value;
}

const ids = (read: Read, document: unknown) => harvested(read, document).map.controls.map(({ id }) => id);

describe("tools of an MCP server", () => {
  const send = {
    name: "send_mail",
    title: "Send a mail",
    description: "Sends it at once.",
    inputSchema: {
      type: "object",
      required: ["to"],
      properties: {
        to: { type: "string", description: "Whom to" },
        kind: { type: ["string", "null"], enum: ["plain", "html"], default: "plain" },
        lines: { type: "array", items: { $ref: "#/$defs/line" } },
        sender: { type: "object", title: "From", properties: { name: { type: "string" } } },
      },
      $defs: { line: { type: "object", properties: { text: { type: "string" }, next: { $ref: "#/$defs/line" } } } },
    },
  };

  test("each tool is a control, and so is each of its params, right behind it", () => {
    const { map, findings } = harvested(readMcp, { tools: [send, { name: "list" }] });
    expect(
      map.controls.map(({ id, role, text, desc, childText, value }) => [id, role, text, desc, childText, value]),
    ).toEqual([
      ["send_mail", "tool", "Send a mail", "Sends it at once.", [], ""],
      ["send_mail/to", "string", "to", "Whom to", [], ""],
      ["send_mail/kind", "string", "kind", "", ["plain", "html"], "plain"],
      ["send_mail/lines", "array", "lines", "", [], ""],
      ["send_mail/lines[].text", "string", "lines[].text", "", [], ""],
      ["send_mail/lines[].next", "object", "lines[].next", "", [], ""],
      ["send_mail/sender", "object", "From", "", [], ""],
      ["send_mail/sender.name", "string", "sender.name", "", [], ""],
      ["list", "tool", "list", "", [], ""],
    ]);
    expect(map.controls.every(({ clickable }) => clickable)).toBe(true);
    expect(findings).toEqual([]);
  });

  test("a preset or a choice of a field for a password is not told", () => {
    const password = { type: "string", format: "password", default: "hunter2", enum: ["hunter2"] };
    const beside = { $ref: "#/$defs/secret", default: "hunter2" };
    const inputSchema = { properties: { password, beside }, $defs: { secret: { format: "password" } } };
    const { map } = harvested(readMcp, { tools: [{ name: "a", inputSchema }] });
    expect(map.controls.map(({ id }) => id)).toEqual(["a", "a/password", "a/beside"]);
    expect(JSON.stringify(map)).not.toContain("hunter2");
  });

  test("nor where a schema is made of one for a password, or its value is only ever sent", () => {
    const [secret, held] = [{ type: "string", format: "password" }, { default: "hunter2" }];
    const optional = { anyOf: [secret, { type: "null" }] };
    const properties = {
      all: { allOf: [secret], ...held },
      any: { ...optional, ...held },
      one: { oneOf: [{ type: "null" }, { $ref: "#/$defs/optional" }], ...held },
      list: { type: "array", items: { ...secret, enum: ["hunter2"] }, default: ["hunter2"] },
      sent: { type: "string", writeOnly: true, enum: ["hunter2"], ...held },
      beside: { $ref: "#/$defs/plain", format: "password", ...held },
      between: { $ref: "#/$defs/between", ...held },
      object: { properties: { inner: secret }, default: { inner: "hunter2" } },
      values: { additionalProperties: secret, default: { a: "hunter2" } },
      pair: { prefixItems: [{ type: "string" }, secret], default: ["me", "hunter2"] },
      outer: { writeOnly: true, properties: { inner: held } },
      round: { anyOf: [{ $ref: "#/properties/round" }, { type: "string" }], default: "shown" },
    };
    const $defs = { optional, plain: { enum: ["hunter2"] }, between: { $ref: "#/$defs/plain", writeOnly: true } };
    // A field that is said twice is a secret if either says so.
    const allOf = [{ properties: { twice: held } }, { properties: { twice: secret } }];
    const { map, findings } = harvested(readMcp, { tools: [{ name: "a", inputSchema: { allOf, properties, $defs } }] });
    expect(map.controls.map(({ id }) => id)).toContain("a/twice");
    expect(JSON.stringify(map)).not.toContain("hunter2");
    expect(map.controls.filter(({ value }) => value !== "").map(({ id, value }) => [id, value])).toEqual([
      ["a/round", "shown"],
    ]);
    expect(findings).toEqual([]);
    const parameters = Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
    const document = { openapi: "3.1.0", paths: { "/a": { get: { parameters } } }, properties, $defs };
    expect(JSON.stringify(harvested(readOpenapi, document).map)).not.toContain("hunter2");
  });

  test("what a secret is looked for in is counted: a list of many is looked at once", () => {
    const wide = { prefixItems: Array.from({ length: 50_000 }, () => ({ type: "string" })) };
    const used = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { $ref: "#/$defs/wide", default: "x" }]));
    const read = (count: number) =>
      harvested(readMcp, { tools: [{ name: "a", inputSchema: { properties: used(count), $defs: { wide } } }] });
    expect(read(100).map.controls.filter(({ value }) => value === "x")).toHaveLength(100);
  });

  test("values that are no texts are told as JSON, up to a bound", () => {
    const schema = { enum: [{ a: [1, "\u0001", null], b: {} }, false], default: { list: Array(200).fill(1) } };
    const { map } = harvested(readMcp, [{ name: "a", inputSchema: { properties: { x: schema } } }]);
    expect(map.controls[1]).toMatchObject({ childText: ['{"a":[1,"\\u0001",null],"b":{}}', "false"] });
    expect(map.controls[1]?.value).toBe(JSON.stringify(schema.default).slice(0, 200));
  });

  test("references, and schemas made of schemas, are followed 32 deep and no deeper", () => {
    const chain = (length: number, link: (next: number) => object) => {
      const $defs = Object.fromEntries(Array.from({ length }, (_, i) => [`s${i}`, link(i + 1)]));
      const last = { properties: { x: { type: "string" } } };
      const inputSchema = { $ref: "#/$defs/s0", $defs: { ...$defs, [`s${length}`]: last } };
      const { map, findings } = harvested(readMcp, [{ name: "a", inputSchema }]);
      return [map.controls.length, ...findings.map(({ rule, message }) => `${rule} ${message}`)];
    };
    const references = (length: number) => chain(length, (next) => ({ $ref: `#/$defs/s${next}` }));
    // The first hop is that of the tool's own schema.
    expect(references(30)).toEqual([2]);
    expect(references(31)).toEqual([1, 'missing_ref "a": a chain of references that does not end']);
    const parts = (length: number) => chain(length, (next) => ({ allOf: [{ $ref: `#/$defs/s${next}` }] }));
    expect(parts(31)).toEqual([2]);
    expect(parts(32)).toEqual([1, 'not_expanded "a": "" is made of more than 32 schemas inside one another']);
  });

  test("the envelope, a bare list, a list with a next page", () => {
    const tools = [{ name: "a" }];
    expect(ids(readMcp, { jsonrpc: "2.0", id: 1, result: { tools } })).toEqual(["a"]);
    expect(ids(readMcp, tools)).toEqual(["a"]);
    const { findings } = harvested(readMcp, { tools, nextCursor: "2" });
    expect(findings.map(({ rule }) => rule)).toEqual(["more_pages"]);
  });

  test("two tools of one name are told apart; one without a name refuses the list", () => {
    const { map, findings } = harvested(readMcp, { tools: [{ name: "a" }, { name: "a" }] });
    expect(map.controls.map(({ id }) => id)).toEqual(["a", "a~2"]);
    expect(findings.map(({ rule }) => rule)).toEqual(["duplicate_id"]);
    expect(outcome(readMcp, { tools: [{ title: "x" }] })).toMatchObject({ ok: false, why: { code: "not_mcp" } });
    expect(outcome(readMcp, "{")).toMatchObject({ ok: false, why: { code: "not_json" } });
    expect(outcome(readMcp, { tools: [] })).toMatchObject({ ok: false, why: { code: "no_controls" } });
  });
});

describe("what is no list of tools", () => {
  const why = (document: unknown) => {
    const found = outcome(readMcp, document);
    return found.ok ? [] : [found.why.code, found.why.detail];
  };
  const says = (said: string) => ["not_mcp", `the server answers with an error: ${said}`];

  test("the message of a server's error is told, what is hidden in it seen, what is long of it cut", () => {
    const error = { code: -32601, message: "Method not found\u202e" };
    expect(why({ jsonrpc: "2.0", id: 1, error })).toEqual(says('"Method not found\\u{202E}"'));
    expect(why({ error: { code: -1 } })).toEqual(says('"{\\"code\\":-1}"'));
    expect(why({ error: "unauthorized" })).toEqual(says('"unauthorized"'));
    const content = ["Log in", "first"].map((text) => ({ type: "text", text }));
    expect(why({ result: { isError: true, content } })).toEqual(says('"Log in first"'));
    expect(why({ isError: true })).toEqual(says('"{\\"isError\\":true}"'));
    expect(why({ error: { message: "x".repeat(200) } })).toEqual(says(`"${"x".repeat(200)}"`));
    expect(why({ error: { message: "x".repeat(201) } })).toEqual(says(`"${"x".repeat(200)}…"`));
    expect(why({ result: {} })[1]).toContain("a list of tools is");
    expect(ids(readMcp, { error: null, result: { tools: [{ name: "a" }] } })).toEqual(["a"]);
  });

  test("what is no JSON is refused by that code once, with what was found", () => {
    expect(why("{")).toEqual(["not_json", "character 1: expected a key in double quotes, found the end"]);
    expect(why('{"a":1,"a":1}')).toEqual(["not_json", expect.stringContaining("duplicate_key, character")]);
  });
});

const PETS = `
openapi: 3.1.0
info: {title: Pets}
servers: [{url: "https://pets.example/v1"}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, schema: {type: integer, maximum: 9223372036854775807}}
      - {name: trace, in: header, schema: {type: string}}
    get:
      operationId: getPet
      summary: Look at a pet
      parameters:
        - {name: id, in: path, description: Its number, schema: {type: integer}}
        - {$ref: "#/components/parameters/fields"}
    put:
      deprecated: true
      requestBody:
        content:
          text/plain: {schema: {type: string}}
          application/json: {schema: {$ref: "#/components/schemas/Pet"}}
components:
  parameters:
    fields: {name: fields, in: query, schema: {type: string, enum: [name, tag], default: name}}
  schemas:
    Named: &named {properties: {name: {type: string}}}
    Pet:
      allOf: [*named, {properties: {tag: {type: string}, owner: {$ref: "#/components/schemas/Pet"}}}]
`;

describe("OpenAPI documents", () => {
  test("operations, their parameters and the fields of their bodies, in the document's order", () => {
    const { map, findings } = harvested(readOpenapi, PETS);
    expect(
      map.controls.map(({ id, role, text, desc, childText, value }) => [id, role, text, desc, childText, value]),
    ).toEqual([
      ["getPet", "operation", "Look at a pet", "", ["GET /pets/{id}"], ""],
      ["getPet/id", "integer", "id", "Its number", [], ""],
      ["getPet/trace", "string", "trace", "", [], ""],
      ["getPet/fields", "string", "fields", "", ["name", "tag"], "name"],
      ["PUT /pets/{id}", "operation", "PUT /pets/{id}", "", [], "deprecated"],
      ["PUT /pets/{id}/id", "integer", "id", "", [], ""],
      ["PUT /pets/{id}/trace", "string", "trace", "", [], ""],
      ["PUT /pets/{id}/name", "string", "name", "", [], ""],
      ["PUT /pets/{id}/tag", "string", "tag", "", [], ""],
      ["PUT /pets/{id}/owner", "value", "owner", "", [], ""],
    ]);
    expect(map.screens).toEqual([{ id: "start", title: "Pets", where: "https://pets.example/v1", entry: [] }]);
    expect(findings).toEqual([]);
  });

  test("the same document as JSON, with an integer that no JSON of ours can hold, and Swagger 2.0", () => {
    const json = `{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a","x":9223372036854775807,"constructor":1}}}}`;
    expect(ids(readOpenapi, json)).toEqual(["a"]);
    const swagger = {
      swagger: "2.0",
      basePath: "/v2",
      paths: {
        "/a": {
          post: {
            operationId: "a",
            parameters: [
              { name: "limit", in: "query", type: "integer", default: 5 },
              { name: "body", in: "body", schema: { properties: { name: { type: "string" } } } },
            ],
          },
        },
      },
    };
    const { map } = harvested(readOpenapi, swagger);
    expect(map.controls.map(({ id, role, value }) => [id, role, value])).toEqual([
      ["a", "operation", ""],
      ["a/limit", "integer", "5"],
      ["a/name", "string", ""],
    ]);
    expect(map.screens[0]?.where).toBe("/v2");
  });

  test("the ids of fields follow their operation's, also where two operations have one id", () => {
    const query = (...names: readonly string[]) => names.map((name) => ({ name, in: "query" }));
    const operation = (...names: readonly string[]) => ({ operationId: "order", parameters: query(...names) });
    const taken = { operationId: "order~2", parameters: query("sku") };
    const paths = { "/a": { delete: operation("id"), patch: operation("sku", "id") }, "/b": { get: taken } };
    const { map, findings } = harvested(readOpenapi, { openapi: "3.0.0", paths });
    expect(map.controls.map(({ id, resourceId }) => [id, resourceId])).toEqual([
      ["order", "DELETE /a"],
      ["order/id", "id"],
      ["order~3", "PATCH /a"],
      ["order~3/sku", "sku"],
      ["order~3/id", "id"],
      ["order~2", "GET /b"],
      ["order~2/sku", "sku"],
    ]);
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["duplicate_id", "2 controls have this id: the later are numbered with ~"],
    ]);
    const inputSchema = { properties: { a: {} } };
    const tools = ["t", "t", "t"].map((name) => ({ name, inputSchema }));
    expect(ids(readMcp, tools)).toEqual(["t", "t/a", "t~2", "t~2/a", "t~3", "t~3/a"]);
  });

  test("where it is has no name, no password and no query in it", () => {
    const at = (url: string) =>
      harvested(readOpenapi, { openapi: "3.0.0", servers: [{ url }], paths: { "/a": { get: {} } } }).map.screens[0]
        ?.where;
    expect(at("https://me:hunter2@pets.example:8/v1/@me?token=hunter2#x")).toBe("https://pets.example:8/v1/@me");
    expect(at("//me@pets.example")).toBe("//pets.example");
    expect(at("/v1/a@b")).toBe("/v1/a@b");
  });

  test("what leads out of the document refuses it; what leads to nothing is told", () => {
    const at = (ref: string) => ({ openapi: "3.0.0", paths: { "/a": { get: { parameters: [{ $ref: ref }] } } } });
    expect(outcome(readOpenapi, at("other.yaml#/x"))).toMatchObject({ ok: false, why: { code: "remote_ref" } });
    const { findings } = harvested(readOpenapi, at("#/components/parameters/gone"));
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["missing_ref", '"#/components/parameters/gone" leads to nothing'],
    ]);
    expect(harvested(readOpenapi, at("#/__proto__/x")).findings.map(({ rule }) => rule)).toEqual(["missing_ref"]);
    expect(harvested(readOpenapi, at("#/paths/~1a/get/parameters/0")).findings.map(({ rule }) => rule)).toEqual([
      "missing_ref",
    ]);
  });

  test("schemas that are made of each other again and again end", () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 24 }, (_, i) => [
        `s${i}`,
        { allOf: [{ $ref: `#/components/schemas/s${i + 1}` }, { $ref: `#/components/schemas/s${i + 1}` }] },
      ]),
    );
    const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/s0" } } } };
    const document = {
      openapi: "3.0.0",
      paths: { "/a": { post: { operationId: "a", requestBody: body } } },
      components: { schemas: { ...doubled, s24: { properties: { x: { type: "string" } } } } },
    };
    expect(outcome(readOpenapi, document)).toMatchObject({ ok: false, why: { code: "too_large" } });
  });

  test("documents of another version than those that are read are refused", () => {
    const at = (version: string) => {
      const found = outcome(readOpenapi, `${version}\npaths: {/a: {get: {}}}`);
      return found.ok ? "harvested" : `${found.why.code}: ${found.why.detail}`;
    };
    const known = ["openapi: 3.0.4", "openapi: '3.0'", "openapi: 3.0", "openapi: 3.1", "openapi: 3.1.0-rc1"];
    for (const one of [...known, "swagger: '2.0'", "swagger: 2.0"]) expect(at(one), one).toBe("harvested");
    const others = ["4.0.0", "3.2.0", "3.10.0", "2.0", "x3.0.0", "3.0.0x", "30", "null", "[3.0]"];
    for (const one of others) expect(at(`openapi: ${one}`), one).toContain("not_openapi: ");
    expect(at("openapi: 4.0.0")).toBe(
      'not_openapi: "openapi 4.0.0" is not read: OpenAPI 3.0 and 3.1 are, and Swagger 2.0',
    );
    for (const one of ["1.2", "3.0.0"]) expect(at(`swagger: ${one}`), one).toContain("not_openapi: ");
  });

  test("what is no document is refused", () => {
    expect(outcome(readOpenapi, "openapi: 3.0.0")).toMatchObject({ ok: false, why: { code: "not_openapi" } });
    expect(outcome(readOpenapi, "a: [")).toMatchObject({ ok: false, why: { code: "not_yaml" } });
    expect(outcome(readOpenapi, "a: 1\na: 2")).toMatchObject({ ok: false, why: { code: "not_yaml" } });
    expect(outcome(readOpenapi, '{"a": 1')).toMatchObject({ ok: false, why: { code: "not_json" } });
  });
});
