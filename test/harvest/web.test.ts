/**
 * The harvester of live pages, with a real browser and servers of our own on loopback. It needs the optional packages
 * playwright-core and @sparticuz/chromium, and is skipped with the reason where they are not.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HARVEST_DATA, hasHarvestData, loadHarvestData, nameOf } from "../../bench/harvest/data.ts";
import { type WebHarvesters, webHarvester, webHarvesters } from "../../src/adapters/harvest-web/index.ts";
import type { Control, Harvested } from "../../src/domain/control-map.ts";
import type { EntryPath } from "../../src/domain/entry-path.ts";
import { parseEntryPaths } from "../../src/domain/entry-path.ts";
import type { WebSource } from "../../src/domain/harvest-source.ts";
import type { Json } from "../../src/domain/json.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import { WEB_LIMITS, type WebLimits } from "../../src/domain/web-limits.ts";
import { harvesterContract, type Interface } from "../contract/harvester.ts";
import { type Answer, noBrowser, type Pages, servePages, webSource } from "./pages.ts";

const why = await noBrowser();

let harvesters: WebHarvesters;
let time = 0;
const clock = {
  now: (): number => {
    time += 1;
    return time;
  },
};
const open: Pages[] = [];

beforeEach((context) => {
  if (why !== null) context.skip(why);
});
beforeAll(() => {
  harvesters = webHarvesters({ clock, limits: { restMs: 60, screenMs: 8_000, totalMs: 25_000 } });
});
afterAll(async () => {
  await harvesters.close();
  for (const pages of open) await pages.close();
});

async function serve(pages: Readonly<Record<string, Answer>>): Promise<Pages> {
  const server = await servePages(pages);
  open.push(server);
  return server;
}

const page = (body: string, title = "Page"): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

function paths(json: Json): readonly EntryPath[] {
  const read = parseEntryPaths(json, "start");
  if (!read.ok) throw new Error(read.why.detail);
  return read.value;
}

/** A machine that is busy with other tests takes its time; what is about time has its own limits. */
const PATIENT: Partial<WebLimits> = { screenMs: 60_000 };

async function look(source: WebSource, limits: Partial<WebLimits> = {}): Promise<Harvested> {
  const outcome = await harvesters.harvester(source, { ...PATIENT, ...limits }).harvest();
  if (!outcome.ok) throw new Error(`${outcome.why.code}: ${outcome.why.detail}`);
  return outcome.value;
}

async function refusal(source: WebSource, limits: Partial<WebLimits> = {}): Promise<readonly [string, string]> {
  const outcome = await harvesters.harvester(source, { ...PATIENT, ...limits }).harvest();
  return outcome.ok ? ["harvested", ""] : [outcome.why.code, outcome.why.detail];
}

const brief = ({ map }: Harvested): readonly string[] =>
  map.controls.map(
    ({ id, role, text, clickable }) => `${id} ${role} ${JSON.stringify(text)}${clickable ? "" : " text"}`,
  );
const rules = ({ findings }: Harvested): readonly string[] => findings.map(({ rule }) => rule);
const of = ({ map }: Harvested, text: string): Control | undefined => map.controls.find((one) => one.text === text);

describe("the contract", () => {
  const written = ({ screens, depth = 0 }: Interface): readonly string[] =>
    screens.map((names, i) => {
      const label = (name: string): string => name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      const next = i + 1 < screens.length ? `onclick="location.href='/${i + 1}'"` : "";
      const buttons = names.map((name) => `<button ${name === "Next" ? next : ""}>${label(name)}</button>`);
      return page(`${"<section aria-label=s>".repeat(depth)}${buttons.join("")}${"</section>".repeat(depth)}`);
    });
  const pathsTo = (count: number): readonly EntryPath[] =>
    Array.from({ length: count - 1 }, (_, i) => ({
      screen: `screen-${i + 2}`,
      from: i === 0 ? null : `screen-${i + 1}`,
      steps: [{ do: "click", target: { by: "name", name: "Next", role: null } }],
      shows: null,
    }));
  harvesterContract("web", {
    kind: "web",
    harvester: async (source, limits) => {
      const texts = written(source);
      const pages = Object.fromEntries(texts.map((text, i) => [i === 0 ? "/" : `/${i}`, text]));
      const { origin } = await serve(pages);
      return harvesters.harvester(webSource(`${origin}/`, { paths: pathsTo(texts.length) }), limits);
    },
    foreign: async () => harvesters.harvester(webSource("ftp://127.0.0.1/")),
    bytes: (source) => written(source).reduce((sum, text) => sum + utf8Length(text), 0),
    // The document, what is around, the button, its text.
    depthOf: ({ depth = 0 }) => depth + 3,
    manyScreens: true,
    idsOfNames: false,
  });
});

