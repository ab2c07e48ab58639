import { fileURLToPath } from "node:url";
import { loadAirline } from "../airline/data.ts";
import { airlineFigure } from "../airline/figure.ts";
import { figureJson, figureLines } from "../airline/report.ts";
import type { Figure } from "./figure.ts";

/** Beside the repository, where the public data is unpacked for development. */
export const AIRLINE_DATA = fileURLToPath(new URL("../../../shared/data/tau", import.meta.url));

export const airline: Figure = {
  name: "airline",
  takes: "seconds; the public data beside the repository",
  title: "recorded gpt-4o airline dialogues through the real loop and rails (tau-bench, tau2-bench; Sierra, MIT)",
  goal:
    "every ground-truth write is authorised; nothing that the audit calls a violation is permitted without an " +
    "explanation; every recorded write proposal is decided; every run replays to the same decisions",
  async run({ data }) {
    const figure = await airlineFigure(loadAirline(data ?? AIRLINE_DATA));
    return { holds: figure.failures.length === 0, lines: figureLines(figure), json: figureJson(figure) };
  },
};
