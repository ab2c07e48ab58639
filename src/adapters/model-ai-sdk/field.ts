/**
 * A property of something that a provider gave, or undefined. Its results and errors are objects of its own classes, so
 * inherited properties count; what is found is as unknown as the whole.
 */
export function field(value: unknown, key: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    // A getter that throws tells nothing, which is what undefined says.
    return undefined;
  }
}

export function textField(value: unknown, key: string): string | null {
  const found = field(value, key);
  return typeof found === "string" ? found : null;
}