describe("what is on a page", () => {
  test("roles, names, descriptions, values, states, identifiers; what is hidden is not there", async () => {
    const { origin } = await serve({
      "/": page(`
        <main><h1>Sign in</h1><p>Use your <b>work</b> address. <a href="/terms">Terms</a>.</p>
        <label>Mail <input id="mail" value="a@b.example" aria-describedby="hint"></label><p id="hint">We never share it</p>
        <input type="password" aria-label="Password" value="secret">
        <input type="checkbox" id="c" checked><label for="c">Remember me</label>
        <select aria-label="Country" id="land"><option>Chad<option selected>Peru</select>
        <button data-testid="go" id="x1">Sign in</button><button disabled>Later</button>
        <div hidden><button>Never</button></div><button aria-hidden="true">Nor this</button>
        <div onclick="void 0">Open <i>menu</i></div><span style="cursor:pointer">Star</span>
        <img alt="Our logo" src="data:,"><div role="tab" aria-selected="true">One</div></main>`),
    });
    const found = await look(webSource(`${origin}/`));
    expect(brief(found)).toEqual([
      'heading:sign-in heading "Sign in" text',
      'text:use-your-work-address text "Use your work address." text',
      'link:terms link "Terms"',
      'text:mail text "Mail" text',
      'textbox:mail textbox "Mail"',
      'paragraph:we-never-share-it paragraph "We never share it" text',
      'textbox:password textbox "Password"',
      'checkbox:remember-me checkbox "Remember me"',
      'combobox:country combobox "Country"',
      'button:sign-in button "Sign in"',
      'button:later button "Later"',
      'generic:open generic ""',
      'generic:star generic "Star"',
      'img:our-logo img "Our logo" text',
      'tab:one tab "One"',
    ]);
    expect(found.map.controls.find(({ id }) => id === "textbox:mail")).toMatchObject({
      value: "",
      desc: "We never share it",
      resourceId: "mail",
    });
    expect(of(found, "Password")).toMatchObject({ value: "" });
    expect(JSON.stringify(found.map)).not.toContain("secret");
    expect(of(found, "Remember me")).toMatchObject({ value: "checked" });
    expect(of(found, "Country")).toMatchObject({ value: "Peru", childText: ["Chad", "Peru"], resourceId: "land" });
    expect(found.map.controls.find(({ id }) => id === "button:sign-in")).toMatchObject({
      resourceId: "go",
      disabled: false,
    });
    expect(of(found, "Later")).toMatchObject({ disabled: true });
    expect(of(found, "One")).toMatchObject({ value: "selected" });
    expect(found.map.controls.find(({ id }) => id === "generic:open")).toMatchObject({ childText: ["Open", "menu"] });
    expect(found.map.screens).toEqual([{ id: "start", title: "Page", where: "/", entry: [] }]);
    expect(found.findings).toEqual([]);
  });

  test("what stands in a field is in no map, also where a step lets the page show a password", async () => {
    const { origin } = await serve({
      "/": page(`<input type="password" id="p" aria-label="Password" value="hunter1">
        <input autocomplete="cc-number" aria-label="Card" value="hunter2"><textarea aria-label="Note">hunter3</textarea>
        <input aria-label="Code" style="-webkit-text-security:disc" value="hunter4"><input type="number" aria-label="Age" value="55555">
        <div contenteditable role="textbox" aria-label="Letter">hunter6 <a href="/x">hunter7</a><p>hunter8</p></div>
        <div contenteditable>hunter9</div><div contenteditable="plaintext-only">hunter10</div>
        <input role="combobox" aria-label="City" value="hunter11"><div role="combobox" contenteditable aria-label="Town">hunter12</div>
        <select aria-label="Until" autocomplete="cc-exp-year"><option>2030<option selected>2031</select>
        <select aria-label="Land"><option>Chad<option selected>Peru</select><input type="range" aria-label="Loud" value="50">
        <label for="r">Other <input type="password" id="q" value="hunter13"></label><input type="radio" id="r">
        <input type="password" id="b" value="hunter14">
        <button onclick="p.type = q.type = 'text'; b.type = 'button'">Show password</button>`),
    });
    const shown = paths([{ screen: "shown", steps: [{ click: "Show password" }] }]);
    const found = await look(webSource(`${origin}/`, { paths: shown }));
    expect(JSON.stringify(found.map)).not.toMatch(/hunter|55555/);
    const held = (screen: string) =>
      found.map.controls
        .filter((one) => one.screen === screen && one.value !== "")
        .map(({ text, value }) => [text, value]);
    const states = [
      ["Land", "Peru"],
      ["Loud", "50"],
      ["Other", "not checked"],
    ];
    expect([held("start"), held("shown")]).toEqual([states, states]);
    expect(brief(found).filter((one) => one.includes("shown/"))).toEqual(
      expect.arrayContaining(['shown/radio:other radio "Other"', 'shown/button button ""']),
    );
  });

  test("open and closed shadow roots, frames of the same origin, and what comes late", async () => {
    const { origin } = await serve({
      "/": page(`<div id="a"></div><div id="b"></div><iframe src="/inner"></iframe><script>
        a.attachShadow({ mode: "open" }).innerHTML = "<button>Open shadow</button>";
        b.attachShadow({ mode: "closed" }).innerHTML = "<button>Closed shadow</button>";
        setTimeout(() => document.body.append(Object.assign(document.createElement("button"), { textContent: "Late" })), 100);
      </script>`),
      "/inner": page('<button>In a frame</button><iframe srcdoc="<button>Inner frame</button>"></iframe>'),
    });
    const found = await look(webSource(`${origin}/`), { restMs: 250 });
    expect(found.map.controls.map(({ text }) => text)).toEqual([
      "Open shadow",
      "Closed shadow",
      "In a frame",
      "Inner frame",
      "Late",
    ]);
  });

  test("what can be used and has no name of any kind is counted, on all screens", async () => {
    const icon = '<svg width="9" height="9"></svg>';
    const { origin } = await serve({
      "/": page(`<button>${icon}</button><button aria-label="Save">${icon}</button><button id="x">${icon}</button>
        <button title="Open">${icon}</button><button><img alt="Print" src="data:,"></button><a href="/next">Next</a>`),
      "/next": page(`<input><a href="/">Back</a>`),
    });
    const next = paths([{ screen: "next", steps: [{ click: "Next" }] }]);
    const told = async (source: WebSource) =>
      (await look(source)).findings.map(({ rule, message, where }) => [rule, message, where]);
    const ends = "no name of any kind, and only";
    expect(await told(webSource(`${origin}/`))).toEqual([
      ["nameless", `1 control has ${ends} its id tells it from others`, `${origin}/`],
    ]);
    expect(await told(webSource(`${origin}/`, { paths: next }))).toEqual([
      ["nameless", `2 controls have ${ends} their ids tell them from others`, `${origin}/`],
    ]);
  });

  test("what is left out is named by id, test id or text, and a name that fits nothing is told", async () => {
    const { origin } = await serve({
      "/": page(
        '<div id="query">Click <b>Save</b></div><p data-testid="ad">Buy</p><button>Save</button><p>Old text</p>',
      ),
    });
    const found = await look(webSource(`${origin}/`, { leaveOut: ["query", "ad", "Old text", "nobody"] }));
    expect(brief(found)).toEqual(['button:save button "Save"']);
    expect(found.findings.map(({ rule, message }) => [rule, message])).toEqual([
      ["left_out_nothing", '"nobody" names no element'],
    ]);
  });
});

