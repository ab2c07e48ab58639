/** A node of a page's accessibility tree that is not ignored there, with what the document says of its element. */
export type PageNode = {
  /** The index of the node around it, or -1. A list of them is in the order of the document. */
  readonly parent: number;
  readonly depth: number;
  readonly role: string;
  readonly name: string;
  readonly desc: string;
  readonly value: string;
  readonly states: ReadonlyMap<string, string>;
  /** The browser's own number of the element, by which it is acted on; 0 where there is none. */
  readonly backendId: number;
  readonly element: PageElement | null;
};

export type PageElement = {
  /** In capitals. */
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether a program listens for clicks on it. */
  readonly listens: boolean;
  /** Whether the pointer becomes a hand on it, and was none around it. */
  readonly points: boolean;
};

/** A page as it was looked at once. */
export type PageLook = {
  readonly url: string;
  readonly title: string;
  readonly nodes: readonly PageNode[];
  /** For each element, by its number, the element around it. */
  readonly around: ReadonlyMap<number, number>;
  /** Addresses of frames that were not looked into. */
  readonly framesLeftOut: readonly string[];
};
