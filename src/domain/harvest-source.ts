/**
 * What somebody asks to harvest: texts that were read from somewhere, or a live page and the ways through it.
 */
import type { EntryPath } from "./entry-path.ts";

/** One text: a dump, a snapshot, a document. Several become the screens of one map, in their order. */
export type SourceText = {
  /** A file's name or an address. */
  readonly where: string;
  readonly text: string;
  /** The id of the screen that it shows; null: what the text itself says, or `start`. */
  readonly screen: string | null;
};

export type TextSource = {
  readonly app: string | null;
  readonly texts: readonly SourceText[];
  /** Elements that are no part of the interface, with all that is in them: each by its id, its resource id or its whole text. */
  readonly leaveOut: readonly string[];
  /** Of a text that holds several maps, the one that is meant; null where there is only one. */
  readonly map: string | null;
};

export type WebSource = {
  readonly app: string | null;
  readonly url: string;
  /** The id of the first screen. */
  readonly first: string;
  readonly paths: readonly EntryPath[];
  readonly leaveOut: readonly string[];
  /** Origins besides the page's own that may be loaded from, such as a host of images. */
  readonly allowOrigins: readonly string[];
};

export const FIRST_SCREEN = "start";
