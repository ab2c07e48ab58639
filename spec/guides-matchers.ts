/**
 * The matchers of guides said again, slowly and plainly (design 7.1). They try everything that a pattern may mean, one after
 * the other, and so are for short texts only.
 */

// --- Words

/** Each word of the phrase occurs. */
export function phraseOccurs(words: readonly string[], text: string): boolean {
  return words.every((word) => wordOccurs(word, text));
}

/**
 * A word of a script with spaces is one of the words of the text, or with a `*` begins one; a stretch of a script without
 * is somewhere in what stands there without a gap.
 */
export function wordOccurs(word: string, text: string): boolean {
  const runs = runsIn(text);
  if (word.endsWith("*")) return runs.some((run) => run.spaced && run.text.startsWith(word.slice(0, -1)));
  const [first = ""] = word;
  return runs.some((run) => (spaceless(first) ? !run.spaced && run.text.includes(word) : run.text === word));
}

type Run = { readonly text: string; readonly spaced: boolean };

function runsIn(text: string): readonly Run[] {
  const lower = text.normalize("NFKC").toLowerCase().replace(/ς/g, "σ").normalize("NFKC");
  let runs: Run[] = [];
  let open = false;
  for (const character of lower) {
    const last = runs.at(-1);
    const letter = /[\p{L}\p{N}]/u.test(character) || spaceless(character);
    const mark = /\p{M}/u.test(character) && !spaceless(character);
    if (!letter && !mark) open = false;
    else if (open && last !== undefined && (mark || last.spaced === !spaceless(character))) {
      runs = [...runs.slice(0, -1), { text: last.text + character, spaced: last.spaced }];
    } else {
      runs = [...runs, { text: character, spaced: !spaceless(character) }];
      open = true;
    }
  }
  return runs;
}

/** A letter, mark or digit of the scripts that are written without spaces. */
function spaceless(character: string): boolean {
  return (
    /[\p{L}\p{M}\p{N}]/u.test(character) &&
    /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u.test(character)
  );
}

// --- Globs

/** The whole name, in which a slash is nothing special. */
export function nameMatches(glob: string, name: string): boolean {
  return braceless(signsOf(composed(glob))).some((plain) => matches(plain, [...composed(name)], null, false));
}

/** However both are written: `\` is `/`, and what is not needed to say which file is meant is taken out of either. */
export function pathMatches(glob: string, path: string): boolean {
  const text = plainly([...composed(path).replace(/\\/g, "/")]);
  const pattern = composed(glob).replace(/\\/g, "/");
  const isFolder = /(^|\/)\.{0,2}$/.test(pattern);
  return braceless(signsOf(pattern)).some((signs) => {
    const plain = plainly(signs);
    const whole = pattern.includes("/") ? plain : ["**/", ...plain];
    return matches(isFolder ? [...whole, "**"] : whole, text, null, true);
  });
}

function composed(text: string): string {
  return text.normalize("NFC");
}

/** Without `.`, without empty folders, and without each `..` and the folder before it; the root has none before it. */
function plainly(signs: readonly string[]): readonly string[] {
  let kept: (readonly string[])[] = [];
  for (const folder of foldersIn(signs)) {
    const name = folder.filter((sign) => sign !== "/").join("");
    if (name === "..") kept = kept.slice(0, -1);
    else if (name !== "" && name !== ".") kept = [...kept, folder];
  }
  return kept.flat();
}

/** Each with the slash behind it. */
function foldersIn(signs: readonly string[]): readonly (readonly string[])[] {
  const end = signs.findIndex((sign) => sign === "/" || sign === "**/");
  if (end === -1) return signs.length === 0 ? [] : [signs];
  return [signs.slice(0, end + 1), ...foldersIn(signs.slice(end + 1))];
}

/** What the pattern is made of: `**` with its slash, `**`, a set with its brackets, or one character. */
function signsOf(glob: string): readonly string[] {
  const sign = /^(?:\*{2,}\/|\*{2,}|\[!?[\s\S][^\]]*\]|[\s\S])/u.exec(glob)?.[0];
  if (sign === undefined) return [];
  return [sign.replace(/^\*{2,}/, "**"), ...signsOf(glob.slice(sign.length))];
}

/** The pattern without braces, once for each way to choose: `a{b,c}` is `ab` and `ac`. */
function braceless(signs: readonly string[]): readonly (readonly string[])[] {
  const opened = signs.indexOf("{");
  if (opened === -1) return [signs];
  const alternatives: string[][] = [[]];
  let depth = 1;
  let at = opened + 1;
  for (; depth > 0; at += 1) {
    const sign = signs[at] ?? "}";
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (depth === 1 && sign === ",") alternatives.push([]);
    else if (depth > 0) alternatives.at(-1)?.push(sign);
  }
  return alternatives.flatMap((one) => braceless([...signs.slice(0, opened), ...one, ...signs.slice(at)]));
}

/** `before` is the character before `text`; null at its beginning. */
function matches(signs: readonly string[], text: readonly string[], before: string | null, path: boolean): boolean {
  const [sign, ...rest] = signs;
  const [character, ...others] = text;
  if (sign === undefined) return character === undefined;
  const taken = (pattern: readonly string[]): boolean =>
    character !== undefined && matches(pattern, others, character, path);
  const stops = path && character === "/";
  switch (sign) {
    case "**/":
      // Whole folders: none of them where one begins, or all up to some slash.
      return ((before === "/" || (path && before === null)) && matches(rest, text, before, path)) || taken(signs);
    case "**":
      return matches(rest, text, before, path) || taken(signs);
    case "*":
      return matches(rest, text, before, path) || (!stops && taken(signs));
    case "?":
      return !stops && taken(rest);
    default:
      if (sign.length > 2 && sign.startsWith("[")) {
        return !stops && character !== undefined && inSet(character, sign) && taken(rest);
      }
      return character === sign && taken(rest);
  }
}

function inSet(character: string, set: string): boolean {
  const not = set.startsWith("[!");
  let members = [...set].slice(not ? 2 : 1, -1);
  let found = false;
  while (members.length > 0) {
    const [from = "", dash, to] = members;
    const range = dash === "-" && to !== undefined;
    const last = range ? to : from;
    const point = character.codePointAt(0) ?? 0;
    found ||= (from.codePointAt(0) ?? 0) <= point && point <= (last.codePointAt(0) ?? 0);
    members = members.slice(range ? 3 : 1);
  }
  return found !== not;
}
