/**
 * The laws of a harvest, as checks that take the house that they judge: the real one, or a copy with a planted fault.
 *
 *   nothing-throws    whatever a text says, it is harvested or refused by a code
 *   map-holds         what is harvested can be recorded, has unique ids on screens that are there, and keeps its bounds
 *   ids-unique        of equal ids the first stays, later ones are numbered, no other one changes, and order is kept
 *   bombs-refused     what is made to cost more than it weighs is refused
 *   nothing-fetched   no document type, no entity, no reference out of a document
 *   hidden-told       what nobody sees in a name is in the findings
 *   nothing-written   what stands in a field is in no map
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Harvested } from "../../src/domain/control-map.ts";
import type { MapLimits } from "../../src/domain/map-limits.ts";
import type { Parsed } from "../../src/domain/parsed.ts";
import type { TextKind } from "../../src/guides/index.ts";

/** What the checks need of a house. */
export type HarvestHouse = {
  readonly guides: Pick<typeof import("../../src/guides/index.ts"), "readText" | "TEXT_KINDS">;
  readonly markup: Pick<typeof import("../../src/adapters/markup-saxes/index.ts"), "readMarkup">;
  readonly map: Pick<typeof import("../../src/domain/control-map.ts"), "mapText">;
  readonly limits: Pick<typeof import("../../src/domain/map-limits.ts"), "HARVEST_CODES" | "MAP_LIMITS">;
  readonly ids: Pick<typeof import("../../src/domain/unique-ids.ts"), "uniqueIds">;
  /** A text of each kind with these names, as test/harvest/texts.ts writes it. */
  readonly write: (kind: TextKind, names: readonly string[]) => string;
  readonly seed: number;
  readonly runs: number;
};

function read(house: HarvestHouse, kind: TextKind, text: string, limits: Partial<MapLimits> = {}): Parsed<Harvested> {
  const reading = { app: null, where: "a text", text, screen: null, leaveOut: [], map: null, at: 1 };
  return house.guides.readText(kind, reading, { ...house.limits.MAP_LIMITS, ...limits }, house.markup.readMarkup);
}

/** What is spliced into a text: what the formats are made of, and what has hurt readers before. */
const SPLINTERS = [
  ...[
    "<",
    ">",
    "</",
    "/>",
    '"',
    "'",
    "&",
    "&amp;",
    "&#x202e;",
    "&#0;",
    "&constructor;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
  ],
  ...[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "- ",
    "\n",
    "\t",
    "\r\n",
    "  ",
    "? ",
    "|",
    ">-",
    "!!js/function x",
    "&a ",
    "*a",
    "%YAML 1.1\n",
  ],
  ...[
    "---\n",
    "...\n",
    "#",
    "__proto__",
    "constructor",
    "null",
    "true",
    "1e999",
    "9223372036854775807",
    "\\u0000",
    "\\ud800",
  ],
  ...[
    "\u0000",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\ud800",
    "\udc00",
    "e\u0301",
    "取消",
    "👩‍👩‍👧",
    "$ref",
    "#/paths",
    "[ref=e1]",
    "id=1",
  ],
  ...[
    "<br>",
    "</button>",
    "text='",
    "<hierarchy>",
    "<AppiumAUT>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "tools",
    "openapi",
    "controls",
  ],
];

function hostile(house: HarvestHouse): fc.Arbitrary<{ readonly kind: TextKind; readonly text: string }> {
  const names = fc.array(fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom(...SPLINTERS)), { maxLength: 6 });
  const cut = fc.record({ at: fc.nat(), length: fc.nat(12), insert: fc.constantFrom("", ...SPLINTERS) });
  return fc
    .record({ kind: fc.constantFrom(...house.guides.TEXT_KINDS), names, cuts: fc.array(cut, { maxLength: 5 }) })
    .map(({ kind, names: written, cuts }) => ({
      kind,
      text: cuts.reduce(
        (text, { at, length, insert }) => {
          const place = text.length === 0 ? 0 : at % text.length;
          return text.slice(0, place) + insert + text.slice(place + length);
        },
        house.write(kind, written),
      ),
    }));
}

