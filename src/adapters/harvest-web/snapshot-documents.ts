import type { CDPSession } from "playwright-core";
import type { PageElement } from "./page-node.ts";

/** What is used here of the DevTools protocol's DOMSnapshot: columns of numbers, most of them places in a list of strings. */
export type SnapshotDocument = {
  readonly documentURL: number;
  readonly title: number;
  readonly frameId: number;
  readonly nodes: {
    readonly parentIndex?: readonly number[];
    readonly nodeType?: readonly number[];
    readonly nodeName?: readonly number[];
    readonly backendNodeId?: readonly number[];
    readonly attributes?: readonly (readonly number[])[];
    readonly isClickable?: { readonly index: readonly number[] };
    readonly contentDocumentIndex?: { readonly index: readonly number[]; readonly value: readonly number[] };
  };
  readonly layout: { readonly nodeIndex: readonly number[]; readonly styles: readonly (readonly number[])[] };
};
export type Snapshot = { readonly documents: readonly SnapshotDocument[]; readonly strings: readonly string[] };

export function captureSnapshot(cdp: CDPSession): Promise<Snapshot> {
  return cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: ["cursor"] });
}

/** What the documents of a snapshot say of their elements. The snapshot is columns of numbers. */
export class Documents {
  readonly around = new Map<number, number>();
  readonly #elements = new Map<number, PageElement>();
  readonly #held = new Map<number, SnapshotDocument>();
  readonly #strings: readonly string[];

  constructor(snapshot: Snapshot) {
    this.#strings = snapshot.strings;
    for (const document of snapshot.documents) this.#add(document, snapshot.documents);
  }

  element(backendId: number): PageElement | null {
    return this.#elements.get(backendId) ?? null;
  }

  /** The document in the frame that this element is. */
  heldBy(backendId: number): SnapshotDocument | undefined {
    return this.#held.get(backendId);
  }

  #add({ nodes, layout }: SnapshotDocument, documents: Snapshot["documents"]): void {
    const ids = nodes.backendNodeId ?? [];
    const parents = nodes.parentIndex ?? [];
    const listening = new Set(nodes.isClickable?.index);
    const hands = new Set(layout.nodeIndex.filter((_, i) => this.text(layout.styles[i]?.[0]) === "pointer"));
    for (const [i, id] of ids.entries()) {
      const parent = parents[i] ?? -1;
      const parentId = ids[parent];
      if (parentId !== undefined) this.around.set(id, parentId);
      if (nodes.nodeType?.[i] !== ELEMENT) continue;
      this.#elements.set(id, {
        tag: this.text(nodes.nodeName?.[i]),
        attributes: this.#attributes(nodes.attributes?.[i] ?? []),
        listens: listening.has(i),
        points: hands.has(i) && !hands.has(parent),
      });
    }
    const frames = nodes.contentDocumentIndex;
    for (const [i, at] of frames?.index.entries() ?? []) {
      const [id, document] = [ids[at], documents[frames?.value[i] ?? -1]];
      if (id !== undefined && document !== undefined) this.#held.set(id, document);
    }
  }

  #attributes(indexes: readonly number[]): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (let i = 0; i + 1 < indexes.length; i += 2) attributes.set(this.text(indexes[i]), this.text(indexes[i + 1]));
    return attributes;
  }

  text(index: number | undefined): string {
    return index === undefined ? "" : (this.#strings[index] ?? "");
  }
}

/** Node.ELEMENT_NODE */
const ELEMENT = 1;
