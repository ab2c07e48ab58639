import type { CDPSession } from "playwright-core";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { type AxTree, axTreeOf, listNodes } from "./list-nodes.ts";
import type { PageLook } from "./page-node.ts";
import { captureSnapshot, Documents, type SnapshotDocument } from "./snapshot-documents.ts";

export type LookLimits = {
  /** Nodes of all documents of the page. */
  readonly nodesMax: number;
  readonly depthMax: number;
};

/**
 * Looks at a page once, through the browser: its accessibility tree (which sees into shadow roots, open or closed) and its
 * documents, the frames that `mayLook` among them. Nothing runs in the page, so the page cannot lie about it or notice it.
 */
export async function lookAtPage(
  cdp: CDPSession,
  mayLook: (url: string) => boolean,
  { nodesMax, depthMax }: LookLimits,
): Promise<Parsed<PageLook>> {
  // Asked first, since it costs nothing, and a tree of a million nodes costs the memory of a machine.
  const { nodes: count } = await cdp.send("Memory.getDOMCounters");
  if (count > nodesMax) return unparsed("too_large", `the page has more than ${nodesMax} nodes`);
  const snapshot = await captureSnapshot(cdp);
  const [top] = snapshot.documents;
  if (top === undefined) return unparsed("page_failed", "the page has no document");
  const documents = new Documents(snapshot);
  const trees = new Map<SnapshotDocument, AxTree>();
  for (const document of snapshot.documents) {
    if (document !== top && !mayLook(documents.text(document.documentURL))) continue;
    trees.set(document, await axTreeOf(cdp, documents.text(document.frameId)));
  }
  const listed = listNodes(top, trees, documents, depthMax);
  if (listed === null) return unparsed("too_deep", `more than ${depthMax} elements inside one another`);
  const [url, title] = [documents.text(top.documentURL), documents.text(top.title)];
  return parsed({ url, title, ...listed, around: documents.around });
}
