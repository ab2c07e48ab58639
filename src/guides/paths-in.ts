/**
 * The files that the words of a task name: `fix web/x.ts` is about `web/x.ts`. Rules with `paths` are matched against these
 * where nobody says what a task is about. A word is a file where its last segment has an extension, begins with a dot or is one
 * of the names below (`Dockerfile`), or where it begins with `./`, `../` or `~/`, or with `/` and has a folder. The cost is
 * linear in the text, whatever is in it.
 */
import { NAME_UNITS_MAX } from "./glob-match.ts";
import { normalPath } from "./normal-path.ts";
import { isUnspaced } from "./words.ts";

/** Each path once, in the order of the text, as `normalPath` leaves it; the first `max` of them. */
export function pathsIn(text: string, max: number = Number.POSITIVE_INFINITY): readonly string[] {
  const found = new Set<string>();
  for (const word of text.split(BORDER)) {
    if (found.size >= max) break;
    if (word.length > NAME_UNITS_MAX || !SIGN_OF_A_FILE.test(word)) continue;
    for (const candidate of candidatesOf(word)) {
      const path = pathOf(candidate);
      if (path !== null && found.size < max) found.add(path);
    }
  }
  return [...found];
}

/** White space, quotes, and the punctuation that stands in no path. Brackets do: `app/[id]/(shop)/page.tsx`. */
const BORDER = /[\s"'`<>,;|«»“”‘’„、。，；：！？「」『』（）【】《》…]/u;

/** The word, and what is left of it without text around it that has no spaces: `修复web/x.ts文件`. */
function candidatesOf(word: string): readonly string[] {
  const points = [...word];
  const spaced = (point: string): boolean => !isUnspaced(point.codePointAt(0) ?? 0);
  const within = points.slice(points.findIndex(spaced), points.findLastIndex(spaced) + 1).join("");
  return within === word || within === "" || /^[./]/.test(within) ? [word] : [word, within];
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const LINES = /(?::[0-9]+){1,2}$|#L[0-9]+(?:-L?[0-9]+)?$/;
const FILE = /[^./]\.[\p{L}_][\p{L}\p{N}_-]*$/u;
const DOTFILE = /^\.[\p{L}_][^/]*$/u;
/** One segment after a `/` is more often a command than a file: `/review`. */
const ROOTED = /^(?:(?:~|\.\.?)\/[^/]|\/[^/]+\/[^/])/;
/** Files without an extension that everybody calls so. Any other such word is more often none. */
const NAMED_FILES: ReadonlySet<string> = new Set(
  (
    "Makefile makefile GNUmakefile Dockerfile Containerfile Vagrantfile Jenkinsfile Procfile Gemfile Rakefile Podfile " +
    "Fastfile Brewfile Pipfile Justfile justfile Earthfile Tiltfile Caddyfile LICENSE CODEOWNERS"
  ).split(" "),
);
/** Most words have none of these, and name nothing. */
const SIGN_OF_A_FILE = new RegExp(`[./\\\\]|${[...NAMED_FILES].join("|")}`);
/** Called so in prose, and so written hardly anybody's file. `node.js` is one. */
const PRODUCTS: ReadonlySet<string> = new Set(
  "Node.js Next.js Nuxt.js Nest.js Vue.js React.js Express.js D3.js .NET ASP.NET ADO.NET VB.NET".split(" "),
);
/** Written with dots and no file of anybody's. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(["e.g", "i.e", "a.m", "p.m", "u.s", "u.k", "ph.d"]);

function pathOf(word: string): string | null {
  const bare = withoutPunctuation(word);
  // An address is no file, and a pattern names none.
  if (SCHEME.test(bare) || /[*?]/.test(bare)) return null;
  // Editors mention files as @src/x.ts.
  const named = (bare.startsWith("@") ? bare.slice(1) : bare).replace(LINES, "").replaceAll("\\", "/");
  const path = normalPath(named);
  const last = path.slice(path.lastIndexOf("/") + 1);
  if (last === "" || last === "~" || path.length > NAME_UNITS_MAX) return null;
  if (!ROOTED.test(named) && !FILE.test(last) && !DOTFILE.test(last) && !NAMED_FILES.has(last)) return null;
  return ABBREVIATIONS.has(path.toLowerCase()) || PRODUCTS.has(path) ? null : path;
}

const CLOSES: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
const OPENS: ReadonlyMap<string, string> = new Map([...CLOSES].map(([close, open]) => [open, close]));

/** Without the marks of a sentence around it, and without brackets that hold it or have no other half in it. */
function withoutPunctuation(word: string): string {
  const count = new Map<string, number>();
  for (const unit of word) if (CLOSES.has(unit) || OPENS.has(unit)) count.set(unit, (count.get(unit) ?? 0) + 1);
  const many = (sign: string): number => count.get(sign) ?? 0;
  let [from, to] = [0, word.length];
  for (;;) {
    const [first = "", last = ""] = [word[from], word[to - 1]];
    const opened = CLOSES.get(last);
    const closed = OPENS.get(first);
    if (from < to && /[.:!?*]/.test(last)) to -= 1;
    else if (from < to && opened !== undefined && (many(last) > many(opened) || first === opened)) {
      count.set(last, many(last) - 1);
      to -= 1;
    } else if (from < to && closed !== undefined && many(first) > many(closed)) {
      count.set(first, many(first) - 1);
      from += 1;
    } else if (from < to && first === "*") from += 1;
    else return word.slice(from, to);
  }
}
