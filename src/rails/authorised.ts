import type { Reservation } from "../domain/cap.ts";
import type { JsonObject } from "../domain/json.ts";

const KEY = Symbol("mint");

/**
 * An Authorised: the token without which no effect can run. Only `decide` mints one (tools/house.ts guards the name). The
 * stamp is a private field, so a copy by spread, JSON or `structuredClone` is not one, at run time too; and it carries
 * what it is for, so it cannot be spent on anything else. It never crosses a process or a pause: decide again.
 */
export class Authorised {
  readonly #stamp: true = true;
  readonly run: string;
  readonly step: number;
  readonly tool: string;
  readonly params: JsonObject;
  readonly reservations: readonly Reservation[];

  private constructor(
    key: symbol,
    run: string,
    step: number,
    tool: string,
    params: JsonObject,
    reservations: readonly Reservation[],
  ) {
    // `private` ends where TypeScript does; the key does not leave this file.
    if (key !== KEY) throw new TypeError("only decide() mints an Authorised");
    this.run = run;
    this.step = step;
    this.tool = tool;
    this.params = params;
    this.reservations = reservations;
    Object.freeze(this);
  }

  static mint(
    run: string,
    step: number,
    tool: string,
    params: JsonObject,
    reservations: readonly Reservation[],
  ): Authorised {
    return new Authorised(KEY, run, step, tool, params, reservations);
  }

  /** The last gate before an effect: whether `value` is a real token for exactly this step. */
  static is(value: unknown, run: string, step: number, tool: string): value is Authorised {
    if (typeof value !== "object" || value === null || !(#stamp in value)) return false;
    return value.#stamp && value.run === run && value.step === step && value.tool === tool;
  }
}

/** See `Authorised.is`. The door gives this and the type, never the class. */
export function isAuthorised(value: unknown, run: string, step: number, tool: string): value is Authorised {
  return Authorised.is(value, run, step, tool);
}
