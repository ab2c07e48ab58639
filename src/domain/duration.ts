const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
  ["millisecond", 1],
] as const;

/** A length of time in words, exactly: in the largest unit of which it has several, such as `24 hours` or `90 minutes`. */
export function exactDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms % size === 0 && ms > size) ?? ["millisecond", 1];
  return counted(ms / size, unit);
}

/** About how long ago, in whole units of the largest that fits. */
export function roughDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ["millisecond", 1];
  return counted(Math.floor(ms / size), unit);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
