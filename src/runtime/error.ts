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
