import { CLOSINGS, OPENINGS, TURN_ENDS } from "./call-marks.ts";
import { HIDDEN } from "./hidden.ts";
import { CHANNEL_MARKS, formOf, GLUED, THINKING_TAGS } from "./thinking.ts";

/** The fence that content begins with. */
export const FENCE = /^```[\w+-]{0,20}\s*/;

/** Thinking up to its closing tag, and marks of channels by themselves, which have none. In lower case. */
const CLOSE_OF: ReadonlyMap<string, string> = new Map(THINKING_TAGS);
const LEADS: readonly string[] = [...CLOSE_OF.keys(), ...CHANNEL_MARKS];

/** Where a tool call begins or ends that a model wrote into its content. Written exactly so. */
const STOPS: readonly string[] = [...OPENINGS, ...CLOSINGS];
const ANY_MARK = new RegExp([...LEADS.map(anyCase), ...STOPS.map(escaped)].join("|"), "g");
const MARK_UNITS_MAX = Math.max(...[...LEADS, ...STOPS].map((mark) => mark.length));
const FIRST_UNITS = new Set([...LEADS, ...STOPS].flatMap((mark) => [mark.charAt(0), mark.charAt(0).toUpperCase()]));

/** What begins content that is a call or a reply of another kind: an object, a list of them, or what ends a turn. */
const BEGINS_OBJECT = /^(?:\[\s*)?\{/;
const LEFT_BLANK = new RegExp(`^(?:\\s|${HIDDEN.source})+`, "u");
/** What could still become one of these is held up to this; longer than that it is nothing to be shown. In UTF-16 units. */
const UNDECIDED_UNITS_MAX = 64;

/** What stands before a reply and is none of it: white space, thinking, and marks of channels. */
export class Lead {
  #held = "";
  #close = "";

  /** The content from where the reply begins; null while that is not to be seen. */
  read(content: string): string | null {
    let text = this.#held + content;
    this.#held = "";
    for (;;) {
      if (this.#close !== "") {
        const end = text.search(formOf(this.#close));
        if (end < 0) return this.#wait(text.slice(1 - this.#close.length));
        text = text.slice(end + this.#close.length);
        this.#close = "";
      }
      text = text.trimStart();
      const mark = LEADS.find((lead) => text.slice(0, lead.length).toLowerCase() === lead);
      if (mark === undefined) break;
      text = text.slice(mark.length);
      this.#close = CLOSE_OF.get(mark) ?? "";
    }
    const couldLead = LEADS.some((lead) => text.length < lead.length && lead.startsWith(text.toLowerCase()));
    return couldLead ? this.#wait(text) : text;
  }

  #wait(held: string): null {
    this.#held = held;
    return null;
  }
}

/**
 * Content as it is, without thinking, up to where a tool call begins; nothing where it begins as a call or a flat reply
 * does. White space before it is not given. Linear in the length of the content, however it is split.
 */
export class ContentText {
  over = false;
  readonly whole = false;
  #held = "";
  #close = "";
  /** What came before thinking and may be the beginning of an object that goes on behind it. */
  #kept = "";
  #begun = false;

  read(content: string, last: boolean): string {
    let text = this.#held + content;
    this.#held = "";
    let given = "";
    while (!this.over && text !== "") {
      if (this.#close !== "") {
        const end = text.search(formOf(this.#close));
        this.#held = end < 0 ? text.slice(1 - this.#close.length) : "";
        if (end < 0) return given;
        text = text.slice(end + this.#close.length);
        this.#close = "";
      }
      text = this.#kept + text;
      this.#kept = "";
      ANY_MARK.lastIndex = 0;
      const found = ANY_MARK.exec(text);
      const upTo = found?.index ?? (last ? text.length : text.length - heldUnits(text));
      const mark = found?.[0].toLowerCase() ?? "";
      const leads = LEADS.includes(mark);
      const piece = this.#piece(text.slice(0, upTo), last || (found !== null && !leads));
      given += piece.given;
      // What may be an object in a fence is looked at again, with what comes behind it.
      if (this.over || found === null) {
        this.#held = this.over ? "" : piece.waits ? text : text.slice(upTo);
        return given;
      }
      this.#kept = piece.waits ? text.slice(0, upTo) : "";
      this.over = !leads;
      this.#close = CLOSE_OF.get(mark) ?? "";
      text = text.slice(upTo + mark.length);
    }
    return given;
  }

  /** The first piece decides whether the content is an object, in a fence or not: that is a call and no text. */
  #piece(text: string, whole: boolean): { readonly given: string; readonly waits: boolean } {
    if (this.#begun) return { given: text, waits: false };
    const begun = text.trimStart();
    if (begun === "") return { given: "", waits: false };
    const seen = begun.replace(LEFT_BLANK, "");
    const inside = seen.replace(FENCE, "").replace(LEFT_BLANK, "");
    const waits = !whole && isUndecided(seen, inside);
    const tooLong = waits && begun.length >= UNDECIDED_UNITS_MAX;
    if (tooLong || BEGINS_OBJECT.test(inside) || GLUED.test(seen) || TURN_ENDS.some((end) => inside.startsWith(end))) {
      this.over = true;
      return { given: "", waits: false };
    }
    if (waits) return { given: "", waits };
    this.#begun = true;
    return { given: begun, waits: false };
  }
}

/** Whether it may turn out to be no text, once more is seen. */
function isUndecided(seen: string, inside: string): boolean {
  const inFence = "```".startsWith(seen) || (seen.startsWith("```") && inside === "");
  const inList = inside.startsWith("[") && inside.slice(1).trim() === "";
  return (
    inFence || inList || "analysis".startsWith(seen.toLowerCase()) || TURN_ENDS.some((end) => end.startsWith(inside))
  );
}

/** Units at the end of a text that could be the beginning of a mark. */
function heldUnits(text: string): number {
  for (let units = Math.min(MARK_UNITS_MAX - 1, text.length); units > 0; units -= 1) {
    if (!FIRST_UNITS.has(text.charAt(text.length - units))) continue;
    const end = text.slice(text.length - units);
    const lower = end.toLowerCase();
    if (STOPS.some((mark) => mark.startsWith(end)) || LEADS.some((mark) => mark.startsWith(lower))) return units;
  }
  return 0;
}

function escaped(mark: string): string {
  return mark.replace(/[|[\]]/g, "\\$&");
}

function anyCase(mark: string): string {
  return escaped(mark).replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
