import { NoTauData, TAU_DATA } from "../../examples/tau/data.ts";
import { NoData } from "../figures/figure.ts";

/** What `load` reads of a folder (null: where the examples look). Throws the figures' `NoData` where it is not there. */
export function fromTauData<T>(directory: string | null, load: (directory: string) => T): T {
  try {
    return load(directory ?? TAU_DATA);
  } catch (error) {
    if (error instanceof NoTauData) throw new NoData(`${error.message}, or give it with --data DIR`);
    throw error;
  }
}
