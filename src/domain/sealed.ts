import { isWellFormed } from "./text.ts";

/**
 * Freezes what is about to be recorded, all the way down, in place, and returns it. Throws a TypeError where a part of it
 * could not be written as canonical JSON: what cannot be recorded must not happen. A part that is frozen already was looked
 * at by whoever made it: a parsed reply, a record, a result.
 */
export function sealed<T>(value: T): T {
  switch (typeof value) {
    case "string":
      if (!isWellFormed(value)) throw new TypeError("half of a character pair cannot be recorded");
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be recorded`);
      return value;
    case "boolean":
      return value;
    case "object":
      if (value === null || Object.isFrozen(value)) return value;
      Object.freeze(value);
      if (Array.isArray(value)) for (let i = 0; i < value.length; i++) sealed(value[i]);
      else for (const key in value) sealed(value[key]);
      return value;
    default:
      throw new TypeError(`a value of type ${typeof value} cannot be recorded`);
  }
}
