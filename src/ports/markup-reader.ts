import type { Markup } from "../domain/markup.ts";
import type { Parsed } from "../domain/parsed.ts";

export type MarkupLimits = {
  /** Elements inside one another. */
  readonly depthMax: number;
  readonly elementsMax: number;
};

/**
 * Reads an XML document to its root element. What is not well formed is refused as `not_xml` with its line, a document type as
 * `doctype`: no entity is ever declared, so none is expanded, and nothing is ever fetched.
 */
export type MarkupReader = (text: string, limits: MarkupLimits) => Parsed<Markup>;
