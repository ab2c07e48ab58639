import type { Budgets } from "../domain/budgets.ts";
import { dayIn } from "../domain/dates.ts";
import type { Finding } from "../domain/finding.ts";
import type { JsonObject } from "../domain/json.ts";
import type { PolicyRule } from "../domain/policy.ts";
import { SECRET_LENGTH_MIN } from "../domain/redact.ts";
import type { Tool } from "../domain/tool.ts";
import type { Window } from "../domain/window.ts";
import { promptBytesMax } from "../domain/window.ts";
import type { Memory } from "../ports/memory.ts";
import type { Model, ModelPrice } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Ids } from "../ports/world.ts";
import { checkDeclarations } from "../rails/index.ts";

/** An OpenAI-compatible server: vLLM, Ollama, llama.cpp, LM Studio. `baseUrl` ends in `/v1`. */
export type ModelServer = {
  readonly baseUrl: string;
  readonly name: string;
  /** Sent as a bearer token; never recorded. */
  readonly apiKey?: string;
  /** 0 to 2; default 0, so that the same prompt tends to the same reply. */
  readonly temperature?: number;
  /** For the cost budget: millionths of a currency unit for 1,000 tokens. */
  readonly price?: ModelPrice;
};

/** What an operator declares. Unknown keys are refused at start. */
export type Config = {
  readonly model: Model | ModelServer;
  readonly tools: readonly Tool[];
  readonly policies?: readonly PolicyRule[];
  /** Part of the policy version, for what the text of the rules does not show: constants that they lean on. */
  readonly policyVersion?: string;
  /** Who may use which tools. Left out: everybody may use every tool. */
  readonly principals?: { readonly [id: string]: PrincipalConfig };
  /** Reachable only by `record`, `probe` and `execute`. */
  readonly services?: object;
  /** A path (SQLite), `"memory"`, or a store of your own. Default `./signalbox.db`. */
  readonly store?: string | Store;
  /** IANA zone of `today`. Default `UTC`. */
  readonly zone?: string;
  readonly budgets?: Partial<Budgets>;
  readonly window?: Partial<Window>;
  readonly memory?: Memory;
  /** Secrets that must reach neither a record nor a prompt: by value, and by the name of a field. */
  readonly redact?: { readonly values?: readonly string[]; readonly fields?: readonly string[] };
  /** Keys the ledger's chains (HMAC-SHA-256), so that rows cannot be forged without it. */
  readonly ledgerKey?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
};

export type PrincipalConfig = { readonly tools: readonly string[] | "all"; readonly attributes?: JsonObject };

export function defineConfig<const C extends Config>(config: C): C {
  return config;
}

const CONFIG_KEYS = [
  "model",
  "tools",
  "policies",
  "policyVersion",
  "principals",
  "services",
  "store",
  "zone",
  "budgets",
  "window",
  "memory",
  "redact",
  "ledgerKey",
  "clock",
  "ids",
];
const BUDGET_KEYS = [
  "turns",
  "modelCalls",
  "steps",
  "tokens",
  "costMicro",
  "wallMs",
  "modelCallMs",
  "toolMs",
  "resultBytes",
];
const WINDOW_KEYS = ["tokens", "outputTokens", "bytesPerToken", "measured"];
const MODEL_KEYS = ["baseUrl", "name", "apiKey", "temperature", "price"];
const PRINCIPAL_KEYS = ["tools", "attributes"];
const REDACT_KEYS = ["values", "fields"];

/** Everything that is wrong with a config, so that it can be mended in one go. Start-up refuses where any is an error. */
export function checkConfig(config: Config): readonly Finding[] {
  if (typeof config !== "object" || config === null)
    return [finding("config", "must be an object made by defineConfig")];
  const findings = [...strayKeys(config, CONFIG_KEYS, "config"), ...checkModel(config.model)];
  if (!Array.isArray(config.tools)) {
    findings.push(finding("config.tools", "must be a list of tools made by defineTool"));
    return findings;
  }
  findings.push(...checkDeclarations(config.tools, config.policies ?? []));
  findings.push(...checkPrincipals(config), ...checkNumbers(config), ...checkRedaction(config));
  if (config.zone !== undefined && !isZone(config.zone)) {
    findings.push(finding("config.zone", `"${config.zone}" is not an IANA time zone such as Europe/Zurich`));
  }
  return findings;
}

