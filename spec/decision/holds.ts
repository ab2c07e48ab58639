import type { Json, JsonObject } from "../../src/domain/json.ts";
import { plainText } from "./plain-text.ts";
import type { SaidCase, SaidTerm, SaidTest } from "./said.ts";

/** Whether a test holds; `broken` where it throws before it has said so. */
export function holds(test: SaidTest, about: SaidCase, params: JsonObject, record: Json): "yes" | "no" | "broken" {
  switch (test.is) {
    case "always":
      return "yes";
    case "never":
      return "no";
    case "throws":
      return "broken";
    case "same": {
      const [left, right] = [termValue(test.left, about, params, record), termValue(test.right, about, params, record)];
      if (left === undefined || right === undefined) return left === right ? "yes" : "no";
      return plainText(left) === plainText(right) ? "yes" : "no";
    }
    case "above": {
      const [left, right] = [termValue(test.left, about, params, record), termValue(test.right, about, params, record)];
      return typeof left === "number" && typeof right === "number" && left > right ? "yes" : "no";
    }
    case "cites":
      return about.asked.evidence.includes(test.id) ? "yes" : "no";
    case "not": {
      const inner = holds(test.test, about, params, record);
      return inner === "broken" ? "broken" : inner === "yes" ? "no" : "yes";
    }
    case "both": {
      const first = holds(test.first, about, params, record);
      return first === "yes" ? holds(test.second, about, params, record) : first;
    }
    case "either": {
      const first = holds(test.first, about, params, record);
      return first === "no" ? holds(test.second, about, params, record) : first;
    }
  }
}

function termValue(term: SaidTerm, about: SaidCase, params: JsonObject, record: Json): Json | undefined {
  if ("value" in term) return term.value;
  switch (term.of) {
    case "params":
      return fieldOf(params, term.name);
    case "record":
      return fieldOf(record, term.name);
    case "attributes":
      return fieldOf(about.principal.attributes, term.name);
    case "customer":
      return about.customer;
    case "principal":
      return about.principal.id;
    case "today":
      return about.today;
    case "now":
      return about.now;
    case "step":
      return about.step;
    case "cited":
      return about.asked.evidence.length;
  }
}

function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}
