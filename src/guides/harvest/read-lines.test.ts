/** The formats that are read line by line: AutoDroid's screens, WebArena's trees, controls as JSON lines. */
import { describe, expect, test } from "vitest";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import { readActree } from "./read-actree.ts";
import { readAria } from "./read-aria.ts";
import { readAutodroid } from "./read-autodroid.ts";
import { readControlLines, readJsonl } from "./read-jsonl.ts";
import type { Read, Reading } from "./reading.ts";

const READING: Reading = { app: null, where: "a text", text: "", screen: null, leaveOut: [], map: null, at: 1 };

function harvested(read: Read, text: string, more: Partial<Reading> = {}) {
  const outcome = read({ ...READING, text, ...more }, MAP_LIMITS);
  if (!outcome.ok) throw new Error(`${outcome.why.code}: ${outcome.why.detail}`);
  return outcome.value;
}

const refused = (read: Read, text: string, more: Partial<Reading> = {}) => {
  const outcome = read({ ...READING, text, ...more }, MAP_LIMITS);
  return outcome.ok ? ["harvested", ""] : [outcome.why.code, outcome.why.detail];
};

describe("AutoDroid's screens", () => {
  test("texts, descriptions, boxes; line breaks and quotes in them; only the own end tag ends an element", () => {
    const text = `<p id=0>Your sounds</p>
 <checkbox id=1 checked=True>Captain's Log</checkbox>
<checkbox id=2 checked=False>Other</checkbox>
<button id=3 text='Bob's photo<br>large'></button>
<button id=4>Bob<br>Hey<br>30.06</button>
<button id=5>A
B > C</p>
</button>
<input id=6 >notes.txt</input>
`;
    const { map, findings } = harvested(readAutodroid, text);
    expect(
      map.controls.map(({ id, role, text: name, desc, childText, value, clickable }) => [
        id,
        role,
        name,
        desc,
        childText,
        value,
        clickable,
      ]),
    ).toEqual([
      ["0", "p", "Your sounds", "", [], "", false],
      ["1", "checkbox", "Captain's Log", "", [], "checked", true],
      ["2", "checkbox", "Other", "", [], "not checked", true],
      ["3", "button", "", "Bob's photo", ["large"], "", true],
      ["4", "button", "Bob", "", ["Hey", "30.06"], "", true],
      ["5", "button", "A B > C</p>", "", [], "", true],
      ["6", "input", "notes.txt", "", [], "", true],
    ]);
    expect(findings).toEqual([]);
  });

  test("what is no element is named, and a text without one is refused", () => {
    const { findings } = harvested(readAutodroid, "words\n<button id=1>Save</button>\n<button id=2>open");
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["unread_line", 'not an element: "words"; not an element: "<button id=2"; not an element: "open"'],
    ]);
    expect(refused(readAutodroid, "<html><body>Hi</body></html>")[0]).toBe("not_autodroid");
  });
});

