/**
 * The Wilson score interval of a proportion, 95 %. Source: E. B. Wilson, "Probable inference, the law of succession, and
 * statistical inference", JASA 22 (1927).
 */
export function wilson(hits: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const z = 1.959963984540054;
  const p = hits / of;
  const middle = p + (z * z) / (2 * of);
  const spread = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
