import { describe, expect, test } from "vitest";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { Passwords } from "./passwords.ts";
import { readAndroid } from "./read-android.ts";
import { readIos } from "./read-ios.ts";

const READING = { app: null, where: "dump.xml", text: "", screen: null, leaveOut: [], map: null, at: 1 };

function element(name: string, attributes: Record<string, string>, ...children: readonly Markup[]): Markup {
  return { name, attributes: Object.assign(Object.create(null), attributes), children };
}

const node = (attributes: Record<string, string>, ...children: readonly Markup[]): Markup =>
  element("node", { class: "android.widget.LinearLayout", package: "com.example", ...attributes }, ...children);

function android(...children: readonly Markup[]) {
  const read = readAndroid(element("hierarchy", {}, ...children), READING, MAP_LIMITS);
  if (!read.ok) throw new Error(read.why.detail);
  return read.value;
}

describe("a screen of Android", () => {
  test("what can be clicked takes the texts inside it; a text outside stands by itself", () => {
    const { map } = android(
      node({ clickable: "true" }, node({ text: "Wi-Fi" }), node({ text: "Connected" }), node({ text: "Wi-Fi" })),
      node({ text: "All networks" }),
    );
    expect(map.controls).toEqual([
      {
        id: "n1",
        screen: "start",
        role: "LinearLayout",
        text: "",
        desc: "",
        childText: ["Wi-Fi", "Connected"],
        resourceId: "",
        value: "",
        clickable: true,
        disabled: false,
      },
      expect.objectContaining({ id: "n5", text: "All networks", clickable: false }),
    ]);
    expect(map.screens).toEqual([{ id: "start", title: "", where: "com.example", entry: [] }]);
  });

  test("a control inside a control keeps its texts to itself", () => {
    const box = node({ class: "android.widget.Switch", checkable: "true", checked: "true", text: "ON" });
    const { map } = android(node({ clickable: "true" }, node({ text: "Bluetooth" }), box));
    expect(map.controls.map(({ text, childText, value }) => [text, childText, value])).toEqual([
      ["", ["Bluetooth"], ""],
      ["ON", [], "checked"],
    ]);
  });

  test("what nothing names is counted, and no control", () => {
    const { map, findings } = android(node({ clickable: "true" }), node({ text: "x" }), node({ clickable: "true" }));
    expect(map.controls.map(({ text }) => text)).toEqual(["x"]);
    expect(findings).toEqual([
      {
        rule: "nameless",
        severity: "warning",
        where: "dump.xml",
        message: "2 controls have no name of any kind, and no step can mean them",
      },
    ]);
  });

  test("a field's name is its hint where the dump has one; what is written into it is no value of it", () => {
    const field = { class: "android.widget.EditText", clickable: "true" };
    const { map } = android(
      node({ ...field, text: "a@b.example", hint: "Mail" }),
      node({ ...field, text: "Mail", hint: "Mail" }),
      node({ ...field, text: "secret", hint: "Password", password: "true" }),
      node({ ...field, text: "••••••", password: "true", "resource-id": "pw" }),
      node({ ...field, text: "City" }),
    );
    expect(map.controls.map(({ text, value }) => [text, value])).toEqual([
      ["Mail", ""],
      ["Mail", ""],
      ["Password", ""],
      ["", ""],
      ["City", ""],
    ]);
    expect(JSON.stringify(map)).not.toContain("secret");
  });

  test("no text of a password's field is kept, however it is shown, alone or in what is around it", () => {
    const password = { class: "android.widget.EditText", password: "true" };
    for (const text of ["hunter2", "•••••2", "••••••"]) {
      const { map } = android(
        node({ ...password, text, clickable: "true", "content-desc": "Password" }),
        node({ clickable: "true", text: "Sign in" }, node({ ...password, text })),
      );
      expect(map.controls.map(({ text: name, desc, childText }) => [name, desc, childText])).toEqual([
        ["", "Password", []],
        ["Sign in", "", []],
      ]);
    }
  });

  test("a text inside a password's field is in no map; a control inside it is", () => {
    const password = { class: "android.widget.EditText", password: "true", "resource-id": "pw" };
    const inside = [
      node({ text: "hunter2" }, node({ text: "hunter2" })),
      node({ clickable: "true", "content-desc": "Show" }),
    ];
    for (const clickable of ["true", "false"]) {
      const field = node({ ...password, clickable, "content-desc": "Password" }, ...inside);
      const names = (...children: readonly Markup[]) =>
        android(...children).map.controls.map(({ id, text, desc, childText }) => [id, text, desc, childText]);
      const seen = [
        ["n1", "", "Password", []],
        ["n4", "", "Show", []],
        ["n5", "Save", "", []],
      ];
      expect(names(field, node({ text: "Save" }))).toEqual(seen);
      const around = JSON.stringify(names(node({ clickable: "true", text: "Sign in" }, field, node({ text: "now" }))));
      expect(around).toContain("now");
      expect(around).not.toContain("hunter2");
    }
  });

  test("what was a password in an earlier text stays one, by its id and its turn or by its place", () => {
    const passwords = new Passwords();
    const names = (...children: readonly Markup[]): readonly string[] => {
      const read = readAndroid(element("hierarchy", {}, ...children), READING, MAP_LIMITS, passwords);
      if (!read.ok) throw new Error(read.why.detail);
      return read.value.map.controls.map(({ text }) => text);
    };
    const field = (more: Record<string, string>): Markup =>
      node({ class: "a.EditText", clickable: "true", "resource-id": "a:id/edit", ...more });
    const [mail, pin] = [field({ text: "me", bounds: "[0,0]" }), { "resource-id": "", class: "my.PinEditText" }];
    const hidden = [mail, field({ text: "•••", password: "true", bounds: "[0,9]" })];
    const seen = field({ ...pin, text: "•", password: "true", bounds: "[0,20]" });
    expect(names(...hidden, seen, field({ text: "City" }))).toEqual(["me", "", "City"]);
    expect(names(mail, field({ text: "hunter2", bounds: "[0,5]" }))).toEqual(["me", ""]);
    expect(names(mail, field({ ...pin, class: "a.EditText", text: "1234", bounds: "[0,20]" }))).toEqual(["me"]);
    expect(names(node({ text: "label", bounds: "[0,9]" }), field({ text: "hunter2" }))).toEqual(["label", "hunter2"]);
  });

  test("states, and the class without its package", () => {
    const { map } = android(
      node({ class: "android.widget.CheckBox", text: "a", checkable: "true", checked: "false", enabled: "false" }),
      node({ class: "com.example.Tab$One", text: "b", clickable: "true", selected: "true" }),
      element("android.widget.Button", { text: "c", clickable: "true" }),
    );
    expect(map.controls.map(({ role, value, disabled }) => [role, value, disabled])).toEqual([
      ["CheckBox", "not checked", true],
      ["Tab$One", "selected", false],
      ["Button", "", false],
    ]);
  });

  test("what is left out takes what is in it along, and the others keep their ids", () => {
    const tree = [node({ "resource-id": "ad" }, node({ text: "Buy" }, node({ text: "now" }))), node({ text: "Save" })];
    const all = android(...tree).map.controls.at(-1)?.id;
    const root = element("hierarchy", {}, ...tree);
    const read = readAndroid(root, { ...READING, leaveOut: ["ad", "gone"] }, MAP_LIMITS);
    expect(read.ok && read.value.map.controls.map(({ id, text }) => [id, text])).toEqual([[all, "Save"]]);
    expect(read.ok && read.value.findings.map(({ message }) => message)).toEqual(['"gone" names no element']);
  });

  test("another document is refused, and a page source of iOS says so", () => {
    const other = readAndroid(element("html", {}), READING, MAP_LIMITS);
    expect(other).toMatchObject({ ok: false, why: { code: "not_android" } });
    const ios = readAndroid(element("AppiumAUT", {}), READING, MAP_LIMITS);
    expect(ios.ok ? "" : ios.why.detail).toContain("iOS");
  });
});

