/** The outcome of reading untrusted input: the value, or a code and a sentence that say why there is none. */
export type Why = { readonly code: string; readonly detail: string };
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: Why };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function unparsed(code: string, detail: string): { readonly ok: false; readonly why: Why } {
  return { ok: false, why: { code, detail } };
}
