import { describe, expect, test } from "vitest";
import { indexOf, type Row } from "../../../test/ground-map.ts";
import { ground } from "./ground.ts";

/** The name of what is bound; null where nothing is. */
function bound(rows: readonly Row[], intent: string): string | null {
  const index = indexOf(rows);
  const { bound: id } = ground(index, intent);
  const control = id === null ? undefined : index.byId.get(id);
  return control === undefined ? null : control.text || control.desc || control.resourceId;
}

const rules = (rows: readonly Row[], intent: string) => ground(indexOf(rows), intent).findings.map(({ rule }) => rule);

describe("particles and opposites", () => {
  const signs = ["Sign in", "Sign up", "Sign out", "Help"];
  test.each([
    ["sign up", "Sign up"],
    ["tap the sign-in button", "Sign in"],
    ["log out", "Sign out"],
    ["register", "Sign up"],
    ["login", "Sign in"],
  ])("%s is %s", (intent, name) => {
    expect(bound(signs, intent)).toBe(name);
  });

  test.each([
    ["Upload", "download the file"],
    ["Next", "previous"],
    ["Zoom in", "zoom out"],
    ["Sign out", "sign up"],
    ["Import contacts", "export the contacts"],
    ["Sort ascending", "sort descending"],
    ["10 minutes", "5 minutes"],
    ["Tab 2", "click on tab 1"],
    // What is done is said before the preposition, behind which the rest of the name is.
    ["Paste into PDF document", "copy the text from the PDF document"],
  ])("%s is not what %s means", (name, intent) => {
    expect(bound([name], intent)).toBe(null);
  });

  test("one and the same switch is for on and off, and a button is not", () => {
    expect(bound([{ role: "checkbox", text: "Show hidden files" }], "hide hidden files")).toBe("Show hidden files");
    expect(bound([{ role: "checkbox", text: "Start week on Sunday ON" }], "disable start week on Sunday")).not.toBe(
      null,
    );
    expect(bound(["Show hidden files"], "hide hidden files")).toBe(null);
    expect(bound([{ role: "switch", text: "Wi-Fi" }], "turn off wifi")).toBe("Wi-Fi");
  });
});

describe("what leaves something other than it was", () => {
  test.each<[Row, string]>([
    ["Delete browsing data", "view browsing data"],
    ["Add to Wish List", "open the wish list"],
    ["Add to Cart", "go to the cart"],
    ["Reset settings", 'open "Settings"'],
    ["Delete all messages", "I would like to see all messages"],
  ])("%j does what %s does not say", (row, intent) => {
    expect(bound([row, "Help", "About"], intent)).toBe(null);
  });

  test.each([
    ["Delete browsing data", "erase the browsing data"],
    ["Add to Cart", "click the cart button"],
    ["Add to Cart", "add the printer to the cart"],
    ["Create account", "make a new account"],
    ["Share app", "Share app"],
    ["Export settings", "open export settings"],
    ["New releases", "view new releases"],
  ])("%s is said, or nothing else is, by %s", (name, intent) => {
    expect(bound([name, "Help", "About"], intent)).toBe(name);
  });

  test("what it would be as near to is not bound in its place", () => {
    const rows = ["Empty the recycle bin", { role: "checkbox", text: "Show the recycle bin at the folders screen" }];
    expect(bound(rows, "view the recycle bin")).toBe(null);
    expect(rules(rows, "view the recycle bin")).toEqual(["ambiguous"]);
    expect(bound(["Recycle bin", ...rows], "view the recycle bin")).toBe("Recycle bin");
    expect(rules(["Delete", "Attachments", "Reply"], "delete the attachments")).toEqual(["ambiguous"]);
  });

  test.each<[Row, string]>([
    ["Bookmark", "delete the bookmark"],
    [{ role: "checkbox", text: "GIFs" }, "share the GIFs"],
    ["Security update", "uninstall the security update"],
    ["Attachment", "download the attachment"],
    ["Favorites", "remove it from favorites"],
  ])("%j does not what %s says", (row, intent) => {
    expect(bound([row, "Help", "About"], intent)).toBe(null);
  });

  test.each([
    ["Ringtone", "edit the ringtone"],
    ["Attachment", "add an attachment"],
    ["Delete", "delete the message"],
  ])("%s is where %s begins", (name, intent) => {
    expect(bound([name, "Help", "About"], intent)).toBe(name);
  });
});

