import { describe, expect, test } from "vitest";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import { readAria } from "./read-aria.ts";
import type { Reading } from "./reading.ts";

function read(text: string, more: Partial<Reading> = {}) {
  const reading = { app: null, where: "page.aria.yml", text, screen: null, leaveOut: [], map: null, at: 1, ...more };
  return readAria(reading, MAP_LIMITS);
}

function controls(text: string, more: Partial<Reading> = {}) {
  const outcome = read(text, more);
  if (!outcome.ok) throw new Error(`${outcome.why.code}: ${outcome.why.detail}`);
  return outcome.value.map.controls;
}

const brief = (text: string, more: Partial<Reading> = {}) =>
  controls(text, more).map(({ id, role, text: name, clickable }) => [id, role, name, clickable ? "used" : "seen"]);

describe("a snapshot with refs", () => {
  test("controls keep their refs; texts with a ref stand by themselves; frames and what has no ref are left out", () => {
    const snapshot = `
- generic [active] [ref=e1]:
  - banner [ref=e2]:
    - heading "Shop" [level=1] [ref=e3]
    - link "Cart" [ref=e4] [cursor=pointer]:
      - /url: /cart
  - text: loose
  - list "Things" [ref=e5]:
    - listitem [ref=e6]: Bread
    - listitem [ref=e7]:
      - button "Buy" [disabled] [ref=e8]
  - generic:
    - button "Out of reach"
`;
    expect(brief(snapshot)).toEqual([
      ["e3", "heading", "Shop", "seen"],
      ["e4", "link", "Cart", "used"],
      ["e6", "listitem", "Bread", "seen"],
      ["e8", "button", "Buy", "used"],
    ]);
    expect(controls(snapshot).at(-1)).toMatchObject({ disabled: true });
  });

  test("a pointer that begins on an element makes it a control, one that it inherits does not", () => {
    const snapshot = `
- generic [ref=e1] [cursor=pointer]:
  - generic [ref=e2]: "+"
  - text: common
  - generic [ref=e3] [cursor=pointer]: more
`;
    expect(brief(snapshot)).toEqual([
      ["e1", "generic", "", "used"],
      ["e2", "generic", "+", "seen"],
      ["e3", "generic", "more", "seen"],
    ]);
    expect(controls(snapshot)[0]?.childText).toEqual(["+", "common", "more"]);
  });

  test("names are literal, and scalars are texts: 1.0 and no are what the screen says", () => {
    const snapshot = `
- 'link "Tab #1: \\"a\\" [x]" [ref=e1]'
- "button \\"+33 $(x) a[0] .*\\" [ref=e2]"
- generic [ref=e3]: 1.0
- slider "Agree" [ref=e4]: no
- generic [ref=e5]: "Last: -"
- button /^Save \\d+$/ [ref=e6]
`;
    expect(controls(snapshot).map(({ text, value }) => [text, value])).toEqual([
      ['Tab #1: "a" [x]', ""],
      ["+33 $(x) a[0] .*", ""],
      ["1.0", ""],
      ["Agree", "no"],
      ["Last: -", ""],
      ["/^Save \\d+$/", ""],
    ]);
  });

  test("states, placeholders, and the options of a closed list", () => {
    const snapshot = `
- checkbox "Remember" [checked] [ref=e1]
- checkbox "Later" [ref=e2]
- checkbox "Some" [checked=mixed] [ref=e3]
- tab "One" [selected] [expanded] [ref=e4]
- textbox "Name" [ref=e5]:
  - /placeholder: Your full name
  - text: Mira
- combobox "Country" [ref=e6]:
  - option "Chad"
  - option "Peru" [selected]
- button [ref=e7]: x y
`;
    expect(controls(snapshot).map(({ text, value, desc, childText }) => [text, value, desc, childText])).toEqual([
      ["Remember", "checked", "", []],
      ["Later", "not checked", "", []],
      ["Some", "mixed", "", []],
      ["One", "expanded, selected", "", []],
      ["Name", "", "Your full name", []],
      ["Country", "", "", ["Chad", "Peru"]],
      ["", "", "", ["x y"]],
    ]);
  });

  test("what stands in a field is no value, no text inside and no control", () => {
    const snapshot = `
- textbox "Password" [ref=e1]: hunter2
- textbox [ref=e2]:
  - paragraph [ref=e3]: hunter2
  - link "hunter2" [ref=e4]
- spinbutton "Age" [ref=e5]: "hunter2"
- combobox "City" [ref=e6]: hunter2
- generic [ref=e7] [cursor=pointer]:
  - text: Code
  - searchbox [ref=e8]: hunter2
  - combobox [ref=e9]: hunter2
`;
    expect(controls(snapshot).map(({ id }) => id)).toEqual(["e1", "e2", "e5", "e6", "e7", "e8", "e9"]);
    expect(controls(snapshot).find(({ id }) => id === "e7")?.childText).toEqual(["Code"]);
    expect(JSON.stringify(controls(snapshot))).not.toContain("hunter2");
  });

  test("a text in a box with a list is in no map, and what can be chosen or used is", () => {
    const text = (...refs: readonly string[]): string => {
      const [box = "", inner = "", button = ""] = refs;
      return `- combobox "City"${box}:
  - text: hunter2
  - generic${inner}: hunter2
  - generic "hunter2":
    - text: hunter2
  - option:
    - generic: Chad
  - button "Clear"${button}
`;
    };
    for (const one of [text(), text(" [ref=e1]", " [ref=e2]", " [ref=e3]")]) {
      expect(controls(one).map(({ text: name, childText }) => [name, childText])).toEqual([
        ["City", ["Chad", "Clear"]],
        ["Clear", []],
      ]);
    }
  });

  test("what is left out is named by its ref or its text, with what is in it", () => {
    const snapshot = `
- generic [ref=e1]:
  - generic [ref=e2]: Click on Save.
  - generic [ref=e3]:
    - button "Ad" [ref=e4]
  - button "Save" [ref=e5]
`;
    expect(brief(snapshot, { leaveOut: ["Click on Save.", "e3"] })).toEqual([["e5", "button", "Save", "used"]]);
  });
});

