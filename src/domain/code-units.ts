/** The order of texts by their UTF-16 code units: that of `sort` itself, and the same in every locale. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
