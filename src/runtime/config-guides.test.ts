import { describe, expect, test } from "vitest";
import { nodeSignatures } from "../adapters/signatures/index.ts";
import { DEFAULT_PROFILE } from "../domain/profile.ts";
import { type Config, checkConfig } from "./config.ts";
import { checkGuides, checkKeys, type GuidesDeclared, profilesOf } from "./config-guides.ts";

const SUE = { "user:sue": { roles: ["guides"] } };
const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOaaz+jB7fQk2ZuO9l9rZcT7v0cKk4y7n8yJYo1y3Q0m";

/** Everything that is wrong, as `where: message`. */
function wrong(config: GuidesDeclared, severity = "error"): readonly string[] {
  return checkGuides({ approvers: SUE, ...config })
    .filter((one) => one.severity === severity)
    .map(({ message, where }) => `${where}: ${message}`);
}

describe("guides in a config", () => {
  test.each<[string, unknown]>([
    ["a path", "./guides"],
    ["a folder", { folder: "./guides" }],
    ["files of one's own", { folder: { read: async () => [] } }],
    [
      "everything",
      { folder: "x", profile: "default", app: "phone", role: "guides", signatures: "required", exclude: ["a.md"] },
    ],
    ["nothing", undefined],
  ])("fine: %s", (_, guides) => {
    const approvers = { "user:sue": { roles: ["guides"], keys: [KEY] } };
    expect(checkGuides({ guides, approvers, ledgerKey: "sixteen characters" })).toEqual([]);
  });

  test.each<[unknown, string]>([
    ["", "config.guides: must be the path of a folder"],
    [7, 'config.guides: must be the path of a folder, or { folder: "./guides" }'],
    [["./guides"], 'config.guides: must be the path of a folder, or { folder: "./guides" }'],
    [{}, "config.guides.folder: must be the path of a folder, or an object with a function `read`"],
    [
      { folder: { read: 1 } },
      "config.guides.folder: must be the path of a folder, or an object with a function `read`",
    ],
    [{ folder: "x", foldr: "y" }, 'config.guides: unknown key "foldr"; did you mean "folder"?'],
    [
      { folder: "x", profile: "defualt" },
      'config.guides.profile: there is no profile "defualt"; did you mean "default"?',
    ],
    [{ folder: "x", app: "" }, "config.guides.app: must be the name of an app"],
    [{ folder: "x", role: "" }, "config.guides.role: must be a role"],
    [{ folder: "x", signatures: true }, 'config.guides.signatures: must be "required", or be left out'],
    [{ folder: "x", exclude: "a.md" }, "config.guides.exclude: must be a list of names of files, below the folder"],
    [{ folder: "x", exclude: ["."] }, 'config.guides.exclude: names files, and "." is the folder itself'],
    [
      { folder: { read: () => [], version: "1" } },
      "config.guides.folder: must be the path of a folder, or an object with a function `read`",
    ],
    [{ folder: "x", exclude: [7] }, "config.guides.exclude: must be a list of names of files, below the folder"],
    [
      { folder: "x", signatures: "required" },
      'config.guides.signatures: nobody can sign: no approver with the role "guides" has `keys`',
    ],
  ])("wrong: %j", (guides, says) => {
    expect(wrong({ guides, ledgerKey: "sixteen characters" })).toEqual([says]);
  });

  test("[guide-signature] signatures without a key of the ledger: what is not signed could be forged", () => {
    const approvers = { "user:sue": { roles: ["guides"], keys: [KEY] } };
    const guides = { folder: "x", signatures: "required" };
    expect(wrong({ guides, approvers })).toEqual([
      "config.guides.signatures: needs `ledgerKey`: only approvals are signed, and without a key whoever can write the database withdraws or exchanges a rule",
    ]);
    expect(wrong({ guides: { folder: "x" }, approvers })).toEqual([]);
  });

  test("that nobody may approve is a warning, since a folder may be there only to be checked", () => {
    const says = 'config.guides: nobody may approve: no approver has the role "guides"';
    for (const approvers of [undefined, {}, { "user:bob": { roles: ["supervisor"] } }, 7, { x: null }]) {
      expect(wrong({ guides: "./guides", approvers }, "warning")).toEqual([says]);
      expect(wrong({ guides: "./guides", approvers })).toEqual([]);
    }
    expect(wrong({ guides: { folder: "x", role: "editors" } }, "warning")[0]).toContain('"editors"');
  });
});