describe("several screens", () => {
  const shop = (): Promise<Pages> =>
    serve({
      "/": page(
        '<a href="/cart">Cart</a><a href="/help">Help</a><a href="/help2">Help</a><input aria-label="Search">',
        "Shop",
      ),
      "/cart": page(
        `<h1>Cart</h1><a href="/">Shop</a><button onclick="more.hidden=false">More</button>
         <div id="more" role="menu" hidden><button onclick="location.href='/'">Empty the cart</button></div>
         <label>Code <input id="code"></label><button id="pay" disabled>Pay</button>
         <script>code.oninput = () => { pay.disabled = code.value !== "x1" }; pay.onclick = () => { location.href = "/paid" }</script>`,
        "Cart",
      ),
      "/paid": page("<h1>Thank you</h1>", "Paid"),
    });

  test("each is reached from the address by its paths, with the controls that lead there", async () => {
    const { origin } = await shop();
    const found = await look(
      webSource(`${origin}/`, {
        paths: paths([
          { screen: "cart", steps: [{ click: "Cart" }] },
          {
            screen: "menu",
            from: "cart",
            steps: [{ click: { name: "More", role: "button" } }],
            shows: "Empty the cart",
          },
          {
            screen: "paid",
            from: "cart",
            steps: [{ fill: "Code", text: "x1" }, { click: { id: "cart/button:pay" } }],
            shows: "Thank you",
          },
        ]),
      }),
    );
    expect(found.map.screens).toEqual([
      { id: "start", title: "Shop", where: "/", entry: [] },
      { id: "cart", title: "Cart", where: "/cart", entry: ["link:cart"] },
      { id: "menu", title: "Cart", where: "/cart", entry: ["link:cart", "cart/button:more"] },
      { id: "paid", title: "Paid", where: "/paid", entry: ["link:cart", "cart/textbox:code", "cart/button:pay"] },
    ]);
    const on = (screen: string): readonly string[] =>
      found.map.controls.filter((one) => one.screen === screen && one.clickable).map(({ id }) => id);
    expect(on("start")).toEqual(["link:cart", "link:help", "link:help~2", "textbox:search"]);
    expect(on("cart")).toEqual(["cart/link:shop", "cart/button:more", "cart/textbox:code", "cart/button:pay"]);
    expect(on("menu")).toContain("menu/button:empty-the-cart");
    expect(found.findings).toEqual([]);
  });

  test("a step whose control is missing, ambiguous, disabled or covered is refused by name", async () => {
    const { origin } = await shop();
    const step = (steps: Json, more: object = {}) =>
      refusal(webSource(`${origin}/`, { paths: paths([{ screen: "next", steps, ...more }]) }), { screenMs: 2_500 });
    expect(await step([{ click: "Cort" }])).toEqual([
      "step_target_missing",
      'screen "next", step 1 on screen "start": there is no control called "Cort"; there are link "Cart", link "Help", link "Help", textbox "Search"',
    ]);
    expect(await step([{ click: { name: "Cart", role: "button" } }])).toEqual([
      "step_target_missing",
      expect.stringContaining('called "Cart" with the role "button"; there are link "Cart"'),
    ]);
    expect(await step([{ click: { id: "button:cart" } }])).toEqual([
      "step_target_missing",
      expect.stringContaining('with the id "button:cart"; there are "link:cart"'),
    ]);
    const [code, detail] = await step([{ click: "Help" }]);
    expect(code).toBe("step_target_ambiguous");
    expect(detail).toContain('"link:help", "link:help~2"');
    expect(await step([{ click: { id: "link:help~2" } }])).toEqual([
      "page_failed",
      expect.stringContaining("/help2 answers 404"),
    ]);
    expect((await step([{ click: "Cart" }], { shows: "Checkout" }))[0]).toBe("screen_not_reached");
    const cart = (steps: Json) =>
      refusal(
        webSource(`${origin}/`, {
          paths: paths([
            { screen: "cart", steps: [{ click: "Cart" }] },
            { screen: "next", from: "cart", steps },
          ]),
        }),
      );
    expect(await cart([{ click: "Pay" }])).toEqual(["step_failed", expect.stringContaining('"Pay" is disabled')]);
    expect(await cart([{ click: "More" }, { click: "Empty the cart" }])).toEqual([
      "step_target_missing",
      expect.stringContaining("declare what it is on as a screen of its own"),
    ]);
    const covered = await serve({
      "/": page('<a href="/x">Under</a><div style="position:fixed;inset:0;background:white">Cookies?</div>'),
    });
    const under = paths([{ screen: "next", steps: [{ click: "Under" }] }]);
    expect(await refusal(webSource(`${covered.origin}/`, { paths: under }))).toEqual([
      "step_failed",
      expect.stringContaining("something else lies over"),
    ]);
  });

  test("controls in frames, in shadow roots and below the fold are clicked; a click that does nothing is told", async () => {
    const { origin } = await serve({
      "/": page(`<p>top</p><iframe src="/inner" style="margin-top:2000px"></iframe><div id="s"></div><button>Idle</button><script>
        s.attachShadow({ mode: "closed" }).innerHTML = "<button>Shadow</button>";
        addEventListener("message", (m) => document.body.append(m.data));
        s.onclick = () => document.body.append("from the shadow");</script>`),
      "/inner": page(`<button onclick="parent.postMessage('from the frame', '*')">Framed</button>`),
    });
    const found = await look(
      webSource(`${origin}/`, {
        paths: paths([
          { screen: "framed", steps: [{ click: "Framed" }], shows: "from the frame" },
          { screen: "shadow", steps: [{ click: "Shadow" }], shows: "from the shadow" },
          { screen: "idle", steps: [{ click: "Idle" }] },
        ]),
      }),
    );
    expect(found.map.screens.map(({ entry }) => entry)).toEqual([
      [],
      ["button:framed"],
      ["button:shadow"],
      ["button:idle"],
    ]);
    expect(rules(found)).toEqual(["nothing_changed"]);
  });

  test("a step that types where nothing can be typed, or clicks where no click reaches, fails and says why", async () => {
    const { origin } = await serve({
      "/": page(`<input type="number" aria-label="Num" value="7"><input readonly aria-label="RO" value="hunter1">
        <input type="checkbox" aria-label="Box"><input type="file" aria-label="File"><a href="#x">Link</a>
        <div role="textbox" tabindex="0" aria-label="Fake"></div><div role="button">Plain</div>
        <input aria-label="Deaf" onbeforeinput="event.preventDefault()"><input type="date" aria-label="Day">
        <input aria-label="Held" value="a" oninput="this.value = 'a'">
        <button style="position:absolute;left:-9999px">Far</button>`),
    });
    const step = (steps: Json) => refusal(webSource(`${origin}/`, { paths: paths([{ screen: "next", steps }]) }));
    const fails = async (one: Json, why: string) => {
      const [code, detail] = await step([one]);
      expect([code, detail.replace('screen "next", step 1 on screen "start": ', "")]).toEqual(["step_failed", why]);
    };
    const nothing = (what: string, why: string) => `nothing can be typed into the ${what}: ${why}`;
    await fails({ fill: "Num", text: "abc" }, 'the spinbutton "Num" does not take the text of the step');
    await fails({ fill: "RO", text: "zzz" }, nothing('textbox "RO"', "it is read only"));
    await fails({ fill: "Box", text: "x" }, nothing('checkbox "Box"', "it is a field of the type checkbox"));
    await fails({ fill: "File", text: "x" }, nothing('button "File"', "it is a field of the type file"));
    await fails({ fill: "Link", text: "x" }, nothing('link "Link"', "it is no field"));
    await fails({ fill: "Fake", text: "x" }, nothing('textbox "Fake"', "it is no field"));
    await fails({ fill: "Plain", text: "x" }, nothing('button "Plain"', "the keyboard cannot be put on it"));
    await fails({ fill: "Deaf", text: "x" }, 'the textbox "Deaf" does not take the text of the step');
    await fails({ fill: "Day", text: "x" }, expect.stringContaining("does not take the text"));
    await fails({ click: "Far" }, 'the button "Far" is outside of what can be scrolled to, where no click reaches it');
  });

  test("a step types into every field that takes it, and clicks what is larger than the screen", async () => {
    const { origin } = await serve({
      "/": page(`<input type="number" aria-label="Num" value="7"><input aria-label="Short" maxlength="2">
        <textarea aria-label="Note">old</textarea><div contenteditable role="textbox" aria-label="Letter"></div>
        <div contenteditable role="textbox" aria-label="Editor" id="e"></div><input aria-label="Chips" id="c"><p id="out"></p>
        <input aria-label="Same" value="x"><button style="display:block;height:3000px" onclick="out.append('large')">Large</button>
        <script>e.onbeforeinput = (b) => { b.preventDefault(); out.append(b.data) };
          c.oninput = () => { out.append(c.value); c.value = "" };</script>`),
    });
    const fills = [
      ["Num", "-1.5"],
      ["Short", "abc"],
      ["Note", "new"],
      ["Letter", "x"],
      ["Editor", "made "],
      ["Chips", "chip "],
      ["Same", "x"],
    ] as const;
    const steps: Json = [...fills.map(([fill, text]) => ({ fill, text })), { click: "Large" }];
    const found = await look(
      webSource(`${origin}/`, { paths: paths([{ screen: "next", steps, shows: "made chip large" }]) }),
    );
    expect(rules(found)).toEqual([]);
  });
});

