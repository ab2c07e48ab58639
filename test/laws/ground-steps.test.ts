/** The laws of what a step may say besides its control's name: docs/score-1.md, "In a guide". */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Guide } from "../../src/domain/guide.ts";
import { type GroundIndex, gate, groundGuide } from "../../src/guides/index.ts";
import { indexOf } from "../ground-map.ts";
import { seed } from "../seed.ts";

/** Words that no list has, none of them a typo of another. */
const WORDS = [
  ...["Falcon", "Orchard", "Lantern", "Meadow", "Copper", "Harbour", "Velvet", "Thunder", "Pebble", "Saffron"],
  ...["Glacier", "Walnut", "Marble", "Cobalt", "Willow", "Quartz", "Ember", "Juniper", "Raven", "Tundra"],
];

/** A name in the map, and one that is in no map: of one word or two. */
const names = fc
  .shuffledSubarray(WORDS, { minLength: 8, maxLength: 8 })
  .chain(([a = "", b = "", c = "", d = "", ...others]) =>
    fc.record({
      name: fc.constantFrom(a, `${a} ${b}`),
      absent: fc.constantFrom(c, `${c} ${d}`, c.toLowerCase()),
      other: fc.constant(others.join(" ")),
    }),
  );

/** A form with both names asks for what is not there, or for nothing to be done. */
const ASK: Readonly<Record<string, (name: string, absent: string) => string>> = {
  juxtaposed: (x, n) => `press "${x}" ${n}`,
  aswell: (x, n) => `press "${x}" as well as ${n}`,
  followed: (x, n) => `press "${x}" followed by ${n}`,
  linked: (x, n) => `press "${x}" and ${n}`,
  afterwards: (x, n) => `press "${x}", then ${n}`,
  instrument: (x, n) => `press "${x}" with ${n}`,
  inFavour: (x, n) => `press "${x}" for ${n}`,
  cornered: (x, n) => `press "${x}" \u300e${n}\u300f`,
  guillemets: (x, n) => `press "${x}" \u2039${n}\u203a`,
  brackets: (x, n) => `press "${x}" \u3010${n}\u3011`,
  arrow: (x, n) => `press "${x}" \u25b8 ${n}`,
  slash: (x, n) => `press "${x}" / ${n}`,
  opens: (x, n) => `press "${x}" to open ${n}`,
  clicks: (x, n) => `press "${x}" to click the ${n} button`,
  purpose: (x, n) => `press "${x}" to ${n}`,
  purposeFirst: (x, n) => `to press ${n}, press "${x}"`,
  beside: (x, n) => `press "${x}" beside ${n}`,
  dialog: (x, n) => `press "${x}" in the ${n} dialog`,
  page: (x, n) => `on the ${n} page, press "${x}"`,
  except: (x, n) => `press "${x}" except ${n}`,
  unless: (x, n) => `press "${x}" unless ${n} is on`,
  not: (x) => `do not press "${x}"`,
  never: (x) => `never press "${x}"`,
  instead: (x, n) => `instead of "${x}" use ${n}`,
  value: (x, n) => `set "${x}" to on with the ${n} button`,
  valueAfter: (x, n) => `set "${x}" to 12 after ${n}`,
  valueIn: (x, n) => `set "${x}" to 12 in ${n}`,
  typedInto: (x, n) => `type "x" into "${x}" ${n}`,
  typedWith: (x, n) => `type "x" with ${n} into "${x}"`,
  waits: (x, n) => `wait for the ${n} button and press it, then press "${x}"`,
  waitsFor: (x, n) => `press "${x}" and wait for ${n}`,
  checks: (x, n) => `press "${x}" and check the ${n} box`,
  checksQuoted: (x, n) => `check the box "${n}" and press "${x}"`,
  verifies: (x, n) => `press "${x}" and verify by pressing ${n}`,
  scrolls: (x, n) => `scroll down to ${n} and press it, then press "${x}"`,
  condition: (x, n) => `if ${n} is shown, press "${x}"`,
  goes: (x, n) => `go to ${n} and press "${x}"`,
};

