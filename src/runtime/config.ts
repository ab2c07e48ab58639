import { type Budgets, DEFAULT_BUDGETS, TIMER_MS_MAX } from "../domain/budgets.ts";
import { isZone } from "../domain/dates.ts";
import type { Finding } from "../domain/finding.ts";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import { plainJson } from "../domain/plain.ts";
import type { PolicyRule } from "../domain/policy.ts";
import { redactText, SECRET_LENGTH_MIN } from "../domain/redact.ts";
import type { Tool } from "../domain/tool.ts";
import type { Window } from "../domain/window.ts";
import type { Memory } from "../ports/memory.ts";
import type { Model, ModelServer } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Ids } from "../ports/world.ts";
import { checkDeclarations } from "../rails/index.ts";
import { finding, ID, said, strayKeys } from "./config-finding.ts";
import { checkGuides, type GuidesConfig, type ProfileConfig } from "./config-guides.ts";
import { SignalboxError } from "./error.ts";

/** What an operator declares. Unknown keys are refused at start. */
export type Config = {
  readonly model: Model | ModelServer;
  readonly tools: readonly Tool[];
  readonly policies?: readonly PolicyRule[];
  /** Part of the policy version, for what the text of the rules does not show: constants that they lean on. */
  readonly policyVersion?: string;
  /** Who may use which tools. Left out: everybody may use every tool. */
  readonly principals?: { readonly [id: string]: PrincipalConfig };
  /** Who may approve what is staged, by id, with their roles. Left out: nobody, so what is staged stays undone. */
  readonly approvers?: { readonly [id: string]: ApproverConfig };
  /** How long a staged proposal waits for its approval, and an approval for its use, in milliseconds. Default 7 days. */
  readonly approvalMs?: number;
  /** Reachable only by `record`, `probe` and `execute`. */
  readonly services?: object;
  /** A path (SQLite), `"memory"`, or a store of your own. Default `./signalbox.db`. */
  readonly store?: string | Store;
  /** IANA zone of `today`. Default `UTC`. */
  readonly zone?: string;
  readonly budgets?: Partial<Budgets>;
  readonly window?: Partial<Window>;
  readonly memory?: Memory;
  /** The rules that the model is told, once they are approved and published. Left out: none. */
  readonly guides?: GuidesConfig;
  /** What models and devices can take of guide text, by name. */
  readonly profiles?: { readonly [name: string]: ProfileConfig };
  /** Secrets that must reach neither a record nor a prompt: by value, and by the name of a field. */
  readonly redact?: { readonly values?: readonly string[]; readonly fields?: readonly string[] };
  /** Keys the ledger's chains (HMAC-SHA-256), so that rows cannot be forged without it. At least 16 characters. */
  readonly ledgerKey?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
};

export type PrincipalConfig = { readonly tools: readonly string[] | "all"; readonly attributes?: JsonObject };

export type ApproverConfig = {
  readonly roles: readonly string[];
  /** Public keys for signed approvals of guides: lines of OpenSSH's, PEMs of Ed25519, or `ed25519` and 32 bytes in base64. */
  readonly keys?: readonly string[];
};

export const APPROVAL_MS = 7 * 86_400_000;
const APPROVAL_MS_MAX = 10 * 366 * 86_400_000;

export function defineConfig<const C extends Config>(config: C): C {
  return config;
}

const CONFIG_KEYS = [
  "model",
  "tools",
  "policies",
  "policyVersion",
  "principals",
  "approvers",
  "approvalMs",
  "services",
  "store",
  "zone",
  "budgets",
  "window",
  "memory",
  "guides",
  "profiles",
  "redact",
  "ledgerKey",
  "clock",
  "ids",
];
const BUDGET_KEYS = Object.keys(DEFAULT_BUDGETS);
const WINDOW_KEYS = ["tokens", "outputTokens", "bytesPerToken", "measured"];
const MODEL_KEYS = ["baseUrl", "name", "apiKey", "temperature", "price", "mode", "stream", "retries", "profile"];
const PRINCIPAL_KEYS = ["tools", "attributes"];
const APPROVER_KEYS = ["roles", "keys"];
const REDACT_KEYS = ["values", "fields"];

/** A server that does not answer so often is down. */
const RETRIES_MAX = 10;

/** A shorter key is found by trying. */
const LEDGER_KEY_LENGTH_MIN = 16;