describe("landmarks", () => {
  const rows = ["Stars", "Save", "Delete", "Next page"];
  test.each([
    "tap the icon beside stars",
    "click the icon next to Save",
    "the button below Delete",
    "icon above the stars",
  ])("[ground-landmark] %s is none of them", (intent) => {
    expect(bound(rows, intent)).toBe(null);
    expect(rules(rows, intent)).toEqual(["deictic"]);
  });

  test("what has a name beside a landmark is bound", () => {
    expect(bound(rows, "the Delete button below Save")).toBe("Delete");
  });

  test("a name with the landmark's own words is a name", () => {
    expect(bound([...rows, "Show below the stars"], "click show below the stars")).toBe("Show below the stars");
    expect(bound(["1 hour before", "Hour"], "remind me 1 hour before")).toBe("1 hour before");
    expect(bound(rows, "go to the next page")).toBe("Next page");
  });

  test.each(["click it", "this one", "the first button", "select the 2nd check box", "tap here"])(
    "%s only points",
    (intent) => {
      expect(rules(rows, intent)).toEqual(["deictic"]);
    },
  );

  test("an ordinal that is part of a name is one", () => {
    expect(bound(["First name", "Last name"], "click first name")).toBe("First name");
    expect(bound(["Image"], "click the second image")).toBe(null);
  });
});

describe("what is done, with what, and to what", () => {
  test("the object goes before the value, which is bound where it alone is there", () => {
    expect(bound(["Font size", "Language"], "change the font size to medium")).toBe("Font size");
    expect(bound(["Small", "Medium", "Large"], "change the font size to medium")).toBe("Medium");
    expect(bound(["Font size", "Small", "Medium", "Large"], "change the font size to medium")).toBe("Font size");
  });

  test("what was there before is not what is wanted", () => {
    expect(
      bound(
        [
          { role: "radio", text: "Grid" },
          { role: "radio", text: "List" },
        ],
        "change the view from grid to list",
      ),
    ).toBe("List");
  });

  test("what is typed is no control, and the field is", () => {
    const rows: readonly Row[] = ["Settings", { role: "textbox", desc: "Email" }, { role: "checkbox", text: "Email" }];
    expect(bound(rows, "type Settings into the email field")).toBe("Email");
    expect(ground(indexOf(rows), "type Settings into the email field").bound).toBe("c1");
    expect(ground(indexOf(rows), "check the Email checkbox").bound).toBe("c2");
    expect(ground(indexOf([{ role: "textbox", text: "Search" }, "Search"]), "type foo in the search box").bound).toBe(
      "c0",
    );
    expect(ground(indexOf([{ role: "textbox", text: "Search" }, "Search"]), "click the search button").bound).toBe(
      "c1",
    );
  });

  test("nobody types into a text beside the field", () => {
    const label: Row = { role: "StaticText", text: "Mail address", clickable: false };
    expect(bound([label, "Help"], "enter the mail address")).toBe(null);
    expect(ground(indexOf([{ role: "textbox", text: "Phone" }, "Phone"]), "type the phone").bound).toBe("c0");
    expect(bound(["Settings", "Help"], "enter the settings")).toBe("Settings");
  });

  test("a long description is not diluted", () => {
    const intent = "Sort all of the holiday folders of my family on this phone by date for the next time";
    expect(bound(["Date", "Cancel", "OK"], intent)).toBe("Date");
  });

  test("a name that is half said, by words half of which it has, is not meant", () => {
    expect(bound(["Privacy policy", "Notice board"], "click on privacy notice")).toBe(null);
    expect(bound(["Send"], "click on send feedback with details")).toBe(null);
  });

  test("a place says where, and is no name by itself", () => {
    expect(bound(["Gallery", "Sort by"], "sort the folders in the gallery app")).toBe("Sort by");
    expect(bound(["Gallery"], "rotate pictures in the gallery app")).toBe(null);
    expect(bound(["Menu"], "click on the menu")).toBe("Menu");
  });

  test("a quotation of which less than three quarters is in a name says nothing of it", () => {
    const index = indexOf(["Export messages", "Large blue text"]);
    expect(ground(index, 'export "old messages"').bound).toBe(null);
    expect(ground(index, 'make it "large blue text please"').bound).toBe("c1");
    expect(ground(index, 'make it "large blue text please now"').bound).toBe(null);
  });

  test("a name in quotation marks is that name or none", () => {
    expect(bound(["Save", "Save all"], 'Klicken Sie auf "Save all"')).toBe("Save all");
    expect(bound(["Flows", "Cancel"], "To delete a flow, click the 'Delete' button in the flows dialog")).toBe(null);
    expect(bound(["New event", "Event types"], "change the type of 'regular event'")).not.toBe("New event");
  });
});

