import { byCodeUnits } from "../../domain/code-units.ts";
import { isBlank } from "../../domain/hidden.ts";
import { unreachable } from "../../domain/unreachable.ts";
import { type GroundFinding, groundFinding, listed, quoted } from "./findings.ts";
import type { GroundIndex } from "./ground-index.ts";
import type { Intent } from "./intent.ts";
import { type Judged, judge, type Rank, type Scope } from "./judge.ts";
import { LIGHT } from "./lexicon.ts";
import type { NameField } from "./names-of.ts";
import { withoutMarks } from "./quotations.ts";
import { SCORE_1 } from "./score-1.ts";
import { rounded } from "./score-name.ts";
import { POINTING } from "./words.ts";

/** A control that is near, by which of its names. */
export type Near = { readonly id: string; readonly score: number; readonly name: string; readonly field: NameField };

/** What an intent means in a map. */
export type Grounded = {
  readonly version: typeof SCORE_1.version;
  /** The SHA-256 of the map: the score means something only beside scores of the same version in the same map. */
  readonly map: string;
  readonly intent: string;
  /** The control that is meant, by its id. */
  readonly bound: string | null;
  /** Of what is bound, else of the nearest; 0 to 1. */
  readonly score: number;
  /** At most `nearest`, best first; none of what shares no word. */
  readonly nearest: readonly Near[];
  readonly findings: readonly GroundFinding[];
  /** How many names were looked at: the cost. */
  readonly looked: number;
};

/**
 * The control that an intent means, by `score/1`: deterministic, whatever the order of the map, and for any text. It says that
 * there is such a control, and not that using it does what the intent wants.
 */
export function ground(
  index: GroundIndex,
  intent: string,
  scope: Scope = { screen: null },
  where = "intent",
): Grounded {
  const judged = withNear(index, judge(index, intent, scope), scope);
  const { bound, looked } = judged;
  return {
    ...{ version: SCORE_1.version, map: index.digest, intent, bound: bound?.ids[0] ?? null, looked },
    score: bound?.score ?? judged.ranks[0]?.score ?? 0,
    nearest: nearestOf(judged),
    findings: findingsOf(index, judged, where),
  };
}

/** Where nothing is near, a quotation is perhaps not quite a name: what is near without its marks, half said, and never bound. */
function withNear(index: GroundIndex, judged: Judged, scope: Scope): Judged {
  const { intent, bound, close, ranks } = judged;
  if (bound !== null || close.length > 0 || (ranks[0]?.score ?? 0) >= SCORE_1.near) return judged;
  if (intent.quotes.every((quote) => quote === -1)) return judged;
  const bare = judge(index, withoutMarks(intent.shown), scope);
  const near = bare.ranks.map((rank) => ({ ...rank, score: rounded(rank.score * SCORE_1.halfSaid) }));
  return { ...judged, ranks: near, looked: judged.looked + bare.looked };
}

export function nearestOf({ ranks }: Judged): readonly Near[] {
  return ranks
    .slice(0, SCORE_1.nearest)
    .flatMap(({ ids, score, entry }) =>
      ids.map((id) => ({ id, score, name: entry.name.shown, field: entry.name.field })),
    )
    .slice(0, SCORE_1.nearest);
}

/** What is to be said about an intent, with the first thing that keeps it from meaning one control. */
function findingsOf(index: GroundIndex, judged: Judged, where: string): readonly GroundFinding[] {
  const { intent, bound } = judged;
  if (isBlank(intent.shown)) return [groundFinding("no_words", where, "says nothing")];
  const overlong = intent.overlong
    ? [groundFinding("overlong", where, `has more than ${SCORE_1.intentTokensMax} words; say one thing to do`)]
    : [];
  return [...overlong, ...(bound === null ? [unmet(judged, where)] : met(index, judged, bound, where))];
}

