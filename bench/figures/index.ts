/** All figures by name. A new one is a file here and a line below. */
import { agentdojo } from "./agentdojo.ts";
import { airline } from "./airline.ts";
import { caps } from "./caps.ts";
import { compile } from "./compile.ts";
import { decide } from "./decide.ts";
import type { Figure } from "./figure.ts";
import { fuzz } from "./fuzz.ts";
import { ground } from "./ground.ts";
import { groundFolds } from "./ground-folds.ts";
import { harvest } from "./harvest.ts";
import { importFigure } from "./import.ts";
import { importRules } from "./import-rules.ts";
import { loop } from "./loop.ts";
import { tau } from "./tau.ts";

export const FIGURES: readonly Figure[] = [
  agentdojo,
  tau,
  airline,
  caps,
  fuzz,
  decide,
  loop,
  importFigure,
  compile,
  importRules,
  ground,
  groundFolds,
  harvest,
];
