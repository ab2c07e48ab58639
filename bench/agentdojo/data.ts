/**
 * The public data that the AgentDojo figure reads at run time. Everything is parsed here; nothing of it is kept in this
 * repository. Source: AgentDojo, benchmark v1.2.1, (c) 2024 Debenedetti, Zhang, Balunovic, Beurer-Kellner, Fischer, Tramer
 * (MIT).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "../../src/index.ts";
import { NoData } from "../figures/figure.ts";

export const SUITE_NAMES = ["banking", "slack", "travel", "workspace"] as const;
export type SuiteName = (typeof SUITE_NAMES)[number];

const json = z.json();
const params = z.record(z.string(), json);

const call = z.looseObject({ tool: z.string(), args: params, result: json });

const suite = z.looseObject({
  suite: z.enum(SUITE_NAMES),
  benchmarkVersion: z.string(),
  tools: z.array(
    z.looseObject({
      name: z.string(),
      effect: z.enum(["read", "read-with-egress", "read-with-side-effect", "write"]),
    }),
  ),
  /** What stands in each field that an attacker can write while nobody attacks. */
  injectionVectors: z.record(z.string(), z.looseObject({ default: z.string() })),
  environment: params,
  /** The environment again, with `{vector}` in the only places where an attacker can write. */
  environmentTemplate: params,
  userTasks: z.array(z.looseObject({ id: z.string(), prompt: z.string(), calls: z.array(call) })),
  /** What real attackers want, as calls; absent where a data set keeps it apart. Where it is there, it is tried as well. */
  injectionTasks: z
    .array(z.looseObject({ id: z.string(), calls: z.array(z.looseObject({ tool: z.string(), args: params })) }))
    .optional(),
});

export type SuiteData = z.infer<typeof suite>;
export type UserTask = SuiteData["userTasks"][number];
export type RecordedCall = UserTask["calls"][number];

/** Reads and parses the four files below `directory`. Throws `NoData` where one is absent or has another shape. */
export function loadAgentDojo(directory: string): readonly SuiteData[] {
  return SUITE_NAMES.map((name) => parseFile(join(directory, `${name}.json`)));
}

function parseFile(path: string): SuiteData {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new NoData(`cannot read ${path}: give the directory of the public data with --data DIR`);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new NoData(`${path} is not JSON`);
  }
  const result = suite.safeParse(raw);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new NoData(`${path} has another shape: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  return result.data;
}
