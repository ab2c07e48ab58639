/** A request cut into its numbered items and their sentences, with what stands in quotes or is repeated kept apart. */

/** A sentence, and the same with everything blanked that is somebody's words and no order; each letter stays in its place. */
export type Sentence = { readonly text: string; readonly masked: string };

const QUOTED = /(?<![\p{L}\p{N}])(?:"[^"]*"|“[^”]*”|['‘][^'’\n]*(?:['’](?=\p{L})[^'’\n]*)*['’](?!\p{L}))/gu;

export function withoutQuotes(text: string, put = "_"): string {
  return text.replace(QUOTED, (match) => put.repeat(put === "_" ? match.length : 1));
}

/** Behind one of these, a colon begins what somebody says: "the mail says: …", "post in the lobby: …". */
const SPOKEN =
  /(?<![\p{L}\p{N}])(?:say|says|said|saying|write|writes|wrote|written|ask|asks|asked|tell|tells|told|reads|states|post|reply|answer|send|dm|email|announce|letter|mail|e-mail|message|messages|note|notes|text|question|line|body|description|content|quote|subject|page|instructions?)(?![\p{L}\p{N}])[^:]*:(?=\s|$)/iu;

/** The items of a request, each as its sentences. The values of one numbered item are not those of another. */
export function itemsOf(request: string): readonly (readonly Sentence[])[] {
  const items = numbered(request);
  // "Tips that I got: 1. … 2. …": what stands under a heading is what the heading says.
  const isListed = items.length > 1 && isHeading(withoutQuotes(items[0] ?? ""));
  return items.map((item) => {
    const masked = withoutQuotes(item);
    const sentences = cut(masked).map(([from, to]) => ({ text: item.slice(from, to), masked: masked.slice(from, to) }));
    return spokenApart(sentences, isListed);
  });
}

const PIECE =
  "(?:e-?mail|mail|letter|message|note|text|page|sentence|words|paragraph|post|advice|instructions?|tips?|request|demand|claim|warning|notice|suggestion|command|prompt)s?";
/** After one of these sentences comes what somebody else wrote. */
const GIVES_A_TEXT: readonly RegExp[] = [
  /(?<![\p{L}])(?:translate|proofread|rephrase|spell-?check|quote)(?![\p{L}])/iu,
  new RegExp(
    `(?<![\\p{L}])(?:here|this|that|below|these) (?:is|are|was|were)(?![\\p{L}]).*(?<![\\p{L}])(?:${PIECE}|wrote|writes|said|says)(?![\\p{L}])`,
    "iu",
  ),
  new RegExp(`(?<![\\p{L}])(?:the following|this|these) (?:\\p{L}+ )?${PIECE}(?![\\p{L}])`, "iu"),
  /(?<![\p{L}])(?:is|are|was|were|do|does|of|about|at) (?:the following|this|these)(?: (?:an?|true|safe|real|mean|say|right)(?![\p{L}])[^?]*)?[?:.]?$/iu,
];
/** A statement on what somebody wrote: what comes next may be it. */
const ON_A_TEXT = new RegExp(
  `^(?!\\s*(?:please|could|can|would|will|also|then|now) ).*(?<![\\p{L}])(?:got|received|found|saw|left|sent|was|were|came|there is|there was|there['’]s|has|had)(?![\\p{L}]).*(?<![\\p{L}])${PIECE}(?![\\p{L}])|(?<![\\p{L}])${PIECE} (?:is|was|were|are|came|went)(?![\\p{L}])`,
  "iu",
);

/**
 * What follows a colon behind a word of speech, a heading or a sentence that gives a text is what is said, to the end of the
 * item: no order in it is the operator's. Nor is one in a line that is quoted as in a mail ("> …").
 */
function spokenApart(sentences: readonly Sentence[], isListed: boolean): readonly Sentence[] {
  let isSaid = isListed;
  return sentences.map(({ text, masked }) => {
    if (isSaid || /^\s*[>|]/.test(masked)) return { text, masked: "_".repeat(masked.length) };
    if (GIVES_A_TEXT.some((form) => form.test(masked.trim())) || ON_A_TEXT.test(masked) || isHeading(masked)) {
      isSaid = true;
      return { text, masked };
    }
    const colon = SPOKEN.exec(masked);
    if (colon === null) return { text, masked };
    const end = colon.index + colon[0].length;
    // Where quotes hold what is said, the operator's own words go on behind them.
    isSaid = !/^\s*_/.test(masked.slice(end));
    return isSaid ? { text, masked: masked.slice(0, end) + "_".repeat(masked.length - end) } : { text, masked };
  });
}

/** "Their demands:" is a heading; "Do the following:" asks for what comes. */
function isHeading(masked: string): boolean {
  return (
    /:\s*$/.test(masked) &&
    !/^\s*(?:please |now |then |also )*(?:do|perform|carry out|complete|work through|take care of)(?![\p{L}])/iu.test(
      masked,
    )
  );
}

function numbered(request: string): readonly string[] {
  const starts: number[] = [];
  for (let number = 1, from = 0; ; number += 1) {
    const mark = new RegExp(`(?:^|\\s)${number}[.)]\\s`, "g");
    mark.lastIndex = from;
    const found = mark.exec(request);
    if (found === null) break;
    starts.push(found.index);
    from = found.index + found[0].length - 1;
  }
  // A sentence may well end in "1."; only a second number makes a list of it.
  if (starts.length < 2) return [request];
  return [0, ...starts].map((start, i) => request.slice(start, starts[i] ?? request.length));
}

/** Sentences end at a mark that white space and a capital, a quote or a digit follow, or at the end of a line. */
function cut(masked: string): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = [];
  let from = 0;
  for (const match of masked.matchAll(/(?<=[.!?]_?["'”’)]?)\s+(?=["'“‘(_]?[\p{Lu}\p{N}_])|\n+/gu)) {
    found.push([from, match.index]);
    from = match.index + match[0].length;
  }
  return [...found, [from, masked.length] as const].filter(([start, end]) =>
    /[\p{L}_]/u.test(masked.slice(start, end)),
  );
}