/** A form with the one name says no more than how it is used. */
const USE: Readonly<Record<string, (name: string) => string>> = {
  quoted: (x) => `press "${x}"`,
  cornered: (x) => `press \u300e${x}\u300f`,
  bare: (x) => `tap ${x}`,
  button: (x) => `click the ${x} button`,
  typed: (x) => `type "John Smith" into "${x}"`,
  entered: (x) => `enter the customer's name in the ${x} field`,
  value: (x) => `set "${x}" to 12`,
  waits: (x) => `press "${x}" and wait for the page to load`,
  scrolls: (x) => `scroll down and press "${x}"`,
  scrollsTo: (x) => `scroll down to "${x}" and press it`,
  once: (x) => `once the page has loaded, press "${x}"`,
  asked: (x) => `if asked, press "${x}"`,
  checks: (x) => `open "${x}" and check the result`,
  makesSure: (x) => `make sure "${x}" is turned on`,
  continues: (x) => `press "${x}" to continue`,
  sees: (x) => `tap "${x}" to see the next screen`,
  confirms: (x) => `press "${x}" to confirm your changes`,
  top: (x) => `press "${x}" at the top of the screen`,
  corner: (x) => `tap the "${x}" button in the bottom right corner`,
  list: (x) => `select "${x}" from the list`,
  dialog: (x) => `press "${x}" in the dialog`,
  again: (x) => `press "${x}", then press it again`,
};

function verdictOf(index: GroundIndex, intent: string, control: string | null): string {
  const milestones = [{ screen: null, intent, control }];
  const guide: Guide = {
    ...{ version: 1, id: "g", task: "", preconditions: [], entry: [], milestones, fallback: "", scope: "" },
  };
  return gate(groundGuide(index, guide)).verdict;
}

const mapWith = (name: string, other: string): GroundIndex =>
  indexOf([{ id: "x", text: name, role: "textbox" }, other, "Save", "Account settings"]);

test.each(Object.entries(ASK))("[ground-gate] a name that no control has is never served: %s", (_, form) => {
  fc.assert(
    fc.property(names, ({ name, absent, other }) => {
      const index = mapWith(name, other);
      for (const id of ["x", null]) expect(verdictOf(index, form(name, absent), id)).toBe("suppressed");
    }),
    { seed, numRuns: 40 },
  );
});

test.each(Object.entries(USE))("[ground-gate] what says how a control is used is served: %s", (_, form) => {
  fc.assert(
    fc.property(names, ({ name, other }) => {
      const index = mapWith(name, other);
      for (const id of ["x", null]) expect(verdictOf(index, form(name), id)).toBe("served");
    }),
    { seed, numRuns: 40 },
  );
});

test("[ground-gate] no text of a step throws, and a word that nothing knows keeps any step from being served", () => {
  const said = fc.array(
    fc.constantFrom(
      ...[
        '"Falcon"',
        "Falcon",
        "press",
        "and",
        "then",
        "to",
        "in",
        "the",
        "wait",
        "for",
        "page",
        "scroll",
        "down",
        "until",
      ],
      ...[
        "if",
        "asked",
        "set",
        "12",
        "with",
        "type",
        "into",
        "make",
        "sure",
        "is",
        "on",
        "button",
        "it",
        ",",
        "(",
        ")",
        "open",
      ],
    ),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(said, said, fc.string({ unit: "binary", maxLength: 20 }), (before, behind, any) => {
      const index = mapWith("Falcon", "Orchard");
      verdictOf(index, [...before, any, ...behind].join(" "), "x");
      const step = [...before, "Tundra", ...behind].join(" ");
      // Where it may be a value, it is data.
      fc.pre(!/\b(?:set|type)\b/.test(step));
      expect(verdictOf(index, step, "x")).toBe("suppressed");
    }),
    { seed, numRuns: 2_000 },
  );
});