describe("WebArena's trees", () => {
  test("names in Python's quotes, properties, the tab's title, an id that is there twice", () => {
    const text = `Tab 0 (current): One Stop Market
Tab 1: Other

[1] RootWebArea 'One Stop' focused: True
\t[2] link "It's here"
\t[3] checkbox 'Remember' checked: true
\t[4] StaticText 'caf\\xe9 \\u53d6 \\'x\\''
\t[4] button 'Go' disabled: True
\t[5] main ''
\t\t[6] button ''
\t[7] textbox 'Code' required: True value: hunter2
\t\t[8] StaticText 'hunter2'
\t\t\t[9] link 'hunter2'
\t[10] tab 'More' a1 selected:  x: expanded: pressed: true selected: True : checked: no
`;
    const { map, findings } = harvested(readActree, text);
    expect(map.controls.map(({ id, role, text: name, value, disabled }) => [id, role, name, value, disabled])).toEqual([
      ["2", "link", "It's here", "", false],
      ["3", "checkbox", "Remember", "checked", false],
      ["4", "StaticText", "café 取 'x'", "", false],
      ["4~2", "button", "Go", "", true],
      ["6", "button", "", "", false],
      ["7", "textbox", "Code", "", false],
      ["10", "tab", "More", "not checked, pressed, selected", false],
    ]);
    expect(map.screens[0]?.title).toBe("One Stop");
    // Button 6.
    expect(findings.map(({ rule }) => rule)).toEqual(["nameless", "duplicate_id"]);
  });

  test("a text in a box with a list is in no map, and what can be chosen is", () => {
    const text = `[1] combobox 'Search' required: False hasPopup: listbox expanded: False
\t[2] StaticText 'hunter2'
\t[3] generic 'hunter2'
\t\t[4] StaticText 'hunter2'
\t[5] option 'Socks'
\t\t[6] StaticText 'Warm'
\t[7] StaticText 'hunter2'
[8] StaticText 'after'
[9] combobox 'Sort'
[10] combobox 'City'
\t[11] StaticText 'hunter2'
[12] TextBox 'Code'
\t[13] StaticText 'hunter2'
`;
    const { map } = harvested(readActree, text);
    expect(map.controls.map(({ id }) => id)).toEqual(["1", "5", "6", "8", "9", "10", "12"]);
    expect(JSON.stringify(map)).not.toContain("hunter2");
  });

  test("a branch is left out with all that is in it", () => {
    const text = "[1] button 'a'\n\t[2] button 'b'\n\t\t[3] button 'c'\n[4] button 'd'\n";
    const { map } = harvested(readActree, text, { leaveOut: ["1"] });
    expect(map.controls.map(({ id }) => id)).toEqual(["4"]);
  });

  test("what is no tree is refused", () => {
    expect(refused(readActree, "button Save")[0]).toBe("not_actree");
    expect(refused(readActree, "[1] button 'open")[0]).toBe("not_actree");
  });
});

test("what can be used and has no name of any kind is counted, in each of the formats", () => {
  const told = (read: Read, text: string) => {
    const { map, findings } = harvested(read, text);
    return [map.controls.length, ...findings.map(({ rule, message }) => `${rule}: ${message}`)];
  };
  const one = "nameless: 1 control has no name of any kind, and only its id tells it from others";
  const two = "nameless: 2 controls have no name of any kind, and only their ids tell them from others";
  const controls = (...more: readonly object[]) =>
    JSON.stringify({ map: "m", controls: more.map((seen, i) => ({ id: `c${i}`, role: "button", ...seen })) });
  expect(told(readJsonl, controls({}, { text: " " }, { text: "a" }))).toEqual([3, two]);
  const named = [{ desc: "a" }, { resourceId: "a" }, { childText: ["", "a"] }, { clickable: false }];
  expect(told(readJsonl, controls({ childText: [""] }, ...named))).toEqual([5, one]);
  expect(told(readAria, '- button\n- button "a"\n- link:\n  - img "b"\n')).toEqual([3, one]);
  expect(told(readActree, "[1] button ''\n[2] link 'a'\n")).toEqual([2, one]);
  expect(told(readAutodroid, "<button id=1></button>\n<button id=2>a</button>\n<p id=3></p>\n")).toEqual([3, one]);
});

