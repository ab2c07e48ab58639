import { describe, expect, test } from "vitest";
import { spanOf } from "./cap-span.ts";

const NOW = Date.UTC(2026, 10, 30, 12);

describe("what the name of a window says", () => {
  test.each([
    ["day:2026-11-30@UTC", { calendar: "day", zone: "UTC" }, "2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    [
      "day:2026-10-25@Europe/Zurich",
      { calendar: "day", zone: "Europe/Zurich" },
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ],
    [
      "week:2026-W53@Asia/Kolkata",
      { calendar: "week", zone: "Asia/Kolkata" },
      "2026-12-27T18:30:00.000Z",
      "2027-01-03T18:30:00.000Z",
    ],
    [
      "month:2026-03@Europe/Zurich",
      { calendar: "month", zone: "Europe/Zurich" },
      "2026-02-28T23:00:00.000Z",
      "2026-03-31T22:00:00.000Z",
    ],
    [
      "month:2028-02@Pacific/Kiritimati",
      { calendar: "month", zone: "Pacific/Kiritimati" },
      "2028-01-31T10:00:00.000Z",
      "2028-02-29T10:00:00.000Z",
    ],
    // A day that Samoa never had.
    [
      "day:2011-12-29@Pacific/Apia",
      { calendar: "day", zone: "Pacific/Apia" },
      "2011-12-29T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z",
    ],
    [
      `sliding:3600000@${String(NOW).padStart(16, "0")}`,
      { sliding: 3_600_000 },
      "2026-11-30T11:00:00.000Z",
      "2026-11-30T12:00:00.000Z",
    ],
    [
      `sliding:3600000@${String(NOW - 86_400_000).padStart(16, "0")}`,
      { sliding: 3_600_000 },
      "2026-11-29T12:00:00.000Z",
      "2026-11-29T13:02:30.000Z",
    ],
    ["run:01j", "per_run", null, null],
    [null, "per_run", null, null],
    ["moon:1@x", null, null, null],
  ])("%s", (slot, window, start, end) => expect(spanOf(slot, NOW)).toEqual({ window, start, end }));
});