describe("hostile pages", () => {
  const refused = async (body: string, limits: Partial<WebLimits> = {}): Promise<string> => {
    const { origin } = await serve({ "/": page(body) });
    return (await refusal(webSource(`${origin}/`), limits))[0];
  };

  test("100,000 nodes, a document that grows for ever, one that is deeper than deep", async () => {
    const many = `<script>for (let i = 0; i < 100_000; i++) document.body.append(document.createElement("p"))</script>`;
    expect(await refused(many)).toBe("too_large");
    const grows = `<script>setInterval(() => { for (let i = 0; i < 400; i++) document.body.append(document.createElement("p")) }, 1)</script>`;
    expect(await refused(`<button>x</button>${grows}`, { nodesMax: 5_000 })).toBe("too_large");
    const deep = `<script>let at = document.body; for (let i = 0; i < 400; i++) {
      const next = document.createElement("section"); next.setAttribute("aria-label", "s"); at.append(next); at = next } at.append("x")</script>`;
    expect(await refused(`<button>x</button>${deep}`)).toBe("too_deep");
  });

  test("nodes of a page at one below the bound, the bound, and one above", async () => {
    const { origin } = await serve({ "/": page("<button>x</button>") });
    const at = async (nodesMax: number): Promise<string> => (await refusal(webSource(`${origin}/`), { nodesMax }))[0];
    let border = 1;
    while ((await at(border * 2)) !== "harvested") border *= 2;
    for (let step = border; step >= 1; step /= 2) if ((await at(border + step)) !== "harvested") border += step;
    expect([await at(border), await at(border + 1), await at(border + 2)]).toEqual([
      "too_large",
      "harvested",
      "harvested",
    ]);
  });

  test("dialogs, windows and downloads keep nobody waiting, and are told", async () => {
    const { origin } = await serve({
      "/": page(`<button>Save</button><a id="d" href="/file" download>file</a><script>
        addEventListener("load", () => { alert("hello\u202e"); confirm("sure?"); prompt("name?"); open("/other"); d.click() });
        addEventListener("beforeunload", (e) => e.preventDefault());</script>`),
      "/file": (_, response) => response.writeHead(200, { "content-type": "application/zip" }).end("PK"),
      "/other": page("<button>Other</button>"),
    });
    const found = await look(webSource(`${origin}/`));
    expect(found.map.controls.map(({ text }) => text)).toEqual(["Save", "file"]);
    expect(rules(found)).toEqual(expect.arrayContaining(["dialog_dismissed", "download_refused"]));
    const dialogs = found.findings.find(({ rule }) => rule === "dialog_dismissed")?.message;
    expect(dialogs).toBe('alert "hello\\u{202E}"; confirm "sure?"; prompt "name?"');
  });

  test("no way leads to another origin: no redirect, script, picture, frame, socket, window, worker", async () => {
    const other = await serve({ "/": page("<button>Elsewhere</button>") });
    const socket = other.origin.replace("http", "ws");
    const { origin } = await serve({
      "/moved": (_, response) => response.writeHead(302, { location: `${other.origin}/` }).end(),
      "/refresh": page(`<meta http-equiv="refresh" content="0;url=${other.origin}/"><button>x</button>`),
      "/script": page(`<button>x</button><script>location.href = "${other.origin}/"</script>`),
      "/uses":
        page(`<button>Mine</button><img src="${other.origin}/a.png" alt="a"><iframe src="${other.origin}/"></iframe>
        <link rel="preload" as="fetch" href="${other.origin}/preload"><link rel="dns-prefetch" href="//x.example">
        <script src="${other.origin}/a.js"></script><script>
        fetch("${other.origin}/fetch", { mode: "no-cors" }).catch(() => {}); navigator.sendBeacon("${other.origin}/beacon");
        fetch("/moved").catch(() => {}); new WebSocket("${socket}/socket"); open("${other.origin}/window");
        new Worker(URL.createObjectURL(new Blob(["fetch('${other.origin}/worker').catch(() => {})"])));</script>`),
    });
    const left = ["left_origin", `the page leads to ${other.origin}, which is not allowed`];
    expect(await refusal(webSource(`${origin}/moved`))).toEqual(left);
    expect(await refusal(webSource(`${origin}/refresh`))).toEqual(left);
    expect(await refusal(webSource(`${origin}/script`))).toEqual(left);
    const found = await look(webSource(`${origin}/uses`));
    expect(found.map.controls.map(({ text }) => text)).toEqual(["Mine", "a"]);
    expect(found.findings.find(({ rule }) => rule === "origin_blocked")?.message).toBe(other.origin);
    expect(other.asked).toEqual([]);
    const allowed = await look(webSource(`${origin}/uses`, { allowOrigins: [other.origin] }));
    expect(other.asked).toEqual(expect.arrayContaining(["/a.png", "/fetch", "UPGRADE /socket"]));
    expect(rules(allowed)).not.toContain("origin_blocked");
  });

  test("a step that gets a file, opens a window or leads away ends with a word, and nothing goes to another origin", async () => {
    const other = await serve({ "/": page("<button>Elsewhere</button>") });
    const { origin, asked } = await serve({
      "/": page(`<a href="/file">File</a><button onclick="window.open('${other.origin}/window')">Window</button>
        <a href="/page" target="_blank">Tab</a><a href="${other.origin}/blank" target="_blank">Far tab</a>
        <a href="${other.origin}/">Away</a><form action="${other.origin}/" method="post"><button>Send</button></form>`),
      "/file": (_, response) =>
        response.writeHead(200, { "content-disposition": "attachment; filename=a.zip" }).end("PK".repeat(5_000)),
      "/page": page("<button>Inner</button>"),
    });
    const step = (name: string) =>
      webSource(`${origin}/`, { paths: paths([{ screen: "next", steps: [{ click: name }] }]) });
    expect(rules(await look(step("File")))).toEqual(["download_refused", "nothing_changed"]);
    expect(asked).toContain("/file");
    for (const name of ["Window", "Tab", "Far tab"]) {
      const found = await look(step(name));
      expect(rules(found), name).toEqual(["popup_closed", "nothing_changed"]);
      expect(of(found, "Inner"), name).toBeUndefined();
    }
    for (const name of ["Away", "Send"]) {
      expect(await refusal(step(name)), name).toEqual([
        "left_origin",
        `the page leads to ${other.origin}, which is not allowed`,
      ]);
    }
    expect(other.asked).toEqual([]);
  });

  test("what never loads, never ends, or is no page", async () => {
    const { origin } = await serve({
      "/silent": () => {},
      "/broken": (_, response) => response.destroy(),
      "/endless": (_, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const send = (): void => {
          while (response.write("<p>more</p>".repeat(1_000)));
        };
        response.on("drain", send);
        send();
      },
      "/ticks": page(
        `<button>x</button><p id="t"></p><script>setInterval(() => { t.textContent = performance.now() }, 5)</script>`,
      ),
      "/long": page("<button>x</button><script>fetch('/silent')</script>"),
      "/zip": (_, response) => response.writeHead(200, { "content-type": "application/zip" }).end("PK"),
    });
    const code = async (path: string, limits: Partial<WebLimits>) =>
      (await refusal(webSource(`${origin}${path}`), limits))[0];
    expect(await code("/silent", { screenMs: 500 })).toBe("timed_out");
    expect(await code("/broken", {})).toBe("page_failed");
    expect(await code("/endless", { bytesMax: 1_000_000 })).toBe("too_large");
    expect(await code("/zip", {})).toBe("page_failed");
    expect(await code("/nothing", {})).toBe("page_failed");
    expect(rules(await look(webSource(`${origin}/ticks`), { screenMs: 1_500 }))).toEqual(["page_not_quiet"]);
    expect(rules(await look(webSource(`${origin}/long`)))).toEqual([]);
    expect(await refusal(webSource(`http://me:pw@${origin.slice(7)}/`))).toEqual(["bad_url", expect.any(String)]);
    expect(await refusal(webSource("http://127.0.0.1:9/"))).toEqual(["page_failed", expect.any(String)]);
  });

  test("a page that never lets go runs out of time, and leaves no browser behind", async () => {
    const { origin } = await serve({
      "/": page("<button>x</button><script>onload = () => setTimeout(() => { for (;;); })</script>"),
    });
    const own = webHarvester(webSource(`${origin}/`), { clock, limits: { ...WEB_LIMITS, totalMs: 2_000 } });
    const before = children();
    const outcome = await own.harvest();
    expect(outcome).toEqual({ ok: false, why: { code: "timed_out", detail: "not done after 2000 ms" } });
    expect(children()).toEqual(before);
  });
});