/** Everything that is wrong with a config, so that it can be mended in one go. Start-up refuses where any is an error. */
export function checkConfig(config: Config): readonly Finding[] {
  if (typeof config !== "object" || config === null)
    return [finding("config", "must be an object made by defineConfig")];
  const findings = [...strayKeys(config, CONFIG_KEYS, "config"), ...checkModel(config.model)];
  if (!Array.isArray(config.tools)) {
    findings.push(finding("config.tools", "must be a list of tools made by defineTool"));
    return findings;
  }
  const policies: unknown = config.policies ?? [];
  if (!Array.isArray(policies)) findings.push(finding("config.policies", "must be a list made by definePolicy"));
  findings.push(...checkDeclarations(config.tools, Array.isArray(policies) ? policies : []));
  findings.push(...checkPrincipals(config), ...checkApprovers(config), ...checkRedaction(config));
  findings.push(...checkBudgets(config.budgets ?? {}, "config.budgets"), ...checkWindow(config.window ?? {}));
  const key: unknown = config.ledgerKey;
  if (key !== undefined && (typeof key !== "string" || key.length < LEDGER_KEY_LENGTH_MIN)) {
    findings.push(
      finding("config.ledgerKey", `needs at least ${LEDGER_KEY_LENGTH_MIN} characters; leave it out for none`),
    );
  }
  findings.push(...checkParts(config), ...checkGuides(config));
  if (config.zone !== undefined && !isZone(config.zone)) {
    findings.push(finding("config.zone", `"${String(config.zone)}" is not an IANA time zone such as Europe/Zurich`));
  }
  return findings;
}

/** A config of which only the rules are used: it may leave out the model, and a model that it names is not looked at. */
export type PolicyConfig = Omit<Config, "model"> & { readonly model?: Config["model"] };

const NO_MODEL: ModelServer = { baseUrl: "http://127.0.0.1/v1", name: "none" };

/** The same, of a config of which only the rules are used. */
export function checkRules(config: PolicyConfig): readonly Finding[] {
  const isConfig = typeof config === "object" && config !== null;
  return checkConfig(isConfig ? { ...config, model: NO_MODEL } : config);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** What the house calls has to be callable: found at start and not in the middle of a run. */
function checkParts(config: Config): readonly Finding[] {
  const parts: readonly (readonly [string, unknown, readonly string[]])[] = [
    [
      "store",
      typeof config.store === "string" ? undefined : config.store,
      ["claim", "begin", "append", "decide", "settle", "readRows"],
    ],
    ["clock", config.clock, ["now", "sleep"]],
    ["ids", config.ids, ["next"]],
    ["memory", config.memory, ["search"]],
  ];
  const findings: Finding[] = [];
  for (const [key, part, methods] of parts) {
    if (part === undefined) continue;
    const missing = methods.find(
      (method) => !isObject(part) || typeof (part as { [name: string]: unknown })[method] !== "function",
    );
    if (missing !== undefined) findings.push(finding(`config.${key}`, `needs a function \`${missing}\``));
  }
  if (config.store === "") findings.push(finding("config.store", 'must be a path, "memory", or a store'));
  const { services, policyVersion } = config;
  if (services !== undefined && !isObject(services)) findings.push(finding("config.services", "must be an object"));
  if (policyVersion !== undefined && typeof policyVersion !== "string") {
    findings.push(finding("config.policyVersion", "must be a text"));
  }
  return findings;
}

function checkModel(model: Config["model"] | undefined): readonly Finding[] {
  if (typeof model !== "object" || model === null) {
    return [finding("config.model", "is missing: give { baseUrl, name } of an OpenAI-compatible server, or a Model")];
  }
  if ("complete" in model) {
    return typeof model.complete === "function" ? [] : [finding("config.model.complete", "must be a function")];
  }
  const findings = [...strayKeys(model, MODEL_KEYS, "config.model")];
  if (typeof model.name !== "string" || model.name === "") findings.push(finding("config.model.name", "is missing"));
  if (!isHttpUrl(model.baseUrl)) {
    findings.push(finding("config.model.baseUrl", "must be an http(s) URL such as http://127.0.0.1:11434/v1"));
  } else if (/^https?:\/\/[^/]*@/.test(model.baseUrl)) {
    findings.push(finding("config.model.baseUrl", "holds a user or password; give the key as `apiKey`"));
  }
  const key: unknown = model.apiKey;
  // A header carries nothing else, and a key that was read from a file often ends in a line break.
  if (key !== undefined && (typeof key !== "string" || !/^[\x21-\x7e]*$/.test(key))) {
    findings.push(finding("config.model.apiKey", "must be visible ASCII characters without spaces"));
  }
  return [...findings, ...checkModelNumbers(model), ...checkModelAsking(model)];
}

/** How the model is asked. */
function checkModelAsking({ mode, stream, retries }: ModelServer): readonly Finding[] {
  const findings: Finding[] = [];
  if (mode !== undefined && mode !== "flat" && mode !== "tools") {
    findings.push(finding("config.model.mode", 'must be "flat" or "tools"'));
  }
  if (stream !== undefined && typeof stream !== "boolean") {
    findings.push(finding("config.model.stream", "must be true or false"));
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0 && retries <= RETRIES_MAX)) {
    findings.push(finding("config.model.retries", `must be a whole number from 0 to ${RETRIES_MAX}`));
  }
  return findings;
}

