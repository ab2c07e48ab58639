import { loadAirline } from "../tau/airline/data.ts";
import { airlineFigure } from "../tau/airline/figure.ts";
import { figureJson, figureLines } from "../tau/airline/report.ts";
import { fromTauData } from "../tau/data.ts";
import type { Figure } from "./figure.ts";

export const airline: Figure = {
  name: "airline",
  takes: "seconds; the public data beside the repository",
  title: "recorded gpt-4o airline dialogues through the real loop and rails (tau-bench, tau2-bench; Sierra, MIT)",
  goal:
    "every ground-truth write is authorised; nothing that the audit calls a violation is permitted without an " +
    "explanation; every recorded write proposal is decided; every run replays to the same decisions",
  async run({ data }) {
    const figure = await airlineFigure(fromTauData(data, loadAirline));
    return { holds: figure.failures.length === 0, lines: figureLines(figure), json: figureJson(figure) };
  },
};