function checkModel(model: Config["model"] | undefined): readonly Finding[] {
  if (typeof model !== "object" || model === null) {
    return [finding("config.model", "is missing: give { baseUrl, name } of an OpenAI-compatible server, or a Model")];
  }
  if ("complete" in model) return [];
  const findings = [...strayKeys(model, MODEL_KEYS, "config.model")];
  if (typeof model.name !== "string" || model.name === "") findings.push(finding("config.model.name", "is missing"));
  if (!isHttpUrl(model.baseUrl)) {
    findings.push(finding("config.model.baseUrl", "must be an http(s) URL such as http://127.0.0.1:11434/v1"));
  } else if (/^https?:\/\/[^/]*@/.test(model.baseUrl)) {
    findings.push(finding("config.model.baseUrl", "holds a user or password; give the key as `apiKey`"));
  }
  return findings;
}

function checkPrincipals(config: Config): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [id, principal] of Object.entries(config.principals ?? {})) {
    const where = `principal ${id}`;
    findings.push(...strayKeys(principal, PRINCIPAL_KEYS, where));
    if (principal.tools === "all") continue;
    if (!Array.isArray(principal.tools)) {
      findings.push(finding(where, 'needs `tools`: a list of tool names, or "all"'));
      continue;
    }
    for (const name of principal.tools) {
      if (!config.tools.some((tool) => tool.name === name))
        findings.push(finding(where, `names a tool that there is not: ${name}`));
    }
  }
  return findings;
}

function checkNumbers(config: Config): readonly Finding[] {
  const findings = [
    ...strayKeys(config.budgets ?? {}, BUDGET_KEYS, "config.budgets"),
    ...strayKeys(config.window ?? {}, WINDOW_KEYS, "config.window"),
  ];
  for (const [key, value] of Object.entries(config.budgets ?? {})) {
    if (!Number.isSafeInteger(value) || Number(value) < 1) {
      findings.push(finding(`config.budgets.${key}`, "must be a whole number of at least 1"));
    }
  }
  const { tokens = 1, outputTokens = 1, bytesPerToken = 1 } = config.window ?? {};
  if (
    !(
      tokens > 0 &&
      outputTokens > 0 &&
      bytesPerToken > 0 &&
      promptBytesMax({ tokens, outputTokens, bytesPerToken, measured: "" }) >= 0
    )
  ) {
    findings.push(finding("config.window", "needs positive numbers"));
  }
  return findings;
}

function checkRedaction(config: Config): readonly Finding[] {
  const findings = [...strayKeys(config.redact ?? {}, REDACT_KEYS, "config.redact")];
  for (const value of config.redact?.values ?? []) {
    if (typeof value !== "string" || value.length < SECRET_LENGTH_MIN) {
      findings.push(
        finding(
          "config.redact.values",
          `a secret needs at least ${SECRET_LENGTH_MIN} characters; a shorter one is found everywhere`,
        ),
      );
    }
  }
  return findings;
}

function strayKeys(object: object, known: readonly string[], where: string): Finding[] {
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = nearest(key, known);
      return finding(where, `unknown key "${key}"${near === null ? "" : `; did you mean "${near}"?`}`);
    });
}

/** The known word within two edits, or null. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= 2 && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^\s/]+/.test(value);
}

function isZone(zone: string): boolean {
  try {
    return dayIn(zone, 0) !== "";
  } catch {
    // A RangeError is how the platform says that it does not know the zone.
    return false;
  }
}

function finding(where: string, message: string): Finding {
  return { rule: "config", severity: "error", where, message };
}
