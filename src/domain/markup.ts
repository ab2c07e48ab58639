/** An element of an XML document: what a harvest needs of one. Names are as they were written; texts are left out. */
export type Markup = {
  readonly name: string;
  /** Without a prototype, so that no name means more than an attribute. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Markup[];
};
