import fc from "fast-check";
import { expect, test } from "vitest";
import { REDACTED, redactText } from "../../src/domain/redact.ts";
import { seed } from "../seed.ts";

const secret = fc.string({ minLength: 6, maxLength: 12, unit: "grapheme" }).filter((text) => !text.includes(" "));

/** A text as the inside of a JSON string, some units escaped, and that once more for each level. */
function written(text: string, spelling: readonly boolean[], levels: number): string {
  const spelt = text
    .split("")
    .map((unit, i) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
      return spelling[i % spelling.length] === true ? `\\u${hex}` : JSON.stringify(unit).slice(1, -1);
    })
    .join("");
  return levels <= 1 ? spelt : written(spelt, [false], levels - 1);
}

test("[input-redaction] whatever the value is and however JSON in JSON spells it, it is found, and what is beside it stays", () => {
  fc.assert(
    fc.property(
      secret,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      (value, spelling, levels) => {
        const text = `before ${written(value, spelling, levels)} after`;
        expect(redactText(text, { values: [value], fields: [] })).toBe(`before ${REDACTED} after`);
      },
    ),
    { seed, numRuns: 2000 },
  );
});

test("[input-redaction] of values side by side, inside of one another or across one another, nothing is left", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 12, maxLength: 24 }),
      fc.array(fc.nat(18), { minLength: 1, maxLength: 4 }),
      (text, starts) => {
        const values = starts.map((from) => text.slice(from, from + 6)).filter((value) => value.length === 6);
        const clean = redactText(text, { values, fields: [] });
        for (const value of values) expect(clean).not.toContain(value);
      },
    ),
    { seed, numRuns: 2000 },
  );
});
