/**
 * One form for the names of files, whoever says them: a task, an operator, the pattern of a rule. The same file must not be
 * another one for being written otherwise, since a safety rule would then quietly not be served.
 *
 * Composed characters (NFC), `/` for `\`, no `.` and no empty folder, `..` resolved without leaving the root, nothing before
 * the first folder. A slash at the end stays: it says that a folder is meant.
 */

/** A path as it is matched; empty where it names nothing but the root. */
export function normalPath(path: string): string {
  const segments = path.normalize("NFC").replaceAll("\\", "/").split("/");
  return joined(segments, resolved(segments, never) ?? []);
}

/**
 * A pattern over such paths, or null where it has a `.`, a `..` or an empty folder that cannot be taken out of it: inside
 * braces, or behind something that may be several folders. No path has one, so that part of it would never match. A `/`
 * before it says that there was a slash in it, for only then it is about the whole path.
 */
export function normalGlob(glob: string): string | null {
  const text = glob.normalize("NFC").replaceAll("\\", "/");
  const segments = foldersOf(text);
  // A slash in a segment stands in its braces.
  const kept = resolved(segments, (segment) => /\*\*|\//.test(segment) || hasLoosePart(`${segment}/`));
  if (kept === null) return null;
  const normal = joined(segments, kept);
  if (hasLoosePart(normal)) return null;
  return text.includes("/") && !normal.includes("/") ? `/${normal}` : normal;
}

/** The segments that are left; null where one is taken back that may be several. */
function resolved(segments: readonly string[], mayBeSeveral: (segment: string) => boolean): readonly string[] | null {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else {
      const back = kept.pop();
      if (back !== undefined && mayBeSeveral(back)) return null;
    }
  }
  return kept;
}

function never(): false {
  return false;
}

function joined(segments: readonly string[], kept: readonly string[]): string {
  const isFolder = /^\.{0,2}$/.test(segments.at(-1) ?? "");
  return kept.length === 0 ? "" : kept.join("/") + (isFolder ? "/" : "");
}

/** A pattern in pieces, at the slashes that stand in no braces and no set. */
function foldersOf(text: string): readonly string[] {
  const segments: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at = behindSign(text, at)) {
    const sign = text.charAt(at);
    if (sign === "{") depth += 1;
    else if (sign === "}") depth -= 1;
    else if (sign === "/" && depth === 0) {
      segments.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...segments, text.slice(start)];
}

/** Where the sign ends that begins here, which may be a set in brackets. One that nothing closes goes on to the end. */
export function behindSign(text: string, at: number): number {
  if (text[at] !== "[") return at + 1;
  const first = text[at + 1] === "!" ? at + 2 : at + 1;
  const close = text.indexOf("]", first + 1);
  return close === -1 ? text.length : close + 1;
}

/** What the segment that is being read may be so far; several at once, since braces have several ways through them. */
const EMPTY = 1;
const DOT = 2;
const DOTS = 4;
const NAMED = 8;

/** Whether one of the ways through a pattern's braces has a segment that no path has. */
function hasLoosePart(glob: string): boolean {
  const braces: { readonly before: number; after: number }[] = [];
  let may = EMPTY;
  for (let at = 0; at < glob.length; at = behindSign(glob, at)) {
    const sign = glob.charAt(at);
    const around = braces.at(-1);
    if (sign === "/") {
      if (may !== NAMED) return true;
      may = EMPTY;
    } else if (sign === "{") braces.push({ before: may, after: 0 });
    else if (around !== undefined && (sign === "," || sign === "}")) {
      around.after |= may;
      may = sign === "," ? around.before : around.after;
      if (sign === "}") braces.pop();
    } else may = sign === "." ? withDot(may) : NAMED;
  }
  return (may & (DOT | DOTS)) !== 0;
}

function withDot(may: number): number {
  const longer = (may & EMPTY ? DOT : 0) | (may & DOT ? DOTS : 0);
  return longer | (may & (DOTS | NAMED) ? NAMED : 0);
}
