/** A Finding: something that a check of declared material found, and what to do about it. */
export type Finding = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  /** What it is about, such as `tool refund`. */
  readonly where: string;
  readonly message: string;
};
