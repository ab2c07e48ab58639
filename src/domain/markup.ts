/** An element of an XML document: what a harvest needs of one. Names are as they were written; texts are left out. */
export type Markup = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Markup[];
};
