import { defineTool, z } from "signalbox";

/** Computes an expression of numbers, `+ - * /` and parentheses, rounded to cents. Throws where it is none. */
export function calculate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? [];
  let at = 0;
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-")
      value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * factor() : value / factor();
    return value;
  };
  const factor = (): number => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "(") {
      const value = sum();
      if (tokens[at++] !== ")") throw new RangeError("a parenthesis is not closed");
      return value;
    }
    const value = token === undefined ? Number.NaN : Number(token);
    if (!Number.isFinite(value)) throw new RangeError("not an expression");
    return value;
  };
  const result = sum();
  if (at !== tokens.length || !Number.isFinite(result)) throw new RangeError("not an expression");
  return Math.round(result * 100) / 100;
}

/** The calculator that both services offer. */
export const calculateTool = defineTool({
  name: "calculate",
  description: "Compute an expression of numbers, + - * / and parentheses.",
  placement: "internal",
  effect: "read",
  params: z.strictObject({
    expression: z
      .string()
      .max(200)
      .regex(/^[0-9+\-*/(). ]+$/),
  }),
  execute: ({ params }) => ({ result: calculate(params.expression) }),
  summarise: ({ result }) => `= ${result}`,
});