function checkModelNumbers({ temperature = 0, price }: ModelServer): readonly Finding[] {
  const findings: Finding[] = [];
  if (!(typeof temperature === "number" && temperature >= 0 && temperature <= 2)) {
    findings.push(finding("config.model.temperature", "must be a number from 0 to 2"));
  }
  if (price === undefined) return findings;
  const figures: readonly unknown[] = [price?.promptMicro, price?.completionMicro];
  if (!figures.every((figure) => typeof figure === "number" && Number.isFinite(figure) && figure >= 0)) {
    findings.push(finding("config.model.price", "needs `promptMicro` and `completionMicro`, numbers of at least 0"));
  }
  return findings;
}

function checkPrincipals(config: Config): readonly Finding[] {
  const { principals = {} } = config;
  if (!isJsonObject(principals)) return [finding("config.principals", "must be an object of principals by their id")];
  return Object.entries(principals).flatMap(([id, principal]) => checkPrincipal(config, `principal ${id}`, principal));
}

function checkPrincipal(config: Config, where: string, principal: unknown): readonly Finding[] {
  if (!isJsonObject(principal)) return [finding(where, 'must be an object such as { tools: "all" }')];
  const { tools, attributes = {} } = principal as { readonly tools?: unknown; readonly attributes?: unknown };
  const findings = strayKeys(principal, PRINCIPAL_KEYS, where);
  const plain = plainJson(attributes);
  if (!plain.ok) findings.push(finding(where, `its \`attributes\` must be plain JSON: ${plain.why.detail}`));
  else if (!isJsonObject(plain.value)) findings.push(finding(where, "its `attributes` must be an object"));
  if (tools === "all") return findings;
  if (!Array.isArray(tools)) return [...findings, finding(where, 'needs `tools`: a list of tool names, or "all"')];
  for (const name of tools as readonly unknown[]) {
    if (!config.tools.some((tool) => tool?.name === name))
      findings.push(finding(where, `names a tool that there is not: ${String(name)}`));
  }
  return findings;
}

function checkApprovers({ approvers = {}, approvalMs = APPROVAL_MS }: Config): readonly Finding[] {
  const findings: Finding[] = [];
  if (!Number.isSafeInteger(approvalMs) || approvalMs < 1 || approvalMs > APPROVAL_MS_MAX) {
    findings.push(finding("config.approvalMs", `must be a whole number of milliseconds from 1 to ${APPROVAL_MS_MAX}`));
  }
  if (!isJsonObject(approvers))
    return [...findings, finding("config.approvers", "must be an object of approvers by id")];
  for (const [id, approver] of Object.entries(approvers)) {
    const where = `approver ${id}`;
    if (!ID.test(id)) findings.push(finding(where, "its id may have letters, digits and : . _ -, at most 128"));
    if (!isJsonObject(approver)) {
      findings.push(finding(where, 'must be an object such as { roles: ["supervisor"] }'));
      continue;
    }
    findings.push(...strayKeys(approver, APPROVER_KEYS, where));
    const roles: unknown = approver.roles;
    if (
      !Array.isArray(roles) ||
      roles.length === 0 ||
      !roles.every((role) => typeof role === "string" && role !== "")
    ) {
      findings.push(finding(where, "needs `roles`: a list of at least one role"));
    }
    const keys: unknown = approver.keys ?? [];
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string")) {
      findings.push(finding(where, "its `keys` must be a list of public keys"));
    }
  }
  return findings;
}

