import { createHmac, hash, randomBytes } from "node:crypto";

export { VERSION } from "./version.ts";

import type { Clock, Hash, HashBytes, Ids } from "../../ports/world.ts";

/** The machine's clock. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const onAbort = (): void => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, ms);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
  };
}

/** Crockford's alphabet in lower case: no letter that reads like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const CHANCE_LENGTH = 16;
/** Chance is drawn for many ids at once: asking the system costs more than making an id. */
const POOL_BYTES = CHANCE_LENGTH * 64;

/** ULIDs in lower case: 26 characters, 48 bits of time and 80 of chance, so that ids sort by when they were made. */
export function ulids(clock: Clock): Ids {
  let pool = new Uint8Array(0);
  let at = 0;
  return {
    next: () => {
      let time = clock.now();
      let stamp = "";
      for (let i = 0; i < 10; i++) {
        stamp = ALPHABET.charAt(time % 32) + stamp;
        time = Math.floor(time / 32);
      }
      if (at + CHANCE_LENGTH > pool.length) {
        pool = randomBytes(POOL_BYTES);
        at = 0;
      }
      let chance = "";
      for (const end = at + CHANCE_LENGTH; at < end; at++) chance += ALPHABET.charAt((pool[at] ?? 0) % 32);
      return stamp + chance;
    },
  };
}

export const sha256: Hash = (text) => hash("sha256", text, "hex");

export const sha256Bytes: HashBytes = (bytes) => hash("sha256", bytes, "hex");

export function hmacSha256(key: string): Hash {
  return (text) => createHmac("sha256", key).update(text).digest("hex");
}
