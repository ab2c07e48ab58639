import { isJsonObject, type Json } from "../../domain/json.ts";

/** The first `unitsMax` characters of what JSON.stringify says of a value, however large the value is. */
export function writtenJson(json: Json, unitsMax: number): string {
  const writing = new Writing(unitsMax);
  writing.add(json);
  return writing.text.slice(0, unitsMax);
}

class Writing {
  text = "";
  readonly #max: number;

  constructor(unitsMax: number) {
    this.#max = unitsMax;
  }

  /** Recursion is as deep as the value, which somebody bounded who parsed it. */
  add(json: Json): void {
    if (typeof json === "string") this.text += this.#string(json);
    else if (Array.isArray(json)) this.#list("[", json, (item: Json) => this.add(item), "]");
    else if (isJsonObject(json)) {
      this.#list("{", Object.keys(json), (key) => this.#member(key, json[key] ?? null), "}");
    } else this.text += JSON.stringify(json);
  }

  #list<T>(open: string, items: readonly T[], write: (item: T) => void, close: string): void {
    this.text += open;
    for (const [i, item] of items.entries()) {
      if (this.text.length > this.#max) return;
      if (i > 0) this.text += ",";
      write(item);
    }
    this.text += close;
  }

  #member(key: string, value: Json): void {
    this.text += `${this.#string(key)}:`;
    this.add(value);
  }

  /** Of a text no more than what may be kept: an escape is never shorter than what it stands for. */
  #string(text: string): string {
    return JSON.stringify(text.slice(0, this.#max));
  }
}