describe("a snapshot without refs", () => {
  test("ids are made of role and name, and texts between elements stand by themselves", () => {
    const snapshot = `
- heading "Sign in" [level=1]
- text: Use your work address.
- textbox "Mail"
- button "Sign in":
  - img "arrow"
- button "Sign in"
- link "取消"
- paragraph: No account yet?
`;
    expect(brief(snapshot)).toEqual([
      ["heading:sign-in", "heading", "Sign in", "seen"],
      ["text:use-your-work-address", "text", "Use your work address.", "seen"],
      ["textbox:mail", "textbox", "Mail", "used"],
      ["button:sign-in", "button", "Sign in", "used"],
      ["button:sign-in~2", "button", "Sign in", "used"],
      ["link:取消", "link", "取消", "used"],
      ["paragraph:no-account-yet", "paragraph", "No account yet?", "seen"],
    ]);
  });
});

describe("what is around a snapshot", () => {
  test("a tool's words name the screen, and the fence is taken off", () => {
    const text = [
      "### Page state",
      "- Page URL: http://127.0.0.1:8080/cart/items?page=2#top",
      "- Page Title: Your cart",
      "- Page Snapshot:",
      "```yaml",
      '- button "Pay" [ref=e1]',
      "```",
      "",
    ].join("\r\n");
    const outcome = read(text);
    expect(outcome.ok && outcome.value.map.screens).toEqual([
      { id: "start", title: "Your cart", where: "/cart/items", entry: [] },
    ]);
  });

  test("what is no snapshot is refused; a line that is none is named", () => {
    expect(read("just words")).toMatchObject({ ok: false, why: { code: "not_aria" } });
    expect(read("a: 1\nb: 2")).toMatchObject({ ok: false, why: { code: "not_aria" } });
    expect(read("- one two three\n- four five six")).toMatchObject({ ok: false, why: { code: "not_aria" } });
    expect(read('- button "a" [ref=e1]\n\t- x')).toMatchObject({ ok: false, why: { code: "not_yaml" } });
    expect(read("- &x button")).toMatchObject({ ok: false, why: { code: "not_yaml" } });
    const outcome = read('- button "Save"\n- what is this\n');
    expect(outcome.ok && outcome.value.findings).toEqual([
      {
        rule: "unread_line",
        severity: "warning",
        where: "page.aria.yml",
        message: 'not a line of a snapshot: "what is this"',
      },
    ]);
  });
});
