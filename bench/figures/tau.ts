import { loadAirline } from "../tau/airline/data.ts";
import { fromTauData } from "../tau/data.ts";
import { tauFigure } from "../tau/figure.ts";
import { tauJson, tauLines } from "../tau/report.ts";
import { loadRetail } from "../tau/retail/data.ts";
import type { Figure } from "./figure.ts";

export const tau: Figure = {
  name: "tau",
  takes: "seconds; the public data beside the repository",
  title: "the policies of examples/tau on the retail and airline suites (tau2-bench, tau-bench; Sierra, MIT)",
  goal:
    "every correct ground-truth write is authorised and done, every wrong one and every one in another customer's " +
    "conversation is denied; in tasks without a write nothing is permitted that the policy forbids; nothing recorded that " +
    "the audit calls a violation is permitted without an explanation; every run replays to the same decisions",
  async run({ data }) {
    const load = (directory: string) => ({ retail: loadRetail(directory), airline: loadAirline(directory) });
    const figure = await tauFigure(fromTauData(data, load));
    return { holds: figure.failures.length === 0, lines: tauLines(figure), json: tauJson(figure) };
  },
};
