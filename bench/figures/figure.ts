import type { Json } from "../../src/index.ts";

export type FigureOptions = {
  /** Where the public data of this figure is; null: its own default. */
  readonly data: string | null;
  /** Other files than those of `data`, for the figure that takes them; null: those. */
  readonly pairs: string | null;
  readonly controls: string | null;
  /** For whatever a figure draws by chance. */
  readonly seed: number;
};

export type FigureResult = {
  readonly holds: boolean;
  /** For people: what was measured, line by line. */
  readonly lines: readonly string[];
  /** For machines: the same. */
  readonly json: Json;
};

/** A Figure: one claim of the project with the measurement that holds it. */
export type Figure = {
  readonly name: string;
  /** One line: what is measured, and on whose data. */
  readonly title: string;
  /** How long it takes, and what it needs. */
  readonly takes: string;
  /** What has to be true for the claim to hold. */
  readonly goal: string;
  readonly run: (options: FigureOptions) => Promise<FigureResult>;
};

/** The data that a figure needs is not there or has another shape; the message says what to do. */
export class NoData extends Error {}
