/** Names of places in JSON. A key that could be mistaken for a path of its own is quoted, so that no key can pose as one. */
export function keyPath(base: string, key: string): string {
  if (!PLAIN.test(key)) return `${base}[${JSON.stringify(key)}]`;
  return base === "" ? key : `${base}.${key}`;
}

/** Where the keys of an object themselves are seen. */
export function keysPath(base: string): string {
  return base === "" ? "*" : `${base}.*`;
}

const PLAIN = /^[^.[\]{}"*\s]+$/;

/** Whether `path` lies below `base`. */
export function isBelow(path: string, base: string): boolean {
  const next = path[base.length];
  return path.startsWith(base) && (next === "." || next === "[");
}