test.each(["\u300e", "\u2039", "\u3010", "\u201e", "\u275d", "'", "\u201d"])(
  "a name that is not quite one is near in any marks: %s",
  (mark) => {
    const close =
      { "\u300e": "\u300f", "\u2039": "\u203a", "\u3010": "\u3011", "\u201e": "\u201c", "\u275d": "\u275e" }[mark] ??
      mark;
    const { bound, nearest } = ground(indexOf(["Reset password", "Cancel"]), `press ${mark}Reset passphrase${close}`);
    expect([bound, nearest[0]?.id]).toEqual([null, "c0"]);
  },
);

describe("looks, short forms and typos", () => {
  test.each<[Row, string]>([
    ["Settings", "tap the gear icon"],
    [{ desc: "Search", role: "ImageButton" }, "magnifier icon"],
    ["Close", "click the x"],
    [{ desc: "Navigate up" }, "go back"],
    [{ desc: "Navigate up" }, "click on back arrow"],
    ["Delete history", "wipe the history"],
    [{ desc: "More options" }, "tap the three dots"],
    [{ desc: "Open navigation drawer" }, "open the hamburger menu"],
    ["Dialpad", "open the dial pad"],
    ["dd mm", "select ddmm"],
    ["http request", "add an HttpRequest node"],
    ["30 minutes", "change the snooze time to 30 min"],
    ["Downloads", "view dowloads"],
    ["Sort by", "sorting"],
  ])("%j is meant by %s", (row, intent) => {
    expect(ground(indexOf([row, "Something else"]), intent).bound).toBe("c0");
  });
});

describe("what is said beside what is to be done", () => {
  const rows = ["Save", "OK", "Next", "Current page", "Reading list", "Delete all"];
  test.each([
    "first, click save",
    "OK, now click save",
    "Next, click save",
    "3. click save",
    "on the current screen, click save",
    "on the reading list, click save",
    "go there, click save",
    "could you save",
    "please could you click save?",
    "I would like you to click save",
    "I was talking to a colleague yesterday and now I would like you to click save",
    "I need to click save",
    "We read the list. Please click save",
    "click save because I am reading the next page of the list",
    "click save, so that I can read the list",
    "since it is the last page, click save",
  ])("%s", (intent) => {
    expect(bound(rows, intent)).toBe("Save");
    expect(rules(rows, intent)).toEqual([]);
  });

  test("does not name anything, where nothing else is said either", () => {
    expect(bound(rows, "OK")).toBe("OK");
    expect(bound(rows, "next")).toBe("Next");
    expect(bound(rows, "click OK, then click save")).toBe("OK");
    expect(rules(rows, "click OK, then click save")).toEqual(["two_controls"]);
    expect(rules(rows, "could you click it")).toEqual(["deictic"]);
    expect(bound(rows, "rotate it because I want to delete all")).toBe(null);
    expect(bound(rows, "on the reading list, rotate the picture")).toBe(null);
    expect(bound(["Could you hear us?", "Hear"], "click Could you hear us?")).toBe("Could you hear us?");
    expect(bound(["Tab 1", "Tab 3"], "3. Click on Tab 1.")).toBe("Tab 1");
    expect(bound(["Save", "Delete all"], 'click Save because the "Delete all" button is gone')).toBe("Save");
  });
});

