import { wellFormed } from "../domain/text.ts";
import { unreachable } from "../domain/unreachable.ts";
import type { StoreError } from "../ports/store.ts";

/** What a caller did wrong or the world refused, in one line with what to do about it. Never carries a stack to the operator. */
export class SignalboxError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly hint: string;

  constructor(code: string, message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SignalboxError";
    this.code = code;
    this.hint = options.hint ?? "";
    this.exitCode = options.exitCode ?? 2;
  }
}

/** What was thrown, as text that can be recorded, whatever it was. */
export function textOf(error: unknown): string {
  try {
    return wellFormed(error instanceof Error ? error.message : String(error));
  } catch {
    // An object without a prototype, or a message that throws when it is read, has no text of its own.
    return "something that has no text";
  }
}

/** A store's refusal as what an operator is told. */
export function refusedBy(error: StoreError): SignalboxError {
  switch (error.code) {
    case "conflict":
      return new SignalboxError("run_is_carried", error.message, { exitCode: 1, cause: error });
    case "damaged":
      return new SignalboxError("ledger_damaged", error.message, { exitCode: 7, cause: error });
    case "newer_version":
      return new SignalboxError("newer_version", error.message, { exitCode: 1, cause: error });
    case "unavailable":
      return new SignalboxError("ledger_unavailable", error.message, { exitCode: 1, cause: error });
    default:
      return unreachable(error.code);
  }
}
