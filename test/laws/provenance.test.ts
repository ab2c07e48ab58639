import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "../../src/domain/json.ts";
import type { ProvenanceRule, Spelling } from "../../src/domain/provenance.ts";
import { defineTool, type Tool } from "../../src/domain/tool.ts";
import { permit } from "../../src/domain/verdict.ts";
import { type JudgeInput, judge } from "../../src/testing/judge.ts";
import { seed } from "../seed.ts";

const RUNS = { seed, numRuns: 100 };

function reading(name: string, trusted: Tool["trusted"]): Tool {
  return defineTool({
    name,
    description: "reads",
    placement: "internal",
    effect: "read",
    params: z.strictObject({}),
    trusted,
    execute: () => null,
    summarise: () => "read",
  });
}
const bank = reading("bank", "all");
const mail = reading("mail", []);

const tools = new Map<string, Tool>();

function sending(rule: Partial<ProvenanceRule>): Tool {
  const key = JSON.stringify(rule);
  const tool = tools.get(key) ?? newTool(rule);
  tools.set(key, tool);
  return tool;
}

function newTool(rule: Partial<ProvenanceRule>): Tool {
  return defineTool({
    name: "send",
    description: "sends",
    placement: "staff-reversible",
    effect: "once",
    params: z.strictObject({ to: z.union([z.string().max(9_999), z.number(), z.array(z.string().max(99))]) }),
    provenance: { to: { from: ["request", "trusted"], ...rule } },
    authorise: () => permit(),
    execute: () => null,
    summarise: () => "sent",
  });
}

type Where = { readonly request?: string; readonly trusted?: Json; readonly untrusted?: Json };

function said(to: Json, where: Where, rule: Partial<ProvenanceRule> = {}): string {
  const results = [
    ...(where.trusted === undefined ? [] : [{ tool: bank, result: where.trusted }]),
    ...(where.untrusted === undefined ? [] : [{ tool: mail, result: where.untrusted }]),
  ];
  const input: JudgeInput = { params: { to }, requests: where.request === undefined ? [] : [where.request], results };
  const { outcome, code } = judge(sending(rule), input);
  return code ?? outcome;
}

/** Everywhere where a value counts, in ways in which people write. */
const PLACES: readonly (readonly [string, (value: string) => Where])[] = [
  ["in a request of its own", (value) => ({ request: value })],
  ["in a sentence", (value) => ({ request: `Please send it to ${value} today` })],
  ["at a sentence's end", (value) => ({ request: `Please send it to ${value}.` })],
  ["in quotes", (value) => ({ request: `Please send it to '${value}', and tell me` })],
  ["between dashes", (value) => ({ request: `Please send it – to ${value} — today` })],
  ["in a table", (value) => ({ request: `| Ada | ${value} |\n|${value}| x |` })],
  ["in parentheses", (value) => ({ request: `Please send it (to ${value}) (${value})` })],
  ["in a trusted field", (value) => ({ trusted: [{ of: value }] })],
];

const word = fc.stringMatching(/^[a-z][a-z0-9]{3,11}$/);
const host = fc.tuple(word, fc.constantFrom("com", "org", "example")).map(([name, tld]) => `${name}.${tld}`);
const email = fc.tuple(word, host).map(([name, at]) => `${name}@${at}`);
const link = fc.tuple(fc.constantFrom("http", "https"), host, word).map(([how, at, path]) => `${how}://${at}/${path}`);
const iban = fc.stringMatching(/^[A-Z]{2}[0-9]{18}$/);
const VALUES: readonly (readonly [string, fc.Arbitrary<string>, Spelling])[] = [
  ["a word", word, "text"],
  ["an account", iban, "text"],
  ["an address", email, "email"],
  ["a host", host, "url"],
  ["a link", link, "url"],
];

