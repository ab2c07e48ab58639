import { NOW } from "../../examples/tau/airline/database.ts";
import { World } from "../../examples/tau/airline/world.ts";
import type { AirlineData } from "./airline/data.ts";
import { airlineDesk } from "./airline/desk.ts";
import { type AirlineFigure, airlineFigure, auditOf } from "./airline/figure.ts";
import { controlDesk, type Desk } from "./desk.ts";
import { type GoldFigure, goldFailures, goldFigure } from "./gold-figure.ts";
import type { RetailData } from "./retail/data.ts";
import { retailDesk } from "./retail/desk.ts";
import { forbidden, type RetailFigure, retailFigure } from "./retail/figure.ts";

export type TauData = { readonly retail: RetailData; readonly airline: AirlineData };

/** Both suites, driven with one kind of desk. */
export type Driven = {
  readonly retail: RetailFigure;
  readonly airline: AirlineFigure;
  readonly airlineGold: GoldFigure;
};

/** One thing that is counted: of how many it holds, with our policies and with either control. */
export type Measure = {
  readonly suite: "retail" | "airline";
  readonly what: string;
  readonly of: number;
  readonly ours: number;
  readonly alwaysAllow: number;
  readonly alwaysDeny: number;
};

export type TauFigure = {
  readonly ours: Driven;
  readonly measures: readonly Measure[];
  readonly failures: readonly string[];
};

/** Drives both suites three times: with the examples' policies, and with a desk that always permits or always denies. */
export async function tauFigure(data: TauData): Promise<TauFigure> {
  const ours = await drive(data, (desk) => desk);
  const allow = await drive(data, (desk) => controlDesk(desk, "permit"));
  const deny = await drive(data, (desk) => controlDesk(desk, "deny"));
  const controls = { allow: countsOf(allow), deny: countsOf(deny) };
  const measures = countsOf(ours).map(({ suite, what, of, n }, i): Measure => {
    const [alwaysAllow, alwaysDeny] = [controls.allow[i]?.n ?? 0, controls.deny[i]?.n ?? 0];
    return { suite, what, of, ours: n, alwaysAllow, alwaysDeny };
  });
  const failures = [
    ...ours.retail.failures,
    ...goldFailures("airline", ours.airlineGold),
    ...ours.airline.failures.map((failure) => `airline: ${failure}`),
  ];
  return { ours, measures, failures };
}

async function drive(data: TauData, as: (desk: Desk) => Desk): Promise<Driven> {
  const { database, tasks } = data.airline;
  return {
    retail: await retailFigure(data.retail, as(retailDesk)),
    airline: await airlineFigure(data.airline, as(airlineDesk)),
    airlineGold: await goldFigure(as(airlineDesk), tasks, () => ({ world: new World(database, NOW) })),
  };
}

type Count = { readonly suite: Measure["suite"]; readonly what: string; readonly of: number; readonly n: number };

function countsOf({ retail, airline, airlineGold }: Driven): Count[] {
  const count = <T>(suite: Count["suite"], what: string, all: readonly T[], holds: (entry: T) => boolean): Count => ({
    suite,
    what,
    of: all.length,
    n: all.filter(holds).length,
  });
  const gold = (suite: Count["suite"], figure: GoldFigure): Count[] => [
    count(suite, "correct ground-truth writes authorised", figure.correct, (write) => write.authorised),
    count(suite, "wrong ground-truth writes denied", figure.wrong, ({ write }) => !write.authorised),
    count(suite, "ground-truth writes in another customer's conversation denied", figure.foreign, (w) => !w.authorised),
    count(suite, "ground-truth look-ups permitted", figure.lookUps, (call) => call.authorised),
  ];
  const recorded = (Object.keys(airline.table) as (keyof typeof airline.table)[]).flatMap((audit) =>
    Object.entries(airline.table[audit]).flatMap(([verdict, n]) => Array<[string, string]>(n).fill([audit, verdict])),
  );
  const [violating, clean] = [
    recorded.filter(([audit]) => audit === "violates"),
    recorded.filter(([audit]) => audit === "clean"),
  ];
  const unwanted = airline.unwanted.filter(({ write }) => auditOf(write) !== "clean");
  const none = "in tasks without a write: ";
  return [
    ...gold("retail", retail.gold),
    count(
      "retail",
      `${none}listed writes that are forbidden, denied`,
      retail.probes.filter(forbidden),
      (p) => !p.permitted,
    ),
    ...gold("airline", airlineGold),
    count(
      "airline",
      "recorded writes that the audit finds clean, permitted",
      clean,
      ([, verdict]) => verdict === "permit",
    ),
    count("airline", "recorded writes that violate the policy, not permitted", violating, ([, v]) => v !== "permit"),
    count(
      "airline",
      `${none}recorded writes that are not clean, not permitted`,
      unwanted,
      ({ write }) => write.verdict !== "permit",
    ),
  ];
}
