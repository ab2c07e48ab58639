/** A sticky form where it stands at `at`, or null. */
export function startsWith(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
