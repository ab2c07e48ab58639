import { Shop } from "../../../examples/tau/retail/shop.ts";
import type { Desk } from "../desk.ts";
import { type GoldFigure, goldFailures, goldFigure } from "../gold-figure.ts";
import type { RetailData } from "./data.ts";
import { retailDesk } from "./desk.ts";
import { type JudgedProbe, judgeProbe, probesFor } from "./probes.ts";

export type RetailFigure = {
  readonly source: string;
  readonly gold: GoldFigure;
  /** Listed write proposals of the tasks that have no write. */
  readonly probes: readonly JudgedProbe[];
  readonly failures: readonly string[];
};

/** Drives the shop's ground truth and judges what is listed for the tasks without a write. */
export async function retailFigure(data: RetailData, desk: Desk = retailDesk): Promise<RetailFigure> {
  const { database: db, tasks, source } = data;
  const gold = await goldFigure(desk, tasks, () => ({ shop: new Shop(db) }));
  const probes: JudgedProbe[] = [];
  for (const task of tasks.filter(({ writeCalls }) => writeCalls.length === 0)) {
    for (const probe of probesFor(db, task.id, task.actorUserId)) {
      probes.push(await judgeProbe(desk, db, probe, task.actorUserId));
    }
  }
  return { source, gold, probes, failures: [...goldFailures("retail", gold), ...probeFailures(probes)] };
}

/** Permitted although the policy forbids it: what the shop's own system would refuse, and what is somebody else's. */
export function forbidden(probe: JudgedProbe): boolean {
  return probe.foreign || probe.refused !== null;
}

function probeFailures(probes: readonly JudgedProbe[]): string[] {
  return probes
    .filter((probe) => probe.permitted && forbidden(probe))
    .map(({ task, tool, params, refused }) => {
      const why = refused ?? "somebody else's";
      return `retail: task ${task}: ${tool} ${JSON.stringify(params)} permitted: ${why}`;
    });
}
