/** Time, names and digests: the three things of the world that the pure rooms are handed instead of reaching for. */

/** A clock. `now` is milliseconds since 1970-01-01T00:00Z; `sleep` resolves early, without an error, when the signal aborts. */
export type Clock = {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Gives ids of 20 or more characters of `[a-z0-9]`, never twice the same. */
export type Ids = { next(): string };

/** SHA-256 of the UTF-8 bytes of `text` as 64 lower-case hex digits; keyed (HMAC) where a key is configured. */
export type Hash = (text: string) => string;

/** SHA-256 of bytes as 64 lower-case hex digits. Never keyed: it names content, so that anybody can tell it by its name. */
export type HashBytes = (bytes: Uint8Array) => string;
