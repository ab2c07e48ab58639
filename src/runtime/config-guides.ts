import type { Finding } from "../domain/finding.ts";
import { isJsonObject } from "../domain/json.ts";
import { DEFAULT_PROFILE, type Profile, SLOTS } from "../domain/profile.ts";
import { type GuideFiles, WHOLE_FOLDER } from "../ports/guide-files.ts";
import type { MapFiles } from "../ports/map-files.ts";
import type { Signatures } from "../ports/signatures.ts";
import { finding, ID, meant, said, strayKeys } from "./config-finding.ts";

/** Where the rules are: a folder of rule files, or that with what else is declared of them. */
export type GuidesConfig = string | GuidesOptions;

export type GuidesOptions = {
  /** The folder that authors write in, or files of your own. What is served comes from the store, never from here. */
  readonly folder: string | GuideFiles;
  /** The profile that is served for where neither the model nor the caller names one. Default `default`. */
  readonly profile?: string;
  /** The app that runs act in, for the rules' matchers, where the caller names none. */
  readonly app?: string;
  /** The role that approves and publishes guides. Default `guides`. */
  readonly role?: string;
  /**
   * `required`: an approval without a signature that fits is neither taken nor served. Needs a `ledgerKey`, since publications,
   * withdrawals and revocations are not signed.
   */
  readonly signatures?: "required";
  /** The folder of harvested control maps, `NAME.json` each: generated guides are grounded in them, and stale where they change. */
  readonly maps?: string | MapFiles;
  /** Files that are no rules, by name. A header that cannot be read blocks everything unless its file is named here. */
  readonly exclude?: readonly string[];
};

/** A profile as it is declared; what is left out is as in DEFAULT_PROFILE. */
export type ProfileConfig = Partial<Omit<Profile, "name">>;

/** What of a config these checks look at. All of it is what somebody wrote, of whatever type. */
export type GuidesDeclared = {
  readonly guides?: unknown;
  readonly profiles?: unknown;
  readonly approvers?: unknown;
  readonly model?: unknown;
  readonly ledgerKey?: unknown;
};

export const GUIDE_ROLE = "guides";

const GUIDES_KEYS = ["folder", "profile", "app", "role", "signatures", "maps", "exclude"];
const PROFILE_KEYS = ["budgetBytes", "slot", "contextTokens", "bytesPerToken", "measured"];

/** Everything that is wrong with what a config says of guides and profiles. */
export function checkGuides(config: GuidesDeclared): readonly Finding[] {
  const { guides, profiles = {} } = config;
  const findings = [...checkProfiles(profiles), ...checkModelProfile(config)];
  if (guides === undefined) return findings;
  if (typeof guides === "string") {
    if (guides === "") findings.push(finding("config.guides", "must be the path of a folder"));
    return [...findings, ...checkRole(config, GUIDE_ROLE, false)];
  }
  if (!isJsonObject(guides)) {
    return [...findings, finding("config.guides", 'must be the path of a folder, or { folder: "./guides" }')];
  }
  const {
    folder,
    profile,
    app,
    role = GUIDE_ROLE,
    signatures,
    maps,
    exclude = [],
  }: { readonly [key: string]: unknown } = guides;
  findings.push(...strayKeys(guides, GUIDES_KEYS, "config.guides"));
  const { read, version } = (isJsonObject(folder) ? folder : {}) as { read?: unknown; version?: unknown };
  const reads = typeof read === "function" && (version === undefined || typeof version === "function");
  if (!isName(folder) && !reads) {
    findings.push(finding("config.guides.folder", "must be the path of a folder, or an object with a function `read`"));
  }
  if (profile !== undefined) findings.push(...checkProfileName(profile, profiles, "config.guides.profile"));
  const givesMaps = isJsonObject(maps) && typeof (maps as { read?: unknown }).read === "function";
  if (maps !== undefined && !isName(maps) && !givesMaps) {
    findings.push(finding("config.guides.maps", "must be the path of a folder, or an object with a function `read`"));
  }
  if (app !== undefined && !isName(app)) findings.push(finding("config.guides.app", "must be the name of an app"));
  if (signatures !== undefined && signatures !== "required") {
    findings.push(finding("config.guides.signatures", 'must be "required", or be left out'));
  }
  if (signatures === "required" && config.ledgerKey === undefined) {
    findings.push(finding("config.guides.signatures", UNKEYED));
  }
  if (!Array.isArray(exclude) || !exclude.every(isName)) {
    findings.push(finding("config.guides.exclude", "must be a list of names of files, below the folder"));
  } else if (exclude.includes(WHOLE_FOLDER)) {
    findings.push(finding("config.guides.exclude", `names files, and "${WHOLE_FOLDER}" is the folder itself`));
  }
  if (!isName(role)) findings.push(finding("config.guides.role", "must be a role"));
  else findings.push(...checkRole(config, role, signatures === "required"));
  return findings;
}

/**
 * The keys that approvers declare, read one by one. A key that two people declare would not say which of them signed. Only
 * whoever has the cryptography can do this, so it is not part of what the other checks of a config do.
 */
