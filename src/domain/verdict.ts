/** A Verdict: what one policy rule says of one proposal. Silence is not a verdict, and silence denies. */
export type Permit = { readonly effect: "permit" };
export type Stage = { readonly effect: "stage"; readonly role: string; readonly detail?: string };
export type Deny<Code extends string = string> = {
  readonly effect: "deny";
  readonly code: Code;
  readonly detail?: string;
};
export type Verdict<Code extends string = string> = Permit | Stage | Deny<Code>;

export function permit(): Permit {
  return { effect: "permit" };
}

/** Waits for a person with `role`; on its own it never commits anything. `detail` is one sentence for that person: why. */
export function stage(role: string, detail?: string): Stage {
  return detail === undefined ? { effect: "stage", role } : { effect: "stage", role, detail };
}

/** Denies with a code from the tool's `denials`. `detail` is one sentence that goes back to the model. */
export function deny<Code extends string>(code: Code, detail?: string): Deny<Code> {
  return detail === undefined ? { effect: "deny", code } : { effect: "deny", code, detail };
}