/** What is wrong with budgets that an operator gives. A budget that is undefined is left to its default. */
function checkBudgets(budgets: unknown, where: string): readonly Finding[] {
  if (!isJsonObject(budgets)) return [finding(where, "must be an object")];
  const findings = strayKeys(budgets, BUDGET_KEYS, where);
  for (const [key, value] of Object.entries(budgets)) {
    if (value === undefined || !BUDGET_KEYS.includes(key)) continue;
    const most = key.endsWith("Ms") ? TIMER_MS_MAX : Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(value) || Number(value) < 1 || Number(value) > most) {
      findings.push(finding(`${where}.${key}`, `must be a whole number from 1 to ${most}`));
    }
  }
  return findings;
}

/** The defaults, with what `budgets` says instead. Throws a SignalboxError `bad_budget` that names what is wrong. */
export function mergeBudgets(defaults: Budgets, budgets: Partial<Budgets> | undefined): Budgets {
  if (budgets === undefined) return defaults;
  const findings = checkBudgets(budgets, "budgets");
  if (findings.length > 0) {
    throw new SignalboxError("bad_budget", findings.map(({ where, message }) => `${where}: ${message}`).join("\n"));
  }
  return Object.freeze({ ...defaults, ...said(budgets) });
}

/** As `mergeBudgets`, of a window that `checkConfig` has accepted. */
export function mergeWindow(defaults: Window, window: Partial<Window> | undefined): Window {
  return Object.freeze({ ...defaults, ...said(window ?? {}) });
}

function checkWindow(window: unknown): readonly Finding[] {
  if (!isJsonObject(window)) return [finding("config.window", "must be an object")];
  const findings = strayKeys(window, WINDOW_KEYS, "config.window");
  const { measured, ...numbers } = said(window);
  if (measured !== undefined && typeof measured !== "string")
    findings.push(finding("config.window.measured", "must be a string"));
  for (const [key, value] of Object.entries(numbers)) {
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
      findings.push(finding(`config.window.${key}`, "must be a positive number"));
  }
  return findings;
}

function checkRedaction(config: Config): readonly Finding[] {
  const redact: unknown = config.redact ?? {};
  if (!isJsonObject(redact)) return [finding("config.redact", "must be an object")];
  const findings = strayKeys(redact, REDACT_KEYS, "config.redact");
  const { values = [], fields = [] } = redact as { readonly values?: unknown; readonly fields?: unknown };
  const isSecret = (value: unknown): boolean => typeof value === "string" && value.length >= SECRET_LENGTH_MIN;
  if (!Array.isArray(values) || !values.every(isSecret)) {
    findings.push(
      finding(
        "config.redact.values",
        `must be a list; a secret needs at least ${SECRET_LENGTH_MIN} characters, since a shorter one is found everywhere`,
      ),
    );
  }
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === "string" && field !== "")) {
    findings.push(finding("config.redact.fields", "must be a list of names"));
  }
  const redaction = { values: Array.isArray(values) ? values.filter(isSecret) : [], fields: [] };
  const recorded = (where: string, said: unknown, what: string): void => {
    const text = typeof said === "string" ? said : (JSON.stringify(said) ?? "");
    if (redactText(text, redaction) === text) return;
    findings.push(
      finding(redactText(where, redaction), `holds a declared secret, and ${what} are recorded as they are`),
    );
  };
  for (const [id, principal] of Object.entries(config.principals ?? {})) {
    recorded(`principal ${id}`, [id, principal], "principals");
  }
  for (const id of Object.keys(config.approvers ?? {})) recorded(`approver ${id}`, id, "approvers");
  for (const [name, profile] of Object.entries(config.profiles ?? {})) {
    recorded(`profile ${name}`, `${name} ${String(profile?.measured)}`, "profiles");
  }
  const { app, role } = typeof config.guides === "object" && config.guides !== null ? config.guides : {};
  recorded("config.guides", `${String(app)} ${String(role)}`, "`app` and `role`");
  return findings;
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^\s/]+/.test(value) && URL.canParse(value);
}