export function checkKeys(approvers: unknown, signatures: Pick<Signatures, "readKey">): readonly Finding[] {
  const findings: Finding[] = [];
  const owners = new Map<string, string>();
  for (const [id, approver] of Object.entries(isJsonObject(approvers) ? approvers : {})) {
    const keys: readonly unknown[] = isJsonObject(approver) && Array.isArray(approver.keys) ? approver.keys : [];
    for (const [i, key] of keys.entries()) {
      const read = typeof key === "string" ? signatures.readKey(key) : null;
      if (read === null) continue;
      const where = `approver ${id}`;
      if (!read.ok) {
        findings.push(finding(where, `its key ${i + 1} cannot be read: ${read.why.detail}`));
        continue;
      }
      const owner = owners.get(read.value.blob);
      owners.set(read.value.blob, id);
      if (owner === undefined) continue;
      const says = owner === id ? "is declared twice" : `is declared by ${owner} too, and would not say who signed`;
      findings.push(finding(where, `its key ${read.value.fingerprint} ${says}`));
    }
  }
  return findings;
}

/**
 * The profiles of a config that was checked, by name. One called `default` is among them where it is declared, where nothing else
 * is, and where it is `served`, the one that runs are served for: what no run is served for asks nothing of a rule.
 */
export function profilesOf(
  profiles: { readonly [name: string]: ProfileConfig } = {},
  served: string = DEFAULT_PROFILE.name,
): ReadonlyMap<string, Profile> {
  const isNeeded = served === DEFAULT_PROFILE.name || Object.keys(profiles).length === 0;
  const all = Object.entries({ ...(isNeeded ? { [DEFAULT_PROFILE.name]: {} } : {}), ...profiles });
  return new Map(all.map(([name, profile]) => [name, Object.freeze({ ...DEFAULT_PROFILE, ...said(profile), name })]));
}

/**
 * An error and no warning: whoever requires signatures does not trust who can write the database, and without a key such a person
 * removes a rule, or goes back to one that was approved once, in an approver's name and without a trace.
 */
const UNKEYED =
  "needs `ledgerKey`: only approvals are signed, and without a key whoever can write the database withdraws or exchanges a rule";

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Whether anybody may approve at all. Nothing is wrong with a folder that is only checked, so it is a warning. */
function checkRole({ approvers }: GuidesDeclared, role: string, signed: boolean): readonly Finding[] {
  const all: readonly unknown[] = isJsonObject(approvers) ? Object.values(approvers) : [];
  const having = all.filter((one) => isJsonObject(one) && Array.isArray(one.roles) && one.roles.includes(role));
  if (having.length === 0) {
    return [finding("config.guides", `nobody may approve: no approver has the role "${role}"`, "warning")];
  }
  const signing = having.some((one) => isJsonObject(one) && Array.isArray(one.keys) && one.keys.length > 0);
  if (!signed || signing) return [];
  return [finding("config.guides.signatures", `nobody can sign: no approver with the role "${role}" has \`keys\``)];
}

function checkModelProfile({ model, profiles = {} }: GuidesDeclared): readonly Finding[] {
  const profile: unknown = isJsonObject(model) && !("complete" in model) ? model.profile : undefined;
  return profile === undefined ? [] : checkProfileName(profile, profiles, "config.model.profile");
}

function checkProfileName(name: unknown, profiles: unknown, where: string): readonly Finding[] {
  const known = [DEFAULT_PROFILE.name, ...(isJsonObject(profiles) ? Object.keys(profiles) : [])];
  if (typeof name === "string" && known.includes(name)) return [];
  return [finding(where, `there is no profile "${String(name)}"${meant(String(name), known)}`)];
}

function checkProfiles(profiles: unknown): Finding[] {
  if (!isJsonObject(profiles)) return [finding("config.profiles", "must be an object of profiles by name")];
  return Object.entries(profiles).flatMap(([name, profile]) => checkProfile(`profile ${name}`, name, profile));
}

function checkProfile(where: string, name: string, profile: unknown): readonly Finding[] {
  if (!isJsonObject(profile)) return [finding(where, "must be an object such as { budgetBytes: 2_048 }")];
  const findings = strayKeys(profile, PROFILE_KEYS, where);
  if (!ID.test(name)) findings.push(finding(where, "its name may have letters, digits and : . _ -, at most 128"));
  const { budgetBytes, slot, contextTokens, bytesPerToken, measured } = { ...DEFAULT_PROFILE, ...said(profile) };
  for (const [key, value] of Object.entries({ budgetBytes, contextTokens })) {
    if (!Number.isSafeInteger(value) || value < 1)
      findings.push(finding(where, `\`${key}\` must be a whole number above 0`));
  }
  if (typeof bytesPerToken !== "number" || !Number.isFinite(bytesPerToken) || bytesPerToken <= 0) {
    findings.push(finding(where, "`bytesPerToken` must be a number above 0"));
  }
  if (!SLOTS.includes(slot)) {
    findings.push(finding(where, `\`slot\` must be one of ${SLOTS.join(", ")}${meant(String(slot), SLOTS)}`));
  }
  if (!isName(measured)) findings.push(finding(where, "`measured` must name a measurement, or be left out"));
  if (findings.length === 0 && budgetBytes > contextTokens * bytesPerToken) {
    const window = Math.floor(contextTokens * bytesPerToken);
    findings.push(finding(where, `a budget of ${budgetBytes} bytes is more than its window, which holds ${window}`));
  }
  return findings;
}