describe("controls as JSON lines", () => {
  const line = (map: string, ...controls: readonly object[]) => `${JSON.stringify({ map, controls })}\n`;

  test("all that a control may say, on the screens that it says; what it does not say is empty", () => {
    const full = { id: "a", role: "button", text: "t", desc: "d", childText: ["c"], resourceId: "r", value: "v" };
    const text = line(
      "m",
      { ...full, clickable: false, disabled: true, screen: "one" },
      { id: "b", role: "x", screen: "two", clickable: false },
    );
    const { map, findings } = harvested(readJsonl, text);
    expect(map.controls).toEqual([
      { ...full, clickable: false, disabled: true, screen: "one" },
      {
        ...{ id: "b", role: "x", screen: "two", text: "", desc: "", childText: [], resourceId: "", value: "" },
        ...{ clickable: false, disabled: false },
      },
    ]);
    expect(map.screens.map(({ id }) => id)).toEqual(["one", "two"]);
    expect(map.source).toEqual({ kind: "jsonl", where: "a text#m" });
    expect(findings).toEqual([]);
  });

  test("whether it can be clicked may be unknown, and other keys are passed over by name", () => {
    const text = line("m", { id: "a", role: "x", clickable: null, bounds: [0, 0], text: "t" });
    const { map, findings } = harvested(readJsonl, text);
    expect(map.controls[0]?.clickable).toBe(true);
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([["unread_key", '"bounds"']]);
  });

  test("what stands in a field is passed over by name", () => {
    const text = line(
      "m",
      { id: "a", role: "textbox", text: "A", value: "v" },
      { id: "b", role: "EditText", text: "B", value: "v" },
    );
    const { map, findings } = harvested(readJsonl, text);
    expect(map.controls.map(({ value }) => value)).toEqual(["", ""]);
    expect(findings.map(({ message }) => message)).toEqual(['"value of textbox"; "value of EditText"']);
  });

  test("whatever a field is called, and in the texts inside it too", () => {
    const roles = [
      ...["input", "TEXTAREA", "TextBox", "android.widget.EditText", "android.widget.MultiAutoCompleteTextView"],
      ...["com.example.Form$PinEditText", "XCUIElementTypeSecureTextField", "XCUIElementTypeTextView", "TextInput"],
    ];
    const controls = roles.map((role, i) => ({
      id: `f${i}`,
      role,
      text: "A",
      value: "hunter2",
      childText: ["hunter2"],
    }));
    const { map, findings } = harvested(readJsonl, line("m", ...controls));
    expect(map.controls.map(({ role, value, childText }) => [role, value, childText])).toEqual(
      roles.map((role) => [role, "", []]),
    );
    expect(findings[0]?.message).toContain('"value of input"; "childText of input"');
    const told = ["android.widget.TextView", "combobox", "slider", "listbox"].map((role, i) => ({ id: `t${i}`, role }));
    const shown = told.map((one) => ({ ...one, text: "A", value: "v", childText: ["c"] }));
    expect(harvested(readJsonl, line("m", ...shown)).map.controls).toMatchObject(shown);
  });

  test("of several maps one is said", () => {
    const text = line("m/1", { id: "a", role: "x" }) + line("m/2", { id: "b", role: "x" });
    expect(refused(readJsonl, text)).toEqual(["several_maps", 'there are 2 maps in it: say which, such as "m/1"']);
    expect(harvested(readJsonl, text, { map: "m/2" }).map.controls[0]?.id).toBe("b");
    expect(refused(readJsonl, text, { map: "m/3" })).toEqual(["unknown_map", 'there is no map "m/3" in it']);
    const all = readControlLines({ ...READING, text: text + line("m/3") }, MAP_LIMITS);
    expect(all.ok && [...all.value].map(([name, one]) => [name, one.ok])).toEqual([
      ["m/1", true],
      ["m/2", true],
      ["m/3", false],
    ]);
  });

  test.each([
    ["", "there is no line in it"],
    ["nonsense", "line 1: character 0: expected"],
    ['{"map": 1, "controls": []}', "line 1: a line is"],
    [line("m", { id: "a" }), "control 1 is not"],
    [line("m", { id: "a", role: "x", text: 1 }), "control 1 is not"],
    [line("m", { id: "a", role: "x", clickable: "yes" }), "control 1 is not"],
    [line("m", { id: "a", role: "x", childText: [1] }), "control 1 is not"],
    [line("m", { id: "", role: "x" }), "control 1 is not"],
    [line("m", { id: "a", role: "x" }) + line("m", { id: "a", role: "x" }), "is there twice"],
    ['{"map":"m","map":"n","controls":[]}', "duplicate_key"],
  ])("%j is refused", (text, detail) => {
    const [code, said] = refused(readJsonl, text);
    expect(code).toBe("not_jsonl");
    expect(said).toContain(detail);
  });
});
