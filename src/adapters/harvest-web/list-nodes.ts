import type { CDPSession } from "playwright-core";
import type { PageElement, PageLook, PageNode } from "./page-node.ts";
import type { Documents, SnapshotDocument } from "./snapshot-documents.ts";

type AxValue = { readonly value?: unknown };

/** What is used here of the DevTools protocol's Accessibility.AXNode. */
type AxNode = {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly description?: AxValue;
  readonly value?: AxValue;
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[];
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
};

/** The accessibility tree of one document. */
export type AxTree = {
  readonly root: AxNode | null;
  readonly byId: ReadonlyMap<string, AxNode>;
  /** The browser's own numbers of the elements that it tells of. */
  readonly elements: ReadonlySet<number>;
};

export async function axTreeOf(cdp: CDPSession, frameId: string): Promise<AxTree> {
  const tree = await cdp.send("Accessibility.getFullAXTree", { frameId });
  const nodes: readonly AxNode[] = tree.nodes;
  return {
    root: nodes.find(({ parentId }) => parentId === undefined) ?? null,
    byId: new Map(nodes.map((node) => [node.nodeId, node])),
    elements: new Set(nodes.map(({ backendDOMNodeId }) => backendDOMNodeId ?? 0)),
  };
}

/** All nodes in the order of the document, frames where they stand; null where they are too deep. */
export function listNodes(
  top: SnapshotDocument,
  trees: ReadonlyMap<SnapshotDocument, AxTree>,
  documents: Documents,
  depthMax: number,
): Pick<PageLook, "nodes" | "framesLeftOut"> | null {
  const listing = new Listing(trees, documents);
  return listing.list(top, depthMax) ? { nodes: listing.nodes, framesLeftOut: listing.framesLeftOut } : null;
}

type Pending = { readonly tree: AxTree; readonly node: AxNode; readonly parent: number; readonly depth: number };

class Listing {
  readonly nodes: PageNode[] = [];
  readonly framesLeftOut: string[] = [];
  readonly #trees: ReadonlyMap<SnapshotDocument, AxTree>;
  readonly #documents: Documents;
  readonly #pending: Pending[] = [];
  /** The element that was added last because something happens when it is clicked, and where. */
  #acting: { readonly backendId: number; readonly at: number } | null = null;

  constructor(trees: ReadonlyMap<SnapshotDocument, AxTree>, documents: Documents) {
    this.#trees = trees;
    this.#documents = documents;
  }

  /** Without recursion: a page can be as deep as it likes. */
  list(top: SnapshotDocument, depthMax: number): boolean {
    this.#enter(top, -1, 1);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (next.depth > depthMax) return false;
      this.#visit(next);
    }
    return true;
  }

  #enter(document: SnapshotDocument, parent: number, depth: number): void {
    const tree = this.#trees.get(document);
    if (tree === undefined) this.framesLeftOut.push(this.#documents.text(document.documentURL));
    else if (tree.root !== null) this.#pending.push({ tree, node: tree.root, parent, depth });
  }

  #visit({ tree, node, parent, depth }: Pending): void {
    const backendId = node.backendDOMNodeId ?? 0;
    const element = this.#documents.element(backendId);
    if (node.role?.value === "StaticText") {
      const acting = this.#actingAround(backendId, tree);
      const at = acting === 0 ? parent : this.#actingAt(acting, parent, depth);
      this.nodes.push(pageNode(node, at, at === parent ? depth : depth + 1, element));
      return;
    }
    // A bullet is no text of the page. What the tree ignores is told where something happens when it is clicked.
    const shown = (!node.ignored && node.role?.value !== "ListMarker") || acts(element);
    if (shown) this.nodes.push(pageNode(node, parent, depth, element));
    // In a field are the parts that the browser draws it with.
    if (node.role?.value === "ListMarker" || DRAWN_TAGS.has(element?.tag ?? "")) return;
    const inner = { tree, parent: shown ? this.nodes.length - 1 : parent, depth: shown ? depth + 1 : depth };
    const frame = this.#documents.heldBy(backendId);
    if (frame !== undefined) this.#enter(frame, inner.parent, inner.depth);
    // A frame of another site is in a process of its own, which this look does not reach.
    else if (element?.tag === "IFRAME") this.framesLeftOut.push(element.attributes.get("src") ?? "");
    const inside = node.childIds ?? [];
    for (let i = inside.length - 1; i >= 0; i--) {
      const child = tree.byId.get(inside[i] ?? "");
      if (child !== undefined) this.#pending.push({ ...inner, node: child });
    }
  }

  /** The outermost element around a text that the tree does not have, and that something happens on; 0 where there is none. */
  #actingAround(backendId: number, tree: AxTree): number {
    let found = 0;
    for (let at = this.#documents.around.get(backendId); at !== undefined; at = this.#documents.around.get(at)) {
      if (tree.elements.has(at)) break;
      if (acts(this.#documents.element(at))) found = at;
    }
    return found;
  }

  /** Its place in the list: several texts may be in it. */
  #actingAt(backendId: number, parent: number, depth: number): number {
    if (this.#acting?.backendId === backendId) return this.#acting.at;
    const element = this.#documents.element(backendId);
    this.nodes.push({ ...NOTHING, parent, depth, role: "generic", backendId, element });
    this.#acting = { backendId, at: this.nodes.length - 1 };
    return this.#acting.at;
  }
}

const NOTHING = { name: "", desc: "", value: "", states: new Map<string, string>() };

function acts(element: PageElement | null): boolean {
  return element !== null && (element.points || element.listens);
}

/** The text of a field is its value already. */
const DRAWN_TAGS: ReadonlySet<string> = new Set(["INPUT", "TEXTAREA"]);

function pageNode(node: AxNode, parent: number, depth: number, element: PageElement | null): PageNode {
  return {
    parent,
    depth,
    role: node.ignored ? "generic" : String(node.role?.value ?? ""),
    name: String(node.name?.value ?? ""),
    desc: String(node.description?.value ?? ""),
    value: String(node.value?.value ?? ""),
    states: new Map((node.properties ?? []).map(({ name, value }) => [name, String(value.value)])),
    backendId: node.backendDOMNodeId ?? 0,
    element,
  };
}
