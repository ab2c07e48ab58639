import type { ForeignFormat } from "../../domain/foreign-rule.ts";
import type { ByteOffsets } from "./byte-offsets.ts";
import type { Matchers } from "./matchers.ts";
import type { ForeignHeader } from "./read-header.ts";

/** A foreign file that can be imported, with what its header says and what that comes to here. */
export type Source = {
  readonly name: string;
  readonly format: ForeignFormat;
  readonly text: string;
  readonly bytesBefore: ByteOffsets;
  readonly header: ForeignHeader;
  readonly matchers: Matchers;
  readonly budgetBytes: number;
};
