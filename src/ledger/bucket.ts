/**
 * A time bucket, aligned to the calendar in UTC: an hour, a day, a week from Monday on (ISO 8601), or so many minutes
 * counted from 1970-01-01T00:00Z, so that 15 of them are the quarters of an hour.
 */
export type Bucket = "hour" | "day" | "week" | { readonly minutes: number };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday: the first Monday came four days later. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** How long a bucket is, in milliseconds. @throws RangeError for minutes that are not whole and positive. */
export function bucketMs(bucket: Bucket): number {
  if (bucket === "hour") return 60 * MINUTE_MS;
  if (bucket === "day") return DAY_MS;
  if (bucket === "week") return 7 * DAY_MS;
  const ms = bucket.minutes * MINUTE_MS;
  if (bucket.minutes > 0 && Number.isSafeInteger(bucket.minutes) && Number.isSafeInteger(ms)) return ms;
  throw new RangeError(`a bucket takes a whole number of minutes, not ${bucket.minutes}`);
}

/** The beginning of the bucket that an instant (milliseconds since 1970-01-01T00:00Z) lies in. */
export function bucketStart(at: number, bucket: Bucket): number {
  const length = bucketMs(bucket);
  const offset = bucket === "week" ? FIRST_MONDAY_MS : 0;
  return Math.floor((at - offset) / length) * length + offset;
}
