import { expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";
import { unfenced } from "./unfenced.ts";

test.each([
  ["{}", ["", ""], false],
  ["```json\n{}\n```", ["", ""], true],
  ["a\n```\n{}\n``` b", ["a\n", " b"], true],
  ["```json\n{}", ["", ""], true],
  ["{}\n```", ["", "\n```"], false],
  ["```{}```\n```x-y\n{}\n```", ["", "\n", ""], true],
  ["```ts\nlet a\n```\n{}", ["```ts\nlet a\n", ""], true],
  ["```not a language here\n{}", ["```not a language here\n", ""], false],
])("%j without its fences", (text, prose, fenced) => {
  expect(unfenced(piecesOf(text))).toEqual({ prose, fenced });
});
