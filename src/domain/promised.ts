/**
 * Whether a value that had to be there at once is a promise. If so its rejection is heard here: nobody will wait for it,
 * and a rejection that nobody hears ends the process.
 */
export function isPromised(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  try {
    if (typeof (value as { readonly then?: unknown }).then !== "function") return false;
    Promise.resolve(value).then(undefined, () => undefined);
  } catch {
    // Whose `then` cannot even be read is of no more use than a promise.
  }
  return true;
}

/** The value, or a TypeError where it is a promise. */
export function atOnce<T>(value: T): T {
  if (isPromised(value)) throw new TypeError("a promise, where the value itself is needed");
  return value;
}
