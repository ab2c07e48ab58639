import type { Json } from "./json.ts";
import { JSON_LIMITS } from "./json-limits.ts";
import { readLoose, skipSpace } from "./loose-json.ts";
import { type Parsed, unparsed } from "./parsed.ts";
import { isQuoted } from "./quoted.ts";
import type { RepairName } from "./repair.ts";
import { parseJson } from "./scan.ts";

/** An object, or a list that begins with one, as it stands in a text; `value` is what the strict scanner says of it. */
export type Piece = {
  readonly start: number;
  readonly end: number;
  readonly value: Parsed<Json>;
  readonly names: readonly RepairName[];
};

/** A text as the objects in it and what stands around them: `prose` has one part more than there are objects. */
export type Pieces = {
  readonly objects: readonly Piece[];
  readonly prose: readonly string[];
  /** Where an object begins that the text does not close; nothing behind it was read. */
  readonly cutAt: number | null;
  /** An object is part of something that cannot be read, or is quoted: what it would mean there nobody can tell. */
  readonly stray: boolean;
};

/**
 * Finds the objects of a text in one pass, aware of strings. A brace opens an object only where a key or its end follows,
 * so that braces in prose, in code and in templates do not; what stands inside of such braces is `stray`.
 */
export function piecesOf(text: string): Pieces {
  const objects: Piece[] = [];
  const prose: string[] = [];
  let from = 0;
  let at = 0;
  let open = 0;
  let stray = false;
  while (at < text.length) {
    const mark = text.charAt(at);
    if (mark === "}" || mark === "]") {
      // More is closed than was opened.
      if (open === 0) stray = true;
      else open -= 1;
    } else if (mark === "{" || mark === "[") {
      if (!opensObject(text, at)) open += 1;
      else {
        if (objects.length === OBJECTS_MAX)
          return { objects, prose: [...prose, text.slice(from)], cutAt: null, stray: true };
        const loose = readLoose(text, at);
        prose.push(text.slice(from, at));
        if (loose === null) return { objects, prose, cutAt: at, stray };
        const { end, json, names, twofold } = loose;
        const value = parseJson(json, LIMITS);
        if (open > 0 || isQuoted(prose.at(-1) ?? "") || isListed(text, end)) stray = true;
        objects.push({
          start: at,
          end,
          value: twofold && value.ok ? unparsed("not_json", TWOFOLD) : value,
          names,
        });
        from = end;
        at = end;
        continue;
      }
    }
    at += 1;
  }
  prose.push(text.slice(from));
  return { objects, prose, cutAt: null, stray };
}

/** A reply with more objects than this has no reading, and reading on would only take time. */
const OBJECTS_MAX = 1_000;

const TWOFOLD = "an escape means one thing in JSON and another in single quotes: use double quotes throughout";

/** The whole text was measured before. Mending can make it longer: a double quote gets a backslash in front of it. */
const LIMITS = { ...JSON_LIMITS, bytesMax: 2 * JSON_LIMITS.bytesMax };

function opensObject(text: string, at: number): boolean {
  const next = text.charAt(skipSpace(text, at + 1));
  if (text.charAt(at) === "[") return next === "{";
  return next === '"' || next === "'" || next === "}" || next === "";
}

/** What is followed by a comma or a colon is a part of something. */
function isListed(text: string, end: number): boolean {
  const next = text.charAt(skipSpace(text, end));
  return next === "," || next === ":";
}
