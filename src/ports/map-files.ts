import type { GuideFile } from "./guide-files.ts";

/** The control maps that were harvested: files by name, in a folder of their own. */
export type MapFiles = {
  /** The file of a map; null where there is none of this name. What cannot be read says why in `failed`. */
  read(name: string): Promise<GuideFile | null>;
};
