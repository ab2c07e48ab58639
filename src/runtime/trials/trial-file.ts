import { isUtf8 } from "node:buffer";
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { canonicalJson } from "../../domain/canonical.ts";
import type { Json } from "../../domain/json.ts";
import { JSON_LIMITS } from "../../domain/json-limits.ts";
import { parseJson } from "../../domain/scan.ts";
import { designText } from "../../domain/trial.ts";
import { TRIAL_RUNS, type TrialResults, type TrialRun, type TrialSetting } from "../../domain/trial-run.ts";
import type { Hash } from "../../ports/world.ts";
import { scheduleOf, strayIn } from "../../trials/index.ts";
import { readDocument } from "../document.ts";
import { SignalboxError, textOf } from "../error.ts";
import { HEAD, RUN, type TrialHead } from "./run-form.ts";
import { readTrial } from "./trial-form.ts";
import { lockTrial } from "./trial-lock.ts";

/** How large a line may be: the first one holds the design. */
const LINE_LIMITS = { ...JSON_LIMITS, bytesMax: 8_388_608, depthMax: 64, keysMax: 400_000 };
const FILE_BYTES_MAX = 268_435_456;

/** The runs of a trial on the disk, one a line. A run is made when its line is durable, and then it is never made again. */
export type TrialFile = {
  readonly results: () => TrialResults;
  /** When this returns, the line is on the disk. */
  readonly add: (run: TrialRun) => void;
  readonly close: () => void;
};

/** Hears each border between what is durable and what is not yet, so that a test can die there. */
export type Seam = (point: string) => void;

/**
 * Opens the file to go on with it, or makes it. Of a process that died in the middle of a line the rest of that line is cut
 * off: nobody was told that it was durable. Throws `other_trial`, `other_conditions`, `not_trial_runs`, `results_damaged`,
 * `trial_is_running`, `results_unwritable`.
 */
export function openTrialFile(path: string, head: TrialHead, hash: Hash, seam: Seam): TrialFile {
  const unlock = lockTrial(path);
  try {
    const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    if (!isThere) makeFile(path, head, seam);
    const { results, bytes } = readFile(path, hash);
    checkSame(path, results, head);
    const file = writing(path, () => openSync(path, "r+"));
    writing(path, () => ftruncateSync(file, bytes));
    const runs = [...results.runs];
    let end = bytes;
    return {
      results: () => ({ ...results, runs: [...runs] }),
      add: (run) => {
        end += append(path, file, end, run, seam);
        runs.push(run);
      },
      close: () => {
        closeSync(file);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What a file of runs holds, also while its trial goes on. Throws `no_runs`, `not_trial_runs`, `results_damaged`. */
export function readTrialFile(path: string, hash: Hash): TrialResults {
  return readFile(path, hash).results;
}

/** Under its name there is the whole first line or nothing: it is renamed when it is durable. */
function makeFile(path: string, { at, pairs, conditions, document }: TrialHead, seam: Seam): void {
  const line = canonicalJson({ at, pairs, conditions, document, schema: TRIAL_RUNS } as unknown as Json);
  const fresh = `${path}.new`;
  writing(path, () => {
    writeFileSync(fresh, `${line}\n`, { flush: true });
    seam("head written");
    renameSync(fresh, path);
    seam("head renamed");
    const folder = openSync(dirname(path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  });
}

function append(path: string, file: number, end: number, run: TrialRun, seam: Seam): number {
  const bytes = Buffer.from(`${canonicalJson(run as unknown as Json)}\n`);
  return writing(path, () => {
    let written = 0;
    // In two parts, so that the border inside of a line is one as well.
    for (const part of [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at, part.length - at, end + written + at);
      written += part.length;
      seam(written === bytes.length ? "line written" : "line begun");
    }
    fsyncSync(file);
    seam("line durable");
    return bytes.length;
  });
}

function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new SignalboxError("results_unwritable", `${path}: ${textOf(error)}`, {
      exitCode: 1,
      cause: error,
      hint: "what was recorded so far is safe; the same command goes on from there",
    });
  }
}

/** `bytes`: of the whole lines. What comes after the last line break is a line that nobody finished. */
function readFile(path: string, hash: Hash): { readonly results: TrialResults; readonly bytes: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new SignalboxError("no_runs", `there is no file ${path}`);
  if (size > FILE_BYTES_MAX) throw damaged(path, 0, `it takes ${size} bytes, and at most ${FILE_BYTES_MAX} are read`);
  const all = readFileSync(path);
  const bytes = all.lastIndexOf(0x0a) + 1;
  const whole = all.subarray(0, bytes);
  if (!isUtf8(whole)) throw damaged(path, 0, "it is not UTF-8");
  const [first = "", ...lines] = whole.toString("utf8").split("\n").slice(0, -1);
  const head = headOf(path, first, hash);
  const runs = lines.map((line, i) => runOf(path, line, i + 2));
  const stray = strayIn(scheduleOf(head.design, head.pairs), runs);
  if (stray !== null) throw damaged(path, 0, stray);
  return { results: { ...head, runs }, bytes };
}

function headOf(path: string, line: string, hash: Hash): Omit<TrialResults, "runs"> {
  const json = parseJson(line, LINE_LIMITS);
  const head = json.ok ? readDocument(HEAD, json.value, "bad_head") : json;
  if (!head.ok) {
    throw new SignalboxError("not_trial_runs", `${path} does not begin as a file of a trial's runs does`, {
      hint: "name another file",
    });
  }
  const { document, conditions, pairs } = head.value;
  const design = readTrial(document);
  if (!design.ok) throw damaged(path, 1, design.why.detail);
  if (hash(designText(design.value)) !== conditions.trial)
    throw damaged(path, 1, "its design is not the one that it names");
  return { design: design.value, conditions, pairs };
}

function runOf(path: string, line: string, number: number): TrialRun {
  const json = parseJson(line, LINE_LIMITS);
  const run = json.ok ? readDocument(RUN, json.value, "bad_run") : json;
  if (run.ok) return run.value;
  throw damaged(path, number, run.why.detail.split("\n")[0] ?? "");
}

function checkSame(path: string, { conditions, pairs }: TrialResults, wanted: TrialHead): void {
  if (conditions.trial !== wanted.conditions.trial || pairs !== wanted.pairs) {
    throw new SignalboxError("other_trial", `${path} holds the runs of another trial`, {
      hint: "a design that was changed is another trial: name another file",
    });
  }
  const [before, now] = [conditions, wanted.conditions].map(({ model, profile, setting }) => ({
    ...setting,
    model,
    profile,
  }));
  const others = otherParts(before ?? {}, now ?? {});
  if (others.length === 0) return;
  throw new SignalboxError("other_conditions", `${path} was begun under other conditions: ${others.join("; ")}`, {
    hint: "a trial holds everything but one thing constant: begin it anew in another file",
  });
}

/** What is not as it was, each part by its name. */
function otherParts(before: TrialSetting, now: TrialSetting): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const said = (setting: TrialSetting, name: string): string =>
    Object.hasOwn(setting, name) ? String(setting[name]) : "not there";
  return names.flatMap((name) => {
    const [was, is] = [said(before, name), said(now, name)];
    return was === is ? [] : [`its ${name} was ${was}, and is ${is} now`];
  });
}

function damaged(path: string, line: number, why: string): SignalboxError {
  const where = line === 0 ? path : `${path}:${line}`;
  return new SignalboxError("results_damaged", `${where}: ${why}`, { exitCode: 7 });
}