/** Processes that this one has started and that live. Only Linux tells. */
function children(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const [, state, parent] = readFileSync(`/proc/${id}/stat`, "utf8")
        .replace(/^.*\) /, "x ")
        .split(" ");
      return parent === String(process.pid) && state !== "Z";
    } catch {
      return false;
    }
  });
}

describe("the public pages", () => {
  /** One page of each third task: all of them take the figure, `npm run figures -- harvest`. */
  const EACH = 6;

  test("MiniWoB++ pages have the controls that the reference has, by their names", async (context) => {
    if (!hasHarvestData()) context.skip(`the public data is not at ${HARVEST_DATA}`);
    const { folder, maps, reference } = loadHarvestData();
    const chosen = maps.filter(({ format }) => format === "miniwob-html").filter((_, i) => i % EACH === 0);
    const { origin } = await serve(
      Object.fromEntries(chosen.map(({ name, file }) => [`/${name}`, readFileSync(join(folder, file), "utf8")])),
    );
    const missing: string[] = [];
    for (const { name } of chosen) {
      const found = await look(webSource(`${origin}/${name}`, { leaveOut: ["query"] }));
      const said = squeezed(
        found.map.controls.map(({ text, value, childText }) => [text, value, ...childText].join("")).join(""),
      );
      for (const control of reference.get(name) ?? []) {
        if (!said.includes(squeezed(nameOf(control)))) missing.push(`${name} ${control.id}`);
      }
      expect(said, name).not.toContain("query");
    }
    expect(chosen).toHaveLength(12);
    expect(missing).toEqual([]);
  });
});

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