describe("a screen of iOS", () => {
  test("labels are names, identifiers are resource ids, boxes are checked or not", () => {
    const root = element(
      "AppiumAUT",
      {},
      element(
        "XCUIElementTypeApplication",
        { name: "Settings" },
        element("XCUIElementTypeNavigationBar", { name: "Keyboards" }),
        element(
          "XCUIElementTypeCell",
          { label: "Caps Lock", name: "KeyboardCaps", enabled: "false" },
          element("XCUIElementTypeStaticText", { label: "Caps Lock" }),
          element("XCUIElementTypeStaticText", { label: "For all keyboards" }),
          element("XCUIElementTypeSwitch", { label: "Caps Lock", value: "1" }),
        ),
        element("XCUIElementTypeSecureTextField", { label: "Code", value: "1234" }),
        element("XCUIElementTypeTextField", { label: "Name", value: "Mira" }),
        element("XCUIElementTypeSecureTextField", { name: "hunter2", label: "hunter2", value: "hunter2" }),
        element("XCUIElementTypeSecureTextField", { label: "PIN", value: "PIN", placeholderValue: "PIN" }),
        element("XCUIElementTypeSearchField", { value: "socks", placeholderValue: "Search" }),
        element("XCUIElementTypeSlider", { label: "Volume", value: "50 %" }),
        element("XCUIElementTypeOther", { label: "a frame" }),
        element("XCUIElementTypeStaticText", { name: "Note", value: "Note" }),
      ),
    );
    const read = readIos(root, READING, MAP_LIMITS);
    if (!read.ok) throw new Error(read.why.detail);
    const { controls, screens } = read.value.map;
    expect(screens).toEqual([{ id: "start", title: "Keyboards", where: "Settings", entry: [] }]);
    expect(
      controls.map(({ role, text, childText, resourceId, value }) => [role, text, childText, resourceId, value]),
    ).toEqual([
      ["Cell", "Caps Lock", ["For all keyboards"], "KeyboardCaps", ""],
      ["Switch", "Caps Lock", [], "", "checked"],
      ["SecureTextField", "Code", [], "", ""],
      ["TextField", "Name", [], "", ""],
      ["SecureTextField", "PIN", [], "", ""],
      ["SearchField", "Search", [], "", ""],
      ["Slider", "Volume", [], "", "50 %"],
      ["StaticText", "Note", [], "", ""],
    ]);
    expect(controls[0]?.disabled).toBe(true);
    expect(JSON.stringify(controls)).not.toContain("hunter2");
  });

  test("a text inside a password's field is in no map; a control inside it is", () => {
    const text = element("XCUIElementTypeStaticText", { label: "hunter2", value: "hunter2" });
    const show = element("XCUIElementTypeButton", { label: "Show" });
    const field = element("XCUIElementTypeSecureTextField", { label: "Password" }, text, show);
    const read = readIos(element("AppiumAUT", {}, field), READING, MAP_LIMITS);
    const controls = read.ok ? read.value.map.controls : [];
    expect(controls.map(({ text: name, childText }) => [name, childText])).toEqual([
      ["Password", []],
      ["Show", []],
    ]);
  });

  test("what was a password in an earlier text stays one", () => {
    const passwords = new Passwords();
    const names = (type: string): readonly string[] => {
      const field = { name: "hunter2", value: "hunter2", x: "1", y: "2", width: "3", height: "4" };
      const root = element("AppiumAUT", {}, element(type, field), element("XCUIElementTypeButton", { label: "Show" }));
      const read = readIos(root, READING, MAP_LIMITS, passwords);
      return read.ok ? read.value.map.controls.map(({ text }) => text) : [];
    };
    expect(names("XCUIElementTypeTextField")).toEqual(["hunter2", "Show"]);
    expect(names("XCUIElementTypeSecureTextField")).toEqual(["Show"]);
    expect(names("XCUIElementTypeTextField")).toEqual(["Show"]);
  });
});
