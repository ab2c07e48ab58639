import type { DraftRule, ImportRefusal } from "../../domain/imported.ts";
import { utf8Length } from "../../domain/utf8.ts";
import { HEADER_BYTES_MAX } from "../split-file.ts";
import { type WrittenHeader, writeRule } from "../write-rule.ts";
import { draftId, fileSlug, type Ids } from "./draft-id.ts";
import type { Source } from "./source.ts";
import { splitSections } from "./split-sections.ts";

/** Each section has a header of its own, so there is a bound to them. The longest files that people write have a hundred. */
export const SECTIONS_MAX = 1_000;

/** Sections are numbered in tens, so that a person can put a rule between two of them. */
const ORDER_STEP = 10;

type Drafts =
  | { readonly ok: true; readonly rules: readonly DraftRule[] }
  | { readonly ok: false; readonly code: ImportRefusal; readonly detail: string };

/** The rule files of a foreign file, in the order of its text. */
export function draftsOf(source: Source, ids: Ids): Drafts {
  const { text, header, name, format, budgetBytes, bytesBefore } = source;
  const notes = notesOf(source);
  if (notes === null) {
    const detail = `its matcher would make a header of more than ${HEADER_BYTES_MAX} bytes, and no word of it is left out`;
    return { ok: false, code: "header_too_large", detail };
  }
  const sections = splitSections(text, startOfText(text, header.bodyFrom), { budgetBytes, bytesBefore });
  if (sections.length > SECTIONS_MAX) {
    const detail = `its headings make ${sections.length} sections, and a file may have ${SECTIONS_MAX}: split it by hand`;
    return { ok: false, code: "too_many_sections", detail };
  }
  const file = fileSlug(name, format, header.name);
  const isSplit = sections.length > 1;
  return {
    ok: true,
    rules: sections.map(({ title, ...section }, i) => {
      const start = startOfText(text, section.from);
      const body = text.slice(start, section.to).trimEnd();
      const id = ids.take(draftId(file, isSplit ? title : null, i + 1));
      const draft = writeRule(headOf(source, id, isSplit ? (i + 1) * ORDER_STEP : null), body, notes);
      const [from, to] = [bytesBefore(start), bytesBefore(start + body.length)];
      return { id, file: `${id}.md`, text: draft, body, title, bytes: to - from, from, to };
    }),
  };
}

function headOf({ matchers: { task, paths } }: Source, id: string, order: number | null): WrittenHeader {
  return { id, ...(task === null ? {} : { task }), paths, ...(order === null ? {} : { order }) };
}

/** For whoever judges the draft: where it is from, and what was said of it there. null: not even without is there room. */
function notesOf(source: Source): readonly string[] | null {
  const { name, header } = source;
  const from = `from ${name}`;
  const said = [header.description, header.whenToUse]
    .filter((text) => text !== null)
    .map((text) => `said there: ${text}`);
  const widest = headOf(source, "x".repeat(64), SECTIONS_MAX * ORDER_STEP);
  const rooms = [[from, ...said], [from], []];
  return rooms.find((notes) => utf8Length(writeRule(widest, "", notes)) <= HEADER_BYTES_MAX) ?? null;
}

/** The beginning of the first line at or behind a place that is not empty. */
function startOfText(text: string, from: number): number {
  const seen = from + Math.max(0, text.slice(from).search(/\S/));
  return Math.max(from, text.lastIndexOf("\n", seen) + 1);
}
