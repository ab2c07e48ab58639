import type { Began } from "../domain/event.ts";
import { type RoutedRule, RULE_SEPARATOR } from "../domain/served.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { Run } from "./run.ts";

/**
 * What a prompt carries of the approved rules: the served text byte for byte in its slot, and on channel B the rules whose
 * event has happened. The bytes of all of channel B are reserved from the start, so that an injection always fits.
 */
export type Told = {
  /** Our system text with the rules, where their slot is there. */
  readonly system: string;
  readonly systemBytes: number;
  /** Blocks of the user's text: at its start, at its end, and the injected rules. Empty where there is none. */
  readonly first: string;
  readonly last: string;
  readonly injected: string;
  /** Bytes that the blocks of the user's text take and that channel B may take, with what stands between them. */
  readonly reserved: number;
};

/** What stands over the served text, and over the injected rules. */
export const RULES = "RULES";
export const INJECTED = "RULES THAT APPLY NOW";
/** What stands between a block and the next. */
const GAP = "\n\n";

type Asked = { readonly began: Began | null; readonly system: string; readonly taught: readonly string[] };

/** The newest answer for each run: it is the same every turn, and several runs may take turns. */
const kept = new WeakMap<Began, Asked & { readonly told: Told }>();

export function toldOf({ began, taught }: Run, system: string): Told {
  if (began === null) return tell({ began, taught, system });
  const known = kept.get(began);
  if (known !== undefined && known.taught === taught && known.system === system) return known.told;
  const told = tell({ began, taught, system });
  kept.set(began, { began, taught, system, told });
  return told;
}

function tell({ began, taught, system }: Asked): Told {
  const guides = began?.guides ?? null;
  const plain: Told = { system, systemBytes: utf8Length(system), first: "", last: "", injected: "", reserved: 0 };
  if (guides === null) return plain;
  const { text, slot, report } = guides;
  const injected = injectedText(report.routed.filter(({ id }) => taught.includes(id)));
  const reserved = channelBytes(report.routed);
  const told = { ...plain, injected, reserved };
  if (text === "") return told;
  const block = `${RULES}\n${text}`;
  const bytes = utf8Length(block) + GAP.length;
  switch (slot) {
    case "system_start":
      return { ...told, system: block + GAP + system, systemBytes: plain.systemBytes + bytes };
    case "system_end":
      return { ...told, system: system + GAP + block, systemBytes: plain.systemBytes + bytes };
    case "first_user":
      return { ...told, first: block, reserved: reserved + bytes };
    case "last_user":
      return { ...told, last: block, reserved: reserved + bytes };
  }
}

function injectedText(rules: readonly RoutedRule[]): string {
  return rules.length === 0 ? "" : `${INJECTED}\n${rules.map(({ text }) => text).join(RULE_SEPARATOR)}`;
}

/** What channel B takes once every rule on it was injected, however many of them have been. */
function channelBytes(rules: readonly RoutedRule[]): number {
  return rules.length === 0 ? 0 : utf8Length(injectedText(rules)) + GAP.length;
}
