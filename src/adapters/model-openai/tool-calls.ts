import { isJsonObject, type Json } from "../../domain/json.ts";
import type { ModelCall } from "../../domain/said.ts";
import { wellFormed } from "../../domain/text.ts";
import { field, said } from "./document.ts";

type Open = { readonly id: string | undefined; name: string; args: string; unfinished: boolean };

/**
 * The tool calls of a reply, whole or in the pieces of a stream; they are held until the end. An entry that names no tool
 * is kept with the name "", so that the reply counts as malformed and nothing of it is dropped in silence. Ids tell pieces
 * of one stream apart and are forgotten with it.
 */
export class ToolCalls {
  readonly #calls: Open[] = [];
  readonly #byIndex = new Map<number, Open>();
  readonly #byId = new Map<string, Open>();
  /** UTF-16 units of names and arguments so far. */
  units = 0;
  /** Whether some arguments came as a value instead of its text. */
  valued = false;

  /** Takes `tool_calls`, whatever it is. `whole`: each entry is a call; else they are pieces of calls. */
  take(entries: Json | undefined, whole: boolean): void {
    if (entries === undefined || entries === null || entries === "" || entries === false) return;
    for (const entry of Array.isArray(entries) ? entries : [entries]) {
      const { id, name, args } = this.#read(entry);
      const index = field(entry, "index");
      const open = whole ? undefined : this.#openFor(typeof index === "number" ? index : undefined, id, name, args);
      const call = open ?? this.#begin(id);
      // A server that repeats the name with each piece does not spell it.
      if (name !== call.name) call.name += name;
      call.args += args;
      this.units += name.length + args.length;
      if (typeof index === "number") this.#byIndex.set(index, call);
    }
  }

  all(): readonly ModelCall[] {
    return this.#calls.map(({ name, args }) => ({ name: wellFormed(name), args: wellFormed(args) }));
  }

  #read(entry: Json): { readonly id: string | undefined; readonly name: string; readonly args: string } {
    const spoken = field(entry, "function");
    const source = isJsonObject(spoken) ? spoken : entry;
    const args = field(source, "arguments");
    const given = args !== undefined && args !== null && typeof args !== "string";
    if (given) this.valued = true;
    return {
      id: said(field(entry, "id")),
      name: said(field(source, "name")) ?? "",
      args: typeof args === "string" ? args : given ? JSON.stringify(args) : "",
    };
  }

  #begin(id: string | undefined): Open {
    const call: Open = { id, name: "", args: "", unfinished: false };
    this.#calls.push(call);
    if (id !== undefined) this.#byId.set(id, call);
    return call;
  }

  /**
   * The call that a piece belongs to: the one of its index, else of its id, else the last; undefined where it begins one.
   * A name with another id begins one, since some servers give each call the index 0; and so does a name after arguments
   * that are complete, since there the ids are the same, too.
   */
  #openFor(index: number | undefined, id: string | undefined, name: string, args: string): Open | undefined {
    const last = this.#calls.at(-1);
    // An id that was never seen begins a call only together with a name: some servers make up one for each piece.
    const byId = id === undefined ? last : (this.#byId.get(id) ?? (name === "" ? last : undefined));
    const open = index === undefined ? byId : this.#byIndex.get(index);
    if (open === undefined || name === "") return open;
    if (id !== undefined && open.id !== undefined && id !== open.id) return undefined;
    return args.trimStart().startsWith("{") && isComplete(open) ? undefined : open;
  }
}

/** Asked at most once of arguments that are not complete: asking costs their length. */
function isComplete(open: Open): boolean {
  if (open.unfinished || !open.args.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(open.args);
    return true;
  } catch {
    open.unfinished = true;
    return false;
  }
}