/** Fails with the counterexample, as an assertion; what is no assertion of ours is thrown as it is. */
function holdsForAll<T>(property: fc.IProperty<T>, parameters: fc.Parameters<T>): void {
  const run = fc.check(property, parameters);
  if (!run.failed) return;
  if (!(run.errorInstance instanceof assert.AssertionError)) throw run.errorInstance;
  assert.fail(fc.defaultReportMessage(run));
}

function holds(house: HarvestHouse, outcome: Parsed<Harvested>, limits: MapLimits): void {
  if (!outcome.ok) {
    assert.ok((house.limits.HARVEST_CODES as readonly string[]).includes(outcome.why.code), outcome.why.code);
    assert.ok(outcome.why.detail.length > 0 && outcome.why.detail.isWellFormed());
    return;
  }
  const { map } = outcome.value;
  const ids = new Set(map.controls.map(({ id }) => id));
  const screens = new Set(map.screens.map(({ id }) => id));
  assert.equal(ids.size, map.controls.length, "ids are unique");
  assert.ok(map.controls.length > 0 && map.controls.length <= limits.controlsMax);
  for (const control of map.controls) {
    assert.ok(screens.has(control.screen));
    for (const text of [control.text, control.desc, control.value, ...control.childText]) {
      assert.ok(Buffer.byteLength(text) <= limits.textBytesMax);
    }
  }
  assert.doesNotThrow(() => house.map.mapText(map), "a map can be recorded");
}

