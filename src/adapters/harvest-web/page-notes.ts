import type { Finding } from "../../domain/finding.ts";

/** What a live page did that a map does not show. */
export const WEB_FINDINGS = [
  "page_not_quiet",
  "dialog_dismissed",
  "popup_closed",
  "download_refused",
  "origin_blocked",
  "frame_left_out",
  "left_out_nothing",
  "nameless",
  "nothing_changed",
  "empty_screen",
] as const;
export type WebFinding = (typeof WEB_FINDINGS)[number];

const NAMED_MAX = 5;

/** Notes of a harvest, each thing once; a page that shows a thousand dialogs is one finding. */
export class PageNotes {
  readonly leftOut = new Set<string>();
  readonly #where: string;
  readonly #notes = new Map<WebFinding, Set<string>>();

  constructor(where: string) {
    this.#where = where;
  }

  add(rule: WebFinding, what: string): void {
    const named = this.#notes.get(rule) ?? new Set();
    this.#notes.set(rule, named);
    // One more than is named, so that the finding says that there are more.
    if (named.size <= NAMED_MAX) named.add(what);
  }

  has(rule: WebFinding): boolean {
    return this.#notes.has(rule);
  }

  findings(): readonly Finding[] {
    return [...this.#notes].map(([rule, named]) => {
      const more = named.size > NAMED_MAX ? "; and more" : "";
      const message = `${[...named].slice(0, NAMED_MAX).join("; ")}${more}`;
      return { rule, severity: "warning", where: this.#where, message };
    });
  }
}