/** What an attacker makes of a value: another value, which looks or decodes or shortens to the one that was seen. */
const ATTACKS: readonly (readonly [string, (value: string) => string])[] = [
  ["the front of it", (value) => value.slice(0, -1)],
  ["the back of it", (value) => value.slice(1)],
  ["with more behind", (value) => `${value}x`],
  ["with more before", (value) => `x${value}`],
  ["twice", (value) => `${value}${value}`],
  ["a Cyrillic letter", (value) => swapped(value, "aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ")],
  ["a Kelvin sign", (value) => value.replace(/k/i, "\u212a").replace(/^(?!.*\u212a)/s, "\u212a")],
  ["a Greek question mark", (value) => `${value}\u037e`],
  ["zero width inside", (value) => `${value.slice(0, 2)}\u200b${value.slice(2)}`],
  ["zero width behind", (value) => `${value}\u200d`],
  ["a soft hyphen", (value) => `${value.slice(0, 3)}\u00ad${value.slice(3)}`],
  ["a direction override", (value) => `\u202e${value}`],
  ["percent-encoded", (value) => `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`],
  ["wholly percent-encoded", (value) => [...value].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")],
  ["base64", (value) => Buffer.from(value).toString("base64")],
  ["backwards", (value) => `${[...value].reverse().join("")}.`],
  ["a dotless i", (value) => value.replace(/i/i, "ı").replace(/^(?!.*ı)/s, "ı")],
  ["a dotted I", (value) => value.replace(/i/i, "İ").replace(/^(?!.*İ)/s, "İ")],
  ["a long s", (value) => value.replace(/s/i, "ſ").replace(/^(?!.*ſ)/s, "ſ")],
  ["fullwidth", (value) => [...value].map((one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join("")],
  ["an accent", (value) => `${value.slice(0, 1)}\u0301${value.slice(1)}`],
  ["a dot behind", (value) => `${value}.`],
  ["a lone surrogate", (value) => `${value}\ud800`],
  ["a line break inside", (value) => `${value.slice(0, 2)}\n${value.slice(2)}`],
  ["a null character", (value) => `${value}\u0000`],
  ["another recipient after it", (value) => `${value},evil@evil.example`],
  ["__proto__", () => "__proto__"],
  ["constructor", () => "constructor"],
];

function swapped(value: string, from: string, to: string): string {
  const at = [...value].findIndex((one) => from.includes(one));
  const one = value[at];
  return one === undefined ? `а${value}` : `${value.slice(0, at)}${to[from.indexOf(one)]}${value.slice(at + 1)}`;
}

describe("laws of provenance", () => {
  for (const [what, values, as] of VALUES) {
    test(`[rails-provenance] seen-is-seen: ${what}, wherever people write one`, () => {
      fc.assert(
        fc.property(values, (value) => {
          for (const [where, place] of PLACES) expect(said(value, place(value), { as }), where).toBe("permit");
          expect(said(value, { request: `SEND IT TO ${value.toUpperCase()}` }, { as }), "in capitals").toBe(
            as === "url" && value.includes("/") ? "provenance_missing" : "permit",
          );
        }),
        RUNS,
      );
    });

    test.each(ATTACKS)(`[rails-provenance] never-seen-stays-so: ${what}, %s`, (_attack, bend) => {
      fc.assert(
        fc.property(values, (value) => {
          const bent = bend(value);
          fc.pre(bent !== value);
          for (const [where, place] of PLACES) {
            for (const rule of [{ as }, { as: "text" as const }]) {
              const came = said(bent, place(value), rule);
              expect(["provenance_missing", "provenance_untrusted", "lone_surrogate"], `${where}: ${bent}`).toContain(
                came,
              );
            }
          }
        }),
        { ...RUNS, numRuns: 10 },
      );
    });
  }

  test.each([
    ["http://good.example@evil.example", "userinfo"],
    ["http://good.example:80@evil.example", "userinfo with a port"],
    ["//good.example", "no scheme and slashes"],
    ["\\\\good.example", "backslashes"],
    ["http:\\\\good.example", "a scheme and backslashes"],
    ["http://good.example\\.evil.example", "a backslash in the host"],
    ["http://good.example.", "a dot behind the host"],
    ["http://good.example:8080", "another port"],
    ["http://good.example:443", "another scheme's port"],
    ["http://good.example.evil.example", "a longer host"],
    ["http://evil.example/good.example", "the host in a path"],
    ["http://evil.example?http://good.example", "the link in a query"],
    ["http://evil.example#http://good.example", "the link in a fragment"],
    ["http://good.example/x", "a path"],
    ["http://good.example?q=secret", "a query"],
    ["http://good.example#secret", "a fragment"],
    ["http://good.example//", "two slashes"],
    ["http://good%2Eexample", "an encoded dot"],
    ["http://good。example", "an ideographic dot"],
    ["http://ｇood.example", "a fullwidth letter"],
    ["http://xn--good-.example", "punycode"],
    ["https://good.example", "the other scheme"],
    ["hxxp://good.example", "a scheme that is none"],
    ["javascript:good.example", "a scheme without a host"],
    ["user@good.example", "an address at the host"],
    ["http://user@good.example", "a user at the host"],
  ])("[rails-provenance] never-seen-stays-so: %s is not http://good.example (%s)", (value) => {
    for (const where of [{ request: "Read http://good.example, please" }, { trusted: "http://good.example" }]) {
      expect(said(value, where, { as: "url" })).toBe("provenance_missing");
      expect(said(value, where)).toBe("provenance_missing");
    }
  });

  test.each([
    ["http://127.0.0.1", "http://0177.0.0.1"],
    ["http://127.0.0.1", "http://0x7f.0.0.1"],
    ["http://127.0.0.1", "http://2130706433"],
    ["http://127.0.0.1", "http://127.1"],
    ["http://bücher.example", "http://xn--bcher-kva.example"],
    ["http://xn--bcher-kva.example", "http://bücher.example"],
    ["http://bücher.example", "http://bucher.example"],
    ["http://good.example/a,b", "http://good.example/a"],
    ["http://good.example/a(b)", "http://good.example/a"],
    ["http://good.example/a(b)", "b"],
    ["http://good.example/?to=evil.example", "evil.example"],
    ["https://good.example/https://evil.example", "https://evil.example"],
    ["ada@good.example", "good.example"],
    ["ada@good.example", "ada"],
    ["ada@good.example@evil.example", "ada@good.example"],
    ["ada@good.example.evil.example", "ada@good.example"],
    ["UK12345", "UK12"],
    ["UK12-345", "UK12"],
    ["UK12_345", "UK12"],
    ["UK12\u200b345", "UK12"],
    ["UK12,345", "UK12"],
    ["UK12–345", "UK12"],
    ["UK12—345", "UK12"],
    ["UK12|345", "UK12"],
    ["https://good.example/item–12", "https://good.example/item"],
    ["https://good.example/item—12", "https://good.example/item"],
    ["https://good.example/item|12", "https://good.example/item"],
    ["ada@good.example–bob", "ada@good.example"],
    ["straße", "strasse"],
    ["STRASSE", "straße"],
  ])("[rails-provenance] never-seen-stays-so: in %s nobody sees %s", (seen, value) => {
    for (const where of [{ request: `Use ${seen} now` }, { request: seen }, { trusted: seen }]) {
      for (const as of ["text", "url", "email"] as const) expect(said(value, where, { as })).not.toBe("permit");
    }
  });

  test.each([
    [1200.5, "Pay $1,200.50.", "permit"],
    ["1200.5", "Pay 1,200.50 CHF", "permit"],
    ["1,200.50", "Pay 1200.5€", "permit"],
    [5, "Pay 5 to Bob", "permit"],
    [-5, "Move by -5", "permit"],
    [0, "Set it to 0.00", "permit"],
    [5, "Pay 3-5 to Bob", "provenance_missing"],
    [5, "Pay 5kg", "provenance_missing"],
    [5, "Pay 50", "provenance_missing"],
    [5, "Pay 0.5", "provenance_missing"],
    [5, "Pay -5", "provenance_missing"],
    [200.5, "Pay 1,200.50", "provenance_missing"],
    [1, "Pay 1,200.50", "provenance_missing"],
    [1000, "Pay 1e3", "provenance_missing"],
    ["1e3", "Pay 1000", "provenance_missing"],
    ["0x10", "Pay 16", "provenance_missing"],
    [16, "Pay 0x10", "provenance_missing"],
    ["007", "Pay 7", "provenance_missing"],
    [12, "Pay １２", "provenance_missing"],
    ["１２", "Pay 12", "provenance_missing"],
    [1, "Pay 1,00", "provenance_missing"],
    [10, "On 10.05.2026", "provenance_missing"],
    ["9007199254740993", "Pay 9007199254740992", "provenance_missing"],
  ])("[rails-provenance] the number %s in %s: %s", (to, request, outcome) => {
    expect(said(to, { request }, { as: "number" })).toBe(outcome);
  });

  test.each([
    ["2026-05-01", "On 2026-05-01.", "permit"],
    ["2026-05-01T10:00", "On 2026-05-01 10:00:00", "permit"],
    ["2026-05-01T10:00Z", "At 2026-05-01T12:00+02:00", "permit"],
    ["2026-05-01T10:00:00.500Z", "At 2026-05-01T10:00:00.5Z", "permit"],
    ["2026-05-01T10:00", "At 2026-05-01T10:00Z", "provenance_missing"],
    ["2026-05-01T00:00", "On 2026-05-01.", "provenance_missing"],
    ["2026-02-30", "On 2026-02-30.", "provenance_missing"],
    ["2026-05-1", "On 2026-05-01.", "provenance_missing"],
    ["01.05.2026", "On 2026-05-01.", "provenance_missing"],
  ])("[rails-provenance] the date %s in %s: %s", (to, request, outcome) => {
    expect(said(to, { request }, { as: "date" })).toBe(outcome);
  });

  test.each([
    ["good.example", "http://good.example/"],
    ["http://good.example", "HTTP://GOOD.EXAMPLE:80/"],
    ["https://good.example/a", "https://good.example:443/a/"],
    ["https://good.example", "good.example"],
    ["www.good.example", "https://www.good.example"],
    ["http://good.example/a(b)", "http://good.example/a(b)"],
    ["http://bücher.example", "http://bücher.example"],
  ])("[rails-provenance] one link in two spellings: %s and %s", (value, seen) => {
    for (const where of [{ request: `Read ${seen}, please` }, { trusted: [seen] }]) {
      expect(said(value, where, { as: "url" })).toBe("permit");
    }
    expect(said("http://good.example/A", { request: "Read http://good.example/a" }, { as: "url" })).not.toBe("permit");
  });

  test("[rails-provenance] split-values-stay-split: two values that were seen are not the one that they make", () => {
    fc.assert(
      fc.property(email, fc.nat(), (value, chance) => {
        const at = 1 + (chance % (value.length - 1));
        const parts = [value.slice(0, at), value.slice(at)];
        expect(said(value, { trusted: parts })).not.toBe("permit");
        expect(said(value, { trusted: { [parts[0] ?? ""]: parts[1] ?? "" } })).not.toBe("permit");
        expect(said(value, { request: parts.join(" ") })).not.toBe("permit");
        expect(said(value, { request: parts.join("\n") })).not.toBe("permit");
      }),
      RUNS,
    );
  });

  test("[rails-provenance] every-item-counts: one item that was not seen denies the list", () => {
    fc.assert(
      fc.property(fc.uniqueArray(email, { minLength: 2, maxLength: 6 }), fc.nat(), (all, chance) => {
        const unseen = all[chance % all.length] ?? "";
        const seen = all.filter((one) => one !== unseen);
        expect(said(seen, { trusted: seen }, { as: "email" })).toBe("permit");
        expect(said(all, { trusted: seen }, { as: "email" })).toBe("provenance_missing");
      }),
      RUNS,
    );
  });

  const anywhere = fc.constantFrom("request", "trusted", "untrusted") as fc.Arbitrary<keyof Where>;

  test("[rails-provenance] untrusted-adds-nothing: what outsiders write turns no denial into a permit", () => {
    fc.assert(
      fc.property(email, fc.array(fc.tuple(anywhere, email), { maxLength: 4 }), fc.jsonValue(), (value, seen, junk) => {
        const at = (source: keyof Where) => seen.filter(([where]) => where === source).map(([, one]) => one);
        const where = { request: at("request").join(" "), trusted: at("trusted"), untrusted: at("untrusted") };
        for (const rule of [{}, { from: ["request"] as const }, { from: ["trusted"] as const }]) {
          const before = said(value, where, rule);
          const after = said(value, { ...where, untrusted: [value, JSON.stringify(junk), ...where.untrusted] }, rule);
          const counted = [...at("request"), ...at("trusted")].includes(value);
          expect(after).toBe(before === "permit" ? before : counted ? "provenance_missing" : "provenance_untrusted");
        }
      }),
      RUNS,
    );
  });

  test("[rails-provenance] trusted-beats-untrusted, and order is nothing", () => {
    fc.assert(
      fc.property(email, fc.boolean(), (value, first) => {
        const results = [
          { tool: bank, result: { of: value } },
          { tool: mail, result: `now ${value}` },
        ];
        const judged = judge(sending({}), { params: { to: value }, results: first ? results : results.reverse() });
        expect(judged.outcome).toBe("permit");
      }),
      RUNS,
    );
  });

  test("[rails-provenance] an echo vouches for nothing: what a call was given is not trusted in what it gives back", () => {
    fc.assert(
      fc.property(email, email, (value, other) => {
        fc.pre(value !== other);
        const result = { asked: ` ${value.toUpperCase()}`, found: other };
        const results = [{ tool: bank, params: { of: [value] }, result }];
        expect(judge(sending({ as: "email" }), { params: { to: value }, results }).code).toBe("provenance_untrusted");
        expect(judge(sending({ as: "email" }), { params: { to: other }, results }).outcome).toBe("permit");
      }),
      RUNS,
    );
  });

  test("[rails-provenance] a stage by provenance is one more verdict: deny beats it, it beats permit", () => {
    const rule = { otherwise: { stage: "supervisor" } };
    const input = { params: { to: "nobody" } };
    const deny = { id: "no", tools: ["send"], effect: "deny", when: () => true } as const;
    const stage = { id: "wait", tools: ["send"], effect: "stage", code: "other", when: () => true } as const;
    expect(judge(sending(rule), input)).toMatchObject({
      outcome: "stage",
      role: "supervisor",
      rule: "send.provenance",
    });
    expect(judge(sending(rule), { ...input, policies: [deny] })).toMatchObject({ outcome: "deny", code: "no" });
    expect(judge(sending(rule), { ...input, policies: [stage] })).toMatchObject({ role: "other + supervisor" });
    expect(judge({ ...sending(rule), authorise: "by_policy" }, input)).toMatchObject({ code: "no_policy" });
  });

  test("[rails-provenance] what is short, empty or no text", () => {
    expect(said("a", { request: "send a to b" })).toBe("provenance_missing");
    expect(said("", { request: "send it", trusted: ["", { a: "" }] })).toBe("provenance_missing");
    expect(said(" ", { request: "send it", trusted: [" "] })).toBe("provenance_missing");
    expect(said("a", { trusted: ["a"] })).toBe("permit");
    expect(said(true as never, { trusted: [true] })).toBe("no_variant");
  });

  test("[rails-provenance] inside: a text may be composed, and each destination in it must have been seen", () => {
    const inside = { inside: true } as const;
    fc.assert(
      fc.property(fc.oneof(email, link, iban), fc.oneof(email, link, iban), (seen, other) => {
        fc.pre(seen !== other);
        for (const place of PLACES.map(([, where]) => where(seen))) {
          expect(said(`Dear Ada, as agreed: ${seen}. Yours`, place, inside)).toBe("permit");
          expect(said(`Dear Ada, as agreed: ${other}. Yours`, place, inside)).toBe("provenance_missing");
          expect(said(`Dear Ada, ${seen}, or (${other})`, place, inside)).toBe("provenance_missing");
        }
        expect(said("Dear Ada, nothing in here", {}, inside)).toBe("permit");
        expect(said(`See ${other}`, { request: `Write "See ${other}" to Ada` }, inside)).toBe("permit");
        expect(said(`See ${other}`, { untrusted: `See ${other}` }, inside)).toBe("provenance_untrusted");
      }),
      RUNS,
    );
  });

  test.each([
    ["nobody's characters", (one: string) => [...one].join("\u200b")],
    ["a variation selector", (one: string) => one.replace(".", ".\ufe0f")],
    ["a mark", (one: string) => one.replace(".", "\u0338.")],
    ["fullwidth letters", (one: string) => one.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
    ["a dot in brackets", (one: string) => one.replaceAll(".", "[.]")],
    ["a dot in words", (one: string) => one.replaceAll(".", " (dot) ")],
    ["an empty tag", (one: string) => one.replace(".", "<b></b>.")],
    ["an entity with zeros", (one: string) => one.replaceAll(".", "&#x0000002e;")],
    ["percent signs, twice", (one: string) => one.replaceAll(".", "%252E")],
    ["an escape", (one: string) => one.replaceAll(".", "\\u002e")],
    ["another stop", (one: string) => one.replaceAll(".", "\uff61")],
  ])("[rails-provenance] disguised-is-not-hidden: %s takes no destination past the rule", (_what, disguise) => {
    fc.assert(
      fc.property(host, host, (seen, other) => {
        fc.pre(seen !== other);
        const request = `Write to Ada about ${seen}`;
        expect(said(`About ${seen}`, { request }, { inside: true })).toBe("permit");
        expect(said(`About ${disguise(other)}`, { request }, { inside: true })).toBe("provenance_missing");
        expect(said(`About ${seen}, ${disguise(other)}`, { request }, { inside: true })).toBe("provenance_missing");
      }),
      RUNS,
    );
  });

  test("[rails-provenance] inside: a text with more destinations than are traced is not let through", () => {
    const many = Array.from({ length: 300 }, (_, i) => `a${i}.example`).join(" ");
    expect(said(many, { request: many }, { inside: true })).toBe("permit");
    expect(said(`${many} and`, { request: `${many} or` }, { inside: true })).toBe("provenance_missing");
  });

  test("[rails-provenance] where it stands in for evidence, a proposal in which nothing can be traced is denied", () => {
    const tool = defineTool({
      name: "pay",
      description: "pays",
      placement: "irreversible",
      effect: "once",
      params: z.strictObject({ to: z.array(z.string()), note: z.string().max(9).optional() }),
      provenance: { to: { from: ["request"] }, note: { from: ["request"], inside: true } },
      authorise: () => permit(),
      caps: [{ name: "c", limit: 9, window: "per_run" }],
      execute: () => null,
      summarise: () => "paid",
    });
    const code = (params: object) => judge(tool, { params, requests: ["pay ada"] }).code;
    expect(code({ to: ["ada"] })).toBe(null);
    expect(code({ to: [] })).toBe("provenance_missing");
    expect(code({ to: [], note: "ada" })).toBe("provenance_missing");
    expect(code({ to: ["ada"], note: "x.example" })).toBe("provenance_missing");
  });
});