describe("profiles in a config", () => {
  test("a default is there where it is declared, where nothing else is, and where it is served", () => {
    const big = { big: { budgetBytes: 8_192 } };
    expect([...profilesOf(big, "big").keys()]).toEqual(["big"]);
    expect([...profilesOf(big, "default").keys()]).toEqual(["default", "big"]);
    expect([...profilesOf({ ...big, default: {} }, "big").keys()]).toEqual(["big", "default"]);
    expect([...profilesOf({}, "default").keys()]).toEqual(["default"]);
    expect([...profilesOf(undefined).keys()]).toEqual(["default"]);
  });

  test("what is left out is as in the default", () => {
    const all = profilesOf({ small: { budgetBytes: 100, slot: "first_user" } });
    expect([...all.keys()]).toEqual(["default", "small"]);
    expect(all.get("default")).toEqual(DEFAULT_PROFILE);
    expect(all.get("small")).toEqual({ ...DEFAULT_PROFILE, name: "small", budgetBytes: 100, slot: "first_user" });
    expect(profilesOf({ default: { budgetBytes: 5, measured: undefined as never } }).get("default")).toEqual({
      ...DEFAULT_PROFILE,
      budgetBytes: 5,
    });
  });

  test.each<[unknown, string]>([
    [7, "config.profiles: must be an object of profiles by name"],
    [{ a: 7 }, "profile a: must be an object such as { budgetBytes: 2_048 }"],
    [{ a: { budgetByte: 7 } }, 'profile a: unknown key "budgetByte"; did you mean "budgetBytes"?'],
    [{ "a b": {} }, "profile a b: its name may have letters, digits and : . _ -, at most 128"],
    [{ a: { budgetBytes: 0 } }, "profile a: `budgetBytes` must be a whole number above 0"],
    [{ a: { budgetBytes: 1.5 } }, "profile a: `budgetBytes` must be a whole number above 0"],
    [{ a: { contextTokens: "16k" } }, "profile a: `contextTokens` must be a whole number above 0"],
    [{ a: { bytesPerToken: 0 } }, "profile a: `bytesPerToken` must be a number above 0"],
    [{ a: { bytesPerToken: Number.NaN } }, "profile a: `bytesPerToken` must be a number above 0"],
    [
      { a: { slot: "system_stat" } },
      'profile a: `slot` must be one of system_start, system_end, first_user, last_user; did you mean "system_start"?',
    ],
    [{ a: { measured: "" } }, "profile a: `measured` must name a measurement, or be left out"],
    [
      { a: { budgetBytes: 101, contextTokens: 50, bytesPerToken: 2 } },
      "profile a: a budget of 101 bytes is more than its window, which holds 100",
    ],
  ])("wrong: %j", (profiles, says) => {
    expect(wrong({ profiles })).toEqual([says]);
  });

  test("a budget of the whole window is the border", () => {
    expect(wrong({ profiles: { a: { budgetBytes: 100, contextTokens: 50, bytesPerToken: 2 } } })).toEqual([]);
  });

  test("a model's profile is one of them", () => {
    const model = { baseUrl: "http://127.0.0.1/v1", name: "m" };
    expect(wrong({ model: { ...model, profile: "smal" }, profiles: { small: {} } })).toEqual([
      'config.model.profile: there is no profile "smal"; did you mean "small"?',
    ]);
    expect(wrong({ model: { ...model, profile: "small" }, profiles: { small: {} } })).toEqual([]);
    expect(wrong({ model: { complete: () => {}, profile: "x" } })).toEqual([]);
  });
});

describe("keys of approvers", () => {
  const signatures = nodeSignatures();
  const keys = (...all: readonly unknown[]) => ({ roles: ["guides"], keys: all });
  const found = (approvers: unknown) =>
    checkKeys(approvers, signatures).map(({ message, where }) => `${where}: ${message}`);

  test("are read one by one, and each belongs to one person", () => {
    expect(found({ "user:sue": keys(KEY), "user:tom": { roles: ["guides"] } })).toEqual([]);
    expect(found({ "user:sue": keys(KEY, "ssh-ed25519 AAAA") })).toEqual([
      expect.stringMatching(/^approver user:sue: its key 2 cannot be read: /),
    ]);
    expect(found({ "user:sue": keys(KEY), "user:tom": keys(`${KEY} tom@desk`) })).toEqual([
      expect.stringMatching(
        /^approver user:tom: its key SHA256:\S+ is declared by user:sue too, and would not say who signed$/,
      ),
    ]);
    expect(found({ "user:sue": keys(KEY, KEY) })).toEqual([expect.stringMatching(/is declared twice$/)]);
    for (const odd of [undefined, null, 7, { x: 7 }, { x: { keys: 7 } }, { x: { keys: [7] } }])
      expect(found(odd)).toEqual([]);
  });

  test("have to be a list of texts", () => {
    const config = {
      model: { baseUrl: "http://127.0.0.1/v1", name: "m" },
      tools: [],
      approvers: { sue: { roles: ["guides"], keys: "x" } },
    };
    expect(checkConfig(config as unknown as Config)).toMatchObject([
      { where: "approver sue", message: "its `keys` must be a list of public keys" },
    ]);
  });
});