export const HARVEST_CHECKS = {
  "nothing-throws and map-holds": (house: HarvestHouse): void => {
    const limits: MapLimits = { ...house.limits.MAP_LIMITS, textBytesMax: 16, controlsMax: 4 };
    holdsForAll(
      fc.property(hostile(house), ({ kind, text }) => {
        let outcome: Parsed<Harvested> | null = null;
        assert.doesNotThrow(() => {
          outcome = read(house, kind, text, limits);
        });
        assert.ok(outcome !== null);
        holds(house, outcome, limits);
        assert.deepEqual(read(house, kind, text, limits), outcome, "reading again says the same");
      }),
      { seed: house.seed, numRuns: house.runs },
    );
  },

  "ids-unique": (house: HarvestHouse): void => {
    const id = fc.constantFrom("a", "a~2", "a~3", "a~2~2", "b", "");
    holdsForAll(
      fc.property(fc.array(id, { maxLength: 9 }), (given) => {
        const { items, repeated } = house.ids.uniqueIds(given.map((one, place) => ({ id: one, place })));
        assert.deepEqual(
          items.map(({ place }) => place),
          given.map((_, place) => place),
        );
        assert.equal(new Set(items.map((item) => item.id)).size, given.length, `unique: ${given.join()}`);
        for (const { id: now, place } of items) {
          const before = given[place] ?? "";
          assert.ok(given.indexOf(before) === place ? now === before : now.startsWith(`${before}~`));
        }
        for (const [one, count] of repeated) assert.equal(given.filter((other) => other === one).length, count);
      }),
      { seed: house.seed, numRuns: house.runs },
    );
  },

  "bombs-refused": (house: HarvestHouse): void => {
    const bombs: readonly (readonly [TextKind, string, string])[] = [
      ["android", `<hierarchy>${"<node>".repeat(300)}`, "too_deep"],
      ["ios", `<AppiumAUT>${"<XCUIElementTypeOther>".repeat(300)}`, "too_deep"],
      ["aria", `${"[".repeat(20_000)}`, "too_deep"],
      ["aria", Array.from({ length: 400 }, (_, i) => `${"  ".repeat(i)}- group:\n`).join(""), "too_deep"],
      ["openapi", `paths: ${"{a: ".repeat(20_000)}`, "too_deep"],
      ["openapi", laughs(), "too_large"],
      ["openapi", '{"paths":'.repeat(20_000), "too_deep"],
      ["mcp", `${'{"tools":['.repeat(20_000)}`, "too_deep"],
      ["jsonl", `${"[".repeat(20_000)}\n`, "too_deep"],
      ["actree", `${"\t".repeat(300)}[1] button 'x'\n`, "too_deep"],
    ];
    for (const [kind, text, code] of bombs) {
      let outcome: Parsed<Harvested> | null = null;
      assert.doesNotThrow(
        () => {
          outcome = read(house, kind, text);
        },
        `${kind}: ${text.slice(0, 20)}`,
      );
      assert.deepEqual(codeOf(outcome), code, `${kind}: ${text.slice(0, 20)}`);
    }
  },

  "nothing-fetched": (house: HarvestHouse): void => {
    const bill = '<!DOCTYPE hierarchy [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><hierarchy><node text="&b;"/></hierarchy>';
    const outside = '<!DOCTYPE hierarchy SYSTEM "http://127.0.0.1:9/x.dtd"><hierarchy><node text="x"/></hierarchy>';
    assert.equal(codeOf(read(house, "android", bill)), "doctype");
    assert.equal(codeOf(read(house, "android", outside)), "doctype");
    assert.equal(codeOf(read(house, "android", '<hierarchy><node text="&a;"/></hierarchy>')), "not_xml");
    for (const ref of ["http://127.0.0.1:9/x.json#/a", "x.json", "file:///etc/passwd", "//127.0.0.1:9/x"]) {
      const operation = { operationId: "a", parameters: [{ $ref: ref }] };
      const document = { openapi: "3.0.0", paths: { "/a": { get: operation } } };
      assert.equal(codeOf(read(house, "openapi", JSON.stringify(document))), "remote_ref");
      const schema = { type: "object", properties: { a: { $ref: ref } } };
      assert.equal(
        codeOf(read(house, "mcp", JSON.stringify({ tools: [{ name: "a", inputSchema: schema }] }))),
        "remote_ref",
      );
    }
  },

  "hidden-told": (house: HarvestHouse): void => {
    const hidden = fc.constantFrom("\u00ad", "\u200b", "\u202e", "\u2066", "\u{e0041}", "\u3164");
    const kind = fc.constantFrom(...house.guides.TEXT_KINDS.filter((one) => one !== "actree"));
    holdsForAll(
      fc.property(kind, hidden, (one, point) => {
        const outcome = read(house, one, house.write(one, [`Pay ${point}now`]));
        assert.ok(outcome.ok, `${one} is harvested`);
        const control = outcome.value.map.controls.find(({ clickable }) => clickable);
        assert.equal(control?.text, `Pay ${point}now`);
        const name = `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
        const told = outcome.value.findings.filter(({ rule }) => rule === "hidden_in_name");
        assert.equal(told.length, 1, `${one}: one finding`);
        assert.ok(told[0]?.message.includes(name), name);
      }),
      { seed: house.seed, numRuns: Math.min(house.runs, 60) },
    );
  },

  "nothing-written": (house: HarvestHouse): void => {
    holdsForAll(
      fc.property(fc.constantFrom(...FIELDS), fc.stringMatching(/^[a-z0-9]{12}$/), ([kind, write], written) => {
        const outcome = read(house, kind, write(written));
        assert.ok(outcome.ok, `${kind} is harvested`);
        assert.ok(!JSON.stringify(outcome.value.map).includes(written), `${kind}: ${write("…")}`);
      }),
      { seed: house.seed, numRuns: Math.min(house.runs, 400) },
    );
  },
} as const;

/** A screen with a button and a field that holds something, as each format says it that can. */
const FIELDS: readonly (readonly [TextKind, (written: string) => string])[] = [
  ...[
    (text: string) => `<node class="android.widget.EditText" clickable="true" hint="Name" text="${text}"/>`,
    (text: string) => `<node class="android.widget.EditText" clickable="true" password="true" text="${text}"/>`,
    (text: string) =>
      `<node class="a.EditText" clickable="true" content-desc="Name" password="true"><node text="${text}"/></node>`,
    (text: string) => `<node class="a.B" clickable="true"><node class="x.Y" password="true" text="${text}"/></node>`,
  ].map((field) => {
    const write = (text: string): string =>
      `<hierarchy><node class="b" text="Save" clickable="true"/>${field(text)}</hierarchy>`;
    return ["android", write] as const;
  }),
  [
    "ios",
    (text) =>
      `<AppiumAUT><XCUIElementTypeSecureTextField label="Name"><XCUIElementTypeStaticText label="${text}"/></XCUIElementTypeSecureTextField></AppiumAUT>`,
  ],
  ...["TextField", "SecureTextField", "SearchField", "TextView"].map((type) => {
    const write = (text: string): string =>
      `<AppiumAUT><XCUIElementType${type} label="Name" value="${text}"/><XCUIElementTypeButton label="Save"/></AppiumAUT>`;
    return ["ios", write] as const;
  }),
  ...[`"Name"`, ""].flatMap((name) =>
    ["textbox", "searchbox", "spinbutton", "combobox"].flatMap((role) => [
      ["aria", (text: string) => `- button "Save"\n- ${role} ${name}: a${text}\n`] as const,
      ["aria", (text: string) => `- button "Save"\n- ${role} ${name} [ref=e1]:\n  - text: a${text}\n`] as const,
    ]),
  ),
  ["aria", (text) => `- button "Save"\n- generic [cursor=pointer]:\n  - textbox: a${text}\n`],
  ["actree", (text) => `[1] button 'Save'\n[2] textbox 'Name' value: ${text}\n\t[3] StaticText '${text}'\n`],
  ["actree", (text) => `[1] button 'Save'\n[2] combobox 'Name'\n\t[3] StaticText '${text}'\n`],
  ["aria", (text) => `- combobox "Name":\n  - text: a${text}\n  - option "Other"\n`],
  ["mcp", (text) => JSON.stringify([{ name: "a", inputSchema: inPartSecretly(text) }])],
  ["mcp", (text) => JSON.stringify([{ name: "a", inputSchema: secretly(text) }])],
  ["openapi", (text) => JSON.stringify({ openapi: "3.1.0", paths: { "/a": { post: bodyOf(secretly(text)) } } })],
  [
    "openapi",
    (text) => JSON.stringify({ openapi: "3.1.0", servers: [{ url: `//a:${text}@b` }], paths: { a: { get: {} } } }),
  ],
  ...["input", "TextBox", "android.widget.EditText"].map((role) => {
    const write = (text: string): string =>
      JSON.stringify({ map: "m", controls: [{ id: "a", role, text: "Name", value: text, childText: [text] }] });
    return ["jsonl", write] as const;
  }),
  ["jsonl", (text) => `{"map":"m","controls":[{"id":"a","role":"textbox","text":"Name","value":"${text}"}]}`],
];

function secretly(preset: string): object {
  return { properties: { secret: { type: "string", format: "password", default: preset } } };
}

function inPartSecretly(preset: string): object {
  const secret = { $ref: "#/$defs/secret" };
  const properties = {
    optional: { anyOf: [secret, { type: "null" }], default: preset },
    list: { type: "array", items: { ...secret, enum: [preset] } },
  };
  return { properties, $defs: { secret: { type: "string", format: "password" } } };
}

function bodyOf(schema: object): object {
  return { requestBody: { content: { "application/json": { schema } } } };
}

export type HarvestCheck = keyof typeof HARVEST_CHECKS;

function codeOf(outcome: Parsed<Harvested> | null): string {
  return outcome === null ? "nothing" : outcome.ok ? "harvested" : outcome.why.code;
}

/** Nine of nine of nine: a kilobyte that stands for gigabytes. */
function laughs(): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 10; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  return `${lines.join("\n")}\n`;
}