describe("mistyped words", () => {
  const rows = ["Income", "Edit", { desc: "Forward" }, { desc: "More options" }, "Sort by"];
  test.each([
    ["selct the income buton", "Income"],
    ["clck on income", "Income"],
    ["eslect icnome", "Income"],
    ["click on the edit opton", "Edit"],
    ["click on forard", "Forward"],
    ["tap more optons", "More options"],
    ["sortign", "Sort by"],
  ])("%s", (intent, name) => {
    expect(bound(rows, intent)).toBe(name);
  });

  test("a word that a name has says that name, and a known word says itself", () => {
    expect(bound(["Buton", "Button"], "click buton")).toBe("Buton");
    expect(bound(["Block"], "click black")).toBe(null);
    expect(bound(["Start"], "star")).toBe(null);
    // As near to a name as to a word of the lists.
    expect(bound(["Optics"], "click optios")).toBe("Optics");
    expect(bound(["Charge"], "charge it")).toBe("Charge");
  });

  test("is no more than a typo in the score", () => {
    expect(ground(indexOf(["Search"]), "serach").score).toBe(0.85);
    expect(ground(indexOf(["Search"]), "search").score).toBe(1);
  });
});

describe("names that look like patterns (Maestro#2480, #1479, #1211)", () => {
  const rows = [
    "+33 ",
    "33",
    "testID[0]",
    "testID[1]",
    "$",
    "$5",
    "Item (1)",
    "Item [1]",
    "C",
    "C++",
    ".*",
    "a.b",
    "(all)",
    "^",
  ];
  test.each([
    ["tap +33", "+33 "],
    ['tap "+33 "', "+33 "],
    ["tap 33", "33"],
    ["press testID[0]", "testID[0]"],
    ["press testID[1]", "testID[1]"],
    ["tap $", "$"],
    ["tap $5", "$5"],
    ["click Item (1)", "Item (1)"],
    ["click Item [1]", "Item [1]"],
    ["choose C", "C"],
    ["choose C++", "C++"],
    ["click .*", ".*"],
    ["click a.b", "a.b"],
    ['click "(all)"', "(all)"],
    ["press ^", "^"],
  ])("%s is %j", (intent, name) => {
    expect(bound(rows, intent)).toBe(name);
  });

  test.each(["tap .+", "tap [0-9]", "tap $1", "tap \\d+"])("%s is none of them", (intent) => {
    expect(bound(rows, intent)).toBe(null);
  });

  test("none is read as a pattern", () => {
    expect(bound(["one", "two"], "tap (one|two)")).toBe(null);
    expect(bound(["Anything"], "tap .*")).toBe(null);
    expect(bound(["ab", "abb"], "tap ab+")).toBe("ab");
  });
});

describe("scripts", () => {
  test.each<[Row, string]>([
    ["取消", "点击取消按钮"],
    ["取消", 'Click on the "取消" button.'],
    ["設定を開く", "設定を開く"],
    ["♥♥♥", 'Click on the "♥♥♥" button.'],
    ["♥", "click ♥"],
    ["...", 'click "..."'],
    ["g", "click g"],
    ["Ω", "press ω"],
    ["שלום", 'לחץ על "שלום"'],
    ["الإعدادات", "الإعدادات"],
    ["Cafe\u0301", "click caf\u00e9"],
    ["\u202eSettings\u202c", "open settings"],
    ["\uf1db Enabled", "click enabled"],
    ["GRÖSSE", "größe"],
  ])("%j is meant by %s", (row, intent) => {
    expect(ground(indexOf([row, "Something else", "其他"]), intent).bound).toBe("c0");
  });

  test("the end of a sentence is no control", () => {
    expect(bound([".", "Save"], "Save the file.")).toBe("Save");
  });
});

