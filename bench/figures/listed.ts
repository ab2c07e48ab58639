import type { Figure } from "./figure.ts";

/** The least that a title may be given beside its name. */
const TEXT_COLUMNS_MIN = 20;

/** The figures by name, a line each; where there is a terminal, broken at its width. */
export function listed(figures: readonly Pick<Figure, "name" | "title" | "takes">[], columns: number | null): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const before = width + 4;
  const room = columns === null ? Number.POSITIVE_INFINITY : Math.max(TEXT_COLUMNS_MIN, columns - before);
  return figures
    .map(({ name, title, takes }) => {
      const [first = "", ...rest] = broken(`${title} (${takes})`, room);
      return [`  ${name.padEnd(width)}  ${first}`, ...rest.map((line) => " ".repeat(before) + line)].join("\n");
    })
    .map((entry) => `${entry}\n`)
    .join("");
}

function broken(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
