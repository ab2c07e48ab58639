/** Every format that is a text, by its kind. XML arrives through an argument, since its reader is a package. */
import type { Harvested, HarvestKind } from "../../domain/control-map.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import type { Markup } from "../../domain/markup.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { unreachable } from "../../domain/unreachable.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { Passwords } from "./passwords.ts";
import { readActree } from "./read-actree.ts";
import { readAndroid } from "./read-android.ts";
import { readAria } from "./read-aria.ts";
import { readAutodroid } from "./read-autodroid.ts";
import { readIos } from "./read-ios.ts";
import { readJsonl } from "./read-jsonl.ts";
import { readMcp } from "./read-mcp.ts";
import { readOpenapi } from "./read-openapi.ts";
import type { Reading } from "./reading.ts";

export type TextKind = Exclude<HarvestKind, "web">;

export const TEXT_KINDS = [
  "aria",
  "android",
  "ios",
  "autodroid",
  "actree",
  "mcp",
  "openapi",
  "jsonl",
] as const satisfies readonly TextKind[];

/** Elements of an XML document, for each control that a map may have: most of them only hold others. */
const ELEMENTS_A_CONTROL = 20;

export type ReadMarkupText = (
  text: string,
  limits: { readonly depthMax: number; readonly elementsMax: number },
) => Parsed<Markup>;

/** The map of one text. A text over the bound is refused before anything reads it. `passwords`: those of the texts before it. */
export function readText(
  kind: TextKind,
  reading: Reading,
  limits: MapLimits,
  readMarkup: ReadMarkupText,
  passwords: Passwords = new Passwords(),
): Parsed<Harvested> {
  const { bytesMax, depthMax, controlsMax } = limits;
  if (reading.text.length > bytesMax || utf8Length(reading.text) > bytesMax) {
    return unparsed("too_large", `more than ${bytesMax} bytes`);
  }
  switch (kind) {
    case "aria":
      return readAria(reading, limits);
    case "autodroid":
      return readAutodroid(reading, limits);
    case "actree":
      return readActree(reading, limits);
    case "mcp":
      return readMcp(reading, limits);
    case "openapi":
      return readOpenapi(reading, limits);
    case "jsonl":
      return readJsonl(reading, limits);
    case "android":
    case "ios": {
      const root = readMarkup(reading.text, { depthMax, elementsMax: controlsMax * ELEMENTS_A_CONTROL });
      if (!root.ok) return root;
      return (kind === "ios" ? readIos : readAndroid)(root.value, reading, limits, passwords);
    }
    default:
      return unreachable(kind);
  }
}