describe("findings", () => {
  test("six fields of one name: ambiguous, with the ids of all six (iphone-use#24)", () => {
    const { bound, findings } = ground(
      indexOf(Array(6).fill({ role: "textbox", text: "Amount" })),
      "enter 5 in Amount",
    );
    expect(bound).toBe(null);
    expect(findings).toEqual([
      {
        rule: "ambiguous",
        severity: "error",
        where: "intent",
        message: '6 controls called "Amount" are meant as well as each other: "c0", "c1", "c2", "c3", "c4", "c5"',
        controls: ["c0", "c1", "c2", "c3", "c4", "c5"],
      },
    ]);
  });

  test("unbound names the three nearest, best first", () => {
    const rows = ["Send message", "Send later", "Feedback of the week", "Privacy", "Help"];
    const { bound, nearest, findings } = ground(indexOf(rows), "click on send feedback");
    expect(bound).toBe(null);
    expect(nearest.length).toBe(3);
    expect(nearest.map(({ score }) => score)).toEqual(nearest.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(findings.map(({ rule, controls }) => [rule, controls])).toEqual([["unbound", nearest.map(({ id }) => id)]]);
    expect(findings[0]?.message).toContain(`nearest: "${nearest[0]?.id}" "${nearest[0]?.name}"`);
    expect(ground(indexOf(rows), "rotate pictures").findings[0]?.message).toBe(
      'no control is meant by "rotate pictures"; nothing is near',
    );
  });

  test("two controls in one step", () => {
    const rows = ["Save", "Export contacts", "Password"];
    const { bound, findings } = ground(indexOf(rows), "click Save, then click Export contacts");
    expect(bound).toBe("c0");
    expect(findings.map(({ rule, severity, controls }) => [rule, severity, controls])).toEqual([
      ["two_controls", "error", ["c0", "c1"]],
    ]);
    expect(rules(["Terms and privacy"], "click on terms and privacy")).toEqual([]);
  });

  test("warnings leave what is bound", () => {
    const rows: readonly Row[] = [
      { text: "Pay", disabled: true },
      { text: "Debug", role: "generic", clickable: false },
      { resourceId: "com.app:id/shareItem", role: "ImageButton" },
      "Email",
      { role: "textbox", text: "Email" },
    ];
    const index = indexOf(rows);
    const found = (intent: string) => {
      const { bound, findings } = ground(index, intent);
      return [bound, ...findings.map(({ rule, severity }) => `${rule} ${severity}`)];
    };
    expect(found("pay")).toEqual(["c0", "disabled_target warning"]);
    expect(found("click debug")).toEqual(["c1", "inert_target warning"]);
    expect(found("share item")).toEqual(["c2", "id_only warning"]);
    expect(found("type x into the email field")).toEqual(["c4", "duplicate_name warning"]);
  });

  test("nothing said, and too much", () => {
    expect(rules(["Save"], "  \u200b\n")).toEqual(["no_words"]);
    expect(rules(["Save"], `save ${"and ".repeat(300)}`)).toContain("overlong");
  });
});

test("a score carries its version and its map, and the map's order changes neither it nor what is bound", () => {
  const rows: readonly Row[] = [
    { id: "b", text: "Save" },
    { id: "a", text: "Save as" },
    { id: "c", text: "Send" },
  ];
  const one = ground(indexOf(rows), "save as");
  expect(one).toMatchObject({ version: "score/1", map: indexOf(rows).digest, bound: "a", score: 1 });
  const other = ground(indexOf(rows.toReversed()), "save as");
  expect({ ...other, map: "" }).toEqual({ ...one, map: "" });
  expect(other.map).not.toBe(one.map);
});

test("only the names that share a word that tells are looked at", () => {
  const index = indexOf([...Array.from({ length: 1_000 }, (_, i) => `The row number ${i}a of the list`), "Save"]);
  expect(ground(index, "click on the Save button of the list").looked).toBe(1);
  expect(ground(index, "click on the thing").looked).toBe(0);
});

test("only the controls of a screen, where one is given", () => {
  const index = indexOf([
    { text: "OK", screen: "one" },
    { text: "OK", screen: "two" },
  ]);
  expect(ground(index, "click OK").bound).toBe(null);
  expect(ground(index, "click OK", { screen: "two" }).bound).toBe("c1");
});
