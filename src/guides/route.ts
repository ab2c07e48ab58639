import type { Part } from "./part.ts";

export type Routes = { readonly routed: readonly Part[]; readonly dispatch: readonly Part[] };

/** Route: rules with `when` leave for channel B, which cannot drop, and spend nothing of the dispatch budget. */
export function route(selected: readonly Part[]): Routes {
  const routed: Part[] = [];
  const dispatch: Part[] = [];
  for (const part of selected) (part.routed === null ? dispatch : routed).push(part);
  return { routed, dispatch };
}
