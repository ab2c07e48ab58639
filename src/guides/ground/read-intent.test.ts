import { describe, expect, test } from "vitest";
import type { Intent } from "./intent.ts";
import { readIntent } from "./read-intent.ts";
import { SCORE_1 } from "./score-1.ts";

const words = ({ tokens }: Intent, places: readonly number[]): string => places.map((i) => tokens[i]?.text).join(" ");
const clauses = (text: string) => {
  const intent = readIntent(text);
  return intent.clauses.map(({ tokens, kind }) => `${kind}: ${words(intent, tokens)}`);
};
const asides = (text: string) => {
  const intent = readIntent(text);
  return intent.tokens.flatMap(({ text }, i) => (intent.asides[i] === null ? [] : [`${text}:${intent.asides[i]}`]));
};
const quoted = (text: string) => {
  const intent = readIntent(text);
  return words(
    intent,
    intent.tokens.flatMap((_, i) => (intent.quotes[i] === -1 ? [] : [i])),
  );
};

describe("quotations", () => {
  test.each([
    ['click "Save all" now', "save all"],
    ["click 'Bob's list' now", "bob list"],
    ["Bob's and Alice's", ""],
    ["click \u201cOK\u201d and \u00abNo\u00bb", "ok no"],
    ["click `a` or \u300c取消\u300d", "a 取消"],
    ['one " alone', ""],
    ['""', ""],
  ])("%s", (text, inside) => {
    expect(quoted(text)).toBe(inside);
  });
});

describe("clauses", () => {
  test.each<[string, readonly string[]]>([
    ["Select A and click Submit.", ["main: select a", "main: click submit ."]],
    ["terms and privacy", ["main: terms and privacy"]],
    ["Click Done to close the dialog", ["main: click done", "purpose: close the dialog"]],
    ["To delete a flow, click Delete", ["purpose: delete a flow", "main: click delete"]],
    ["Close it by clicking the x", ["main: close it", "means: clicking the x"]],
    ["icon next to search", ["main: icon next to search"]],
    ["pay 1,000 now", ["main: pay 1 , 000 now"]],
    ["open a.b", ["main: open a . b"]],
    ['click "one, two"', ['main: click " one , two "']],
    ["Click to expand", ["main: click to expand"]],
    ["...", ["main: . . ."]],
    ["", []],
  ])("%s", (text, parts) => {
    expect(clauses(text)).toEqual(parts);
  });

  test.each<[string, readonly string[]]>([
    ["Could you please click Save?", ["beside: could you please", "main: click save ?"]],
    ["Can we open Help", ["beside: can we", "main: open help"]],
    ["let's just open Help", ["beside: let just", "main: open help"]],
    ["make sure that you save it", ["beside: make sure that you", "main: save it"]],
    ["I'd like you to click Save", ["beside: i ' d like you", "main: click save"]],
    ["we need to rotate it", ["beside: we need", "main: rotate it"]],
    ["We spoke and now I want you to save it", ["beside: we spoke and now i want you", "main: save it"]],
    ["I think you should just click Save", ["beside: i think you should just", "main: click save"]],
    ["first click Save", ["beside: first", "main: click save"]],
    // None of these asks.
    ["First name", ["main: first name"]],
    ["Just Dance", ["main: just dance"]],
    ["Please", ["main: please"]],
    ["show what you need to buy", ["main: show what you need to buy"]],
    ["If you want to save it, click OK", ["beside: if you want to save it", "main: click ok"]],
    ["I can not read", ["main: i can not read"]],
  ])("how it is asked for: %s", (text, parts) => {
    expect(clauses(text)).toEqual(parts);
  });

  test.each<[string, readonly string[]]>([
    ["click Save because it is late and I am tired", ["main: click save", "beside: it is late and i am tired"]],
    ["click Save since I want to close it", ["main: click save", "beside: i want to close it"]],
    ["click Save, so that we can go", ["main: click save", "beside: so that we can go"]],
    ["click Save as it is late, then click OK", ["main: click save", "beside: it is late", "main: click ok"]],
    ["click Save because it is late and open Help", ["main: click save", "beside: it is late", "main: open help"]],
    // None of these is a reason.
    ["click since we met", ["main: click since we met"]],
    ["save as a copy", ["main: save as a copy"]],
    ['click "because it is late"', ['main: click " because it is late "']],
  ])("why: %s", (text, parts) => {
    expect(clauses(text)).toEqual(parts);
  });

  test.each<[string, readonly string[]]>([
    ["First, click Save", ["beside: first", "main: click save"]],
    ["OK, click Save", ["beside: ok", "main: click save"]],
    ["Step 2: click Save", ["beside: step 2", "main: click save"]],
    ["On the current screen, click Save", ["beside: on the current screen", "main: click save"]],
    ["On the Help page, click Save", ["beside: on the help page", "main: click save"]],
    ["If you see Help, click Save", ["beside: if you see help", "main: click save"]],
    ["Because it is late, click Save", ["beside: because it is late", "main: click save"]],
    ["My brother asked me. Click Save", ["beside: my brother asked me", "main: click save"]],
    ["The brother asked. Please click Save", ["beside: the brother asked", "beside: please", "main: click save"]],
    ["First, click here", ["beside: first", "main: click here"]],
    // Alone, or before nothing that names anything, they may be names; and what is done is done.
    ["First", ["main: first"]],
    ["OK, now", ["main: ok", "main: now"]],
    ["For Help, click it", ["main: for help", "main: click it"]],
    ["click First, click Save", ["main: click first", "main: click save"]],
    ["Switch it, please click Save", ["main: switch it", "beside: please", "main: click save"]],
    ["click Save, OK", ["main: click save", "main: ok"]],
  ])("before what is to be done: %s", (text, parts) => {
    expect(clauses(text)).toEqual(parts);
  });

  test("a naming is known by its verb, or by having none", () => {
    const naming = (text: string) => readIntent(text).clauses.map((clause) => clause.naming);
    expect(naming("click save all")).toEqual([true]);
    expect(naming("Network & internet")).toEqual([true]);
    expect(naming("save everything")).toEqual([false]);
    expect(naming("show the page")).toEqual([false]);
  });

  test("a quotation that is a name is a designation, and one that is a value is none", () => {
    const designated = (text: string) => {
      const intent = readIntent(text);
      return intent.clauses.map((clause) => (clause.designated === null ? null : words(intent, clause.designated)));
    };
    expect(designated('click on the "Reply"')).toEqual(["reply"]);
    expect(designated("find the 'delete subflow' button")).toEqual(["delete subflow"]);
    expect(designated("a button labeled 'Go'")).toEqual(["go"]);
    expect(designated("export all to 'messages.json'")).toEqual([null]);
  });
});

