/**
 * Throw this from `execute` to say: nothing happened, and I am sure. Any other throw of a `once` or irreversible tool
 * leaves the outcome unknown, since an error on the way back looks just like one on the way there.
 */
export class EffectFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EffectFailed";
  }
}

/** By name and not by class: a project may load this package twice, and the word of its tool must count all the same. */
export function isEffectFailed(error: unknown): boolean {
  return error instanceof Error && error.name === "EffectFailed";
}