function unmet(judged: Judged, where: string): GroundFinding {
  const rule = whyUnmet(judged);
  const ids = judged.close.flatMap((rank) => rank.ids).sort(byCodeUnits);
  const near = nearestOf(judged);
  switch (rule) {
    case "ambiguous": {
      const names = new Set(judged.close.map(({ entry }) => entry.name.shown));
      const what = names.size === 1 ? ` called ${quoted([...names][0] ?? "")}` : "";
      return groundFinding(
        rule,
        where,
        `${ids.length} controls${what} are meant as well as each other: ${listed(ids)}`,
        ids,
      );
    }
    case "deictic":
      return groundFinding(
        rule,
        where,
        `points at a control without its name${nearText(near)}`,
        near.map(({ id }) => id),
      );
    case "unbound":
      return groundFinding(
        rule,
        where,
        `no control is meant by ${quoted(judged.intent.shown)}${nearText(near)}`,
        near.map(({ id }) => id),
      );
    default:
      return unreachable(rule);
  }
}

function whyUnmet({ intent, close }: Judged): "ambiguous" | "deictic" | "unbound" {
  if (close.length > 0) return "ambiguous";
  return pointsOnly(intent) ? "deictic" : "unbound";
}

const POINTS: ReadonlySet<string> = new Set(POINTING);

/** Whether no word outside of what is said beside, of landmarks and of places tells anything, and some word points or there is a landmark. */
function pointsOnly({ tokens, asides, classes, quotes, clauses }: Intent): boolean {
  const beside = new Set(clauses.flatMap((clause) => (clause.kind === "beside" ? clause.tokens : [])));
  const own = tokens.flatMap((token, i) =>
    asides[i] === null && !beside.has(i) ? [{ token, as: classes[i] ?? "content", quote: quotes[i] }] : [],
  );
  const tells = own.some(
    ({ token, as, quote }) =>
      quote !== -1 ||
      !(
        as === "symbol" ||
        LIGHT.has(as) ||
        POINTS.has(token.text) ||
        /^(?:st|nd|rd|th)$/.test(token.text) ||
        token.kind === "number"
      ),
  );
  return (
    !tells && (own.some(({ token, as }) => as === "noun" || POINTS.has(token.text)) || asides.includes("landmark"))
  );
}

function nearText(near: readonly Near[]): string {
  if (near.length === 0) return "; nothing is near";
  return `; nearest: ${near.map(({ id, name, score }) => `${quoted(id)} ${quoted(name)} (${score})`).join(", ")}`;
}

function met(index: GroundIndex, judged: Judged, bound: Rank, where: string): readonly GroundFinding[] {
  const [id = ""] = bound.ids;
  const findings = targetFindings(index, id, where);
  const others = judged.others.flatMap(({ ids }) => ids.slice(0, 1));
  if (others.length > 0) {
    const all = [id, ...others].sort(byCodeUnits);
    findings.unshift(
      groundFinding("two_controls", where, `is several steps in one, of the controls ${listed(all)}`, all),
    );
  }
  const same = judged.ranks
    .filter(
      (rank) =>
        rank !== bound &&
        rank.reading.clause === bound.reading.clause &&
        rank.entry.name.literal === bound.entry.name.literal,
    )
    .flatMap(({ ids }) => ids)
    .sort(byCodeUnits);
  if (same.length > 0) {
    const text = `${quoted(bound.entry.name.shown)} is also the name of ${listed(same)}; only its kind tells ${quoted(id)} from that`;
    findings.push(groundFinding("duplicate_name", where, text, [id, ...same].sort(byCodeUnits)));
  }
  if (bound.entry.name.field === "resource_id") {
    findings.push(
      groundFinding("id_only", where, `only the program's own id says what ${quoted(id)} is, and nobody sees it`, [id]),
    );
  }
  return findings;
}

/** What is to be said of a control that a step uses, whatever the words. */
function targetFindings(index: GroundIndex, id: string, where: string): GroundFinding[] {
  const control = index.byId.get(id);
  const findings: GroundFinding[] = [];
  if (control?.disabled === true)
    findings.push(groundFinding("disabled_target", where, `${quoted(id)} is disabled`, [id]));
  if (control?.clickable === false) {
    findings.push(
      groundFinding("inert_target", where, `the interface does not say that ${quoted(id)} can be clicked`, [id]),
    );
  }
  return findings;
}