describe("asides", () => {
  test.each<[string, readonly string[]]>([
    ["click the icon beside stars", ["beside:landmark", "stars:landmark"]],
    ["the icon which is above it", ["which:landmark", "is:landmark", "above:landmark", "it:landmark"]],
    ["next page", []],
    ["icon next to Save", ["next:landmark", "to:landmark", "save:landmark"]],
    ["change from grid to list", ["from:old", "grid:old"]],
    ["sort in the gallery app by name", ["in:place", "the:place", "gallery:place", "app:place"]],
    ["type foo in the search bar", []],
    ['click "icon beside stars"', []],
  ])("%s", (text, marked) => {
    expect(asides(text)).toEqual(marked);
  });
});

describe("readings", () => {
  const readings = (text: string) => {
    const intent = readIntent(text);
    return intent.readings.map(({ kind, tokens }) => `${kind}: ${words(intent, tokens)}`);
  };

  test("what something is changed to is read by itself", () => {
    expect(readings("change the font size to medium")).toContain("object: change the font size");
    expect(readings("change the font size to medium")).toContain("value: medium");
  });

  test("what is typed is no control", () => {
    expect(readings("type Settings into the search box")).toContain("object: the search box");
    expect(readings("type Settings into the search box").some((reading) => reading.startsWith("value"))).toBe(false);
  });

  test("a word for what one does is part of a name elsewhere", () => {
    const { tokens, classes } = readIntent("Add a Switch node");
    expect(tokens.map(({ text }, i) => `${text} ${classes[i]}`)).toEqual([
      "add action",
      "a stop",
      "switch content",
      "node noun",
    ]);
  });

  test("a name may go over several clauses, and over nothing that is said beside them", () => {
    const whole = (text: string) => readings(text).filter((reading) => reading.startsWith("whole"));
    expect(whole("First, save it, close it")).toEqual(["whole: save it close it"]);
    expect(whole("First, save it")).toEqual([]);
  });

  test("an intent is read up to a limit", () => {
    const at = (count: number) => readIntent(Array.from({ length: count }, () => "word").join(" "));
    const most = SCORE_1.intentTokensMax;
    expect([at(most - 1).overlong, at(most).overlong, at(most + 1).overlong]).toEqual([false, false, true]);
    expect(at(most + 1).tokens.length).toBe(most);
  });
});
