/**
 * Files that the text of a foreign rule leads to. Their text is no part of the rule, so a model that is served it will not have
 * it: a person has to bring it in, or to take the mention out.
 */
import type { ForeignFormat } from "../../domain/foreign-rule.ts";
import { type Block, scanMarkdown } from "./markdown.ts";

/** Target of a Markdown link. Cursor writes `mdc:` before paths. */
const LINK = /\]\([ \t]*<?(?:mdc:)?([^()\s<>]{1,300})/g;
/** Claude Code and Cursor take in what stands behind an `@`. */
const MENTION = /(?<![\w@/.`])@((?:~\/|\.{1,2}\/)?[\w.-][\w./-]{0,300})/g;
/** What a skill brings along. */
const BUNDLED =
  /(?<![\w./-])(?:\.\/)?((?:references?|scripts|assets|templates|resources|examples)\/[\w./-]{1,200}\.\w{1,8})(?![\w/])/g;
const FILE = /\.(?:mdc?|txt|json|ya?ml|toml|csv|html?|css|xml|py|[cm]?[jt]sx?|sh|ps1|rb|go|rs|java|sql|pdf)$/i;

/** Each once, in the order of the text from `start` on. Code and comments lead nowhere, but for what a skill brings along. */
export function referencesIn(text: string, start: number, format: ForeignFormat): readonly string[] {
  const found = new Map<string, number>();
  const body = text.slice(start);
  if (body.includes("](") || body.includes("@")) {
    const { blocks } = scanMarkdown(body, 0);
    for (const form of [LINK, MENTION]) {
      const inProse = outside(blocks);
      for (const match of body.matchAll(form)) {
        const target = (match[1] ?? "").replace(/[#?].*$/s, "").replace(/[.,]+$/, "");
        if (inProse(match.index) && FILE.test(target) && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) {
          add(found, target, match.index);
        }
      }
    }
  }
  if (format === "skill") for (const match of body.matchAll(BUNDLED)) add(found, match[1] ?? "", match.index);
  return [...found].sort((a, b) => a[1] - b[1]).map(([target]) => target);
}

function add(found: Map<string, number>, target: string, at: number): void {
  const path = target.replace(/^\.\//, "");
  found.set(path, Math.min(found.get(path) ?? at, at));
}

/** Whether a place is in none of the blocks. Asked with places in their order. */
function outside(blocks: readonly Block[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while ((blocks[next]?.to ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return at < (blocks[next]?.from ?? Number.POSITIVE_INFINITY);
  };
}
