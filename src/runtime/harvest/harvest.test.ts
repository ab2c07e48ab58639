import { describe, expect, test } from "vitest";
import type { TextSource } from "../../domain/harvest-source.ts";
import type { Markup } from "../../domain/markup.ts";
import { parsed, unparsed } from "../../domain/parsed.ts";
import type { Harvester } from "../../ports/harvester.ts";
import { type HarvestParts, harvest } from "./harvest.ts";

function parts(loaded: string[] = []): HarvestParts {
  return {
    clock: { now: () => 42 },
    readMarkup: () => parsed({ name: "hierarchy", attributes: {}, children: [] }),
    loadWeb: async () => {
      loaded.push("web");
      return (source): Harvester => ({ kind: "web", harvest: async () => unparsed("page_failed", source.url) });
    },
  };
}

const texts = (...all: readonly (readonly [string, string, string | null])[]): TextSource => ({
  app: "shop",
  texts: all.map(([where, text, screen]) => ({ where, text, screen })),
  leaveOut: [],
  map: null,
});

describe("a harvest by its kind", () => {
  test("one text is one screen, at the clock's time", async () => {
    const found = await harvest({ kind: "aria", source: texts(["a.aria.yml", '- button "Save"', null]) }, parts());
    if (!found.ok) throw new Error(found.why.detail);
    const { app, at, source, screens, controls } = found.value.map;
    expect({ app, at, source }).toEqual({ app: "shop", at: 42, source: { kind: "aria", where: "a.aria.yml" } });
    expect([screens.map(({ id }) => id), controls.map(({ id }) => id)]).toEqual([["start"], ["button:save"]]);
  });

  test("several are the screens of one map, called like their files unless somebody names them", async () => {
    const source = texts(
      ["screens/home.aria.yml", '- button "Save"', null],
      ["screens/cart.aria.yml", '- button "Save"', null],
      ["x.yml", '- button "Save"', "paid"],
    );
    const found = await harvest({ kind: "aria", source }, parts());
    if (!found.ok) throw new Error(found.why.detail);
    expect(found.value.map.screens.map(({ id }) => id)).toEqual(["home", "cart", "paid"]);
    expect(found.value.map.controls.map(({ id, screen }) => [id, screen])).toEqual([
      ["button:save", "home"],
      ["cart/button:save", "cart"],
      ["paid/button:save", "paid"],
    ]);
    const twice = texts(["a/x.yml", '- button "a"', null], ["b/x.yml", '- button "b"', null]);
    expect(await harvest({ kind: "aria", source: twice }, parts())).toMatchObject({
      why: { code: "duplicate_screen" },
    });
  });

  test("a password of one text is none to be read in the next", async () => {
    const screen = (text: string, password: string): Markup => {
      const attributes = { class: "EditText", clickable: "true", "resource-id": "pin", text, password };
      return { name: "hierarchy", attributes: {}, children: [{ name: "node", attributes, children: [] }] };
    };
    const screens = [screen("••••", "true"), screen("hunter2", "false")];
    const readMarkup = (text: string) => parsed(screens[Number(text)] ?? screen("", ""));
    const source = texts(["a.xml", "0", null], ["b.xml", "1", null]);
    const found = await harvest({ kind: "android", source }, { ...parts(), readMarkup });
    expect(found.ok && found.value.map.controls.map(({ id, text }) => [id, text])).toEqual([
      ["n1", ""],
      ["b/n1", ""],
    ]);
  });

  test("a refusal of one of several says which", async () => {
    const source = texts(["a.yml", '- button "a"', null], ["b.yml", "words", null]);
    const found = await harvest({ kind: "aria", source }, parts());
    expect(found).toMatchObject({ ok: false, why: { code: "not_aria", detail: expect.stringMatching(/^b\.yml: /) } });
    expect(await harvest({ kind: "aria", source: texts() }, parts())).toMatchObject({ why: { code: "bad_source" } });
    expect(await harvest({ kind: "android", source: texts(["a.xml", "<x/>", null]) }, parts())).toMatchObject({
      why: { code: "no_controls" },
    });
  });

  test("a browser is loaded for a page, and for nothing else", async () => {
    const loaded: string[] = [];
    await harvest({ kind: "aria", source: texts(["a.yml", '- button "a"', null]) }, parts(loaded));
    expect(loaded).toEqual([]);
    const page = { app: null, url: "http://127.0.0.1/", first: "start", paths: [], leaveOut: [], allowOrigins: [] };
    const found = await harvest({ kind: "web", source: page }, parts(loaded));
    expect([loaded, found]).toEqual([["web"], unparsed("page_failed", "http://127.0.0.1/")]);
  });
});
