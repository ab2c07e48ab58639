/**
 * The architecture as data: which room may import which, who enters by which door, and which names are reserved.
 *
 * This table is the law (design 2); tools/tidy.ts holds every file against it and test/house.test.ts runs that as an
 * ordinary test. To let a room import another, change the table here, where a reviewer sees it.
 */

export type Room = {
  readonly name: RoomName;
  /** The room's folder, or its one file. A last segment `*` makes each folder below a room of its own. */
  readonly at: string;
  /** What the room is for, in one sentence. */
  readonly is: string;
  /** Pure: values in, values out. Compiled without Node and DOM types (tsconfig.pure.json) and held to the bans below. */
  readonly pure: boolean;
  /** The rooms that its files may import, by name. */
  readonly imports: readonly RoomName[];
  /** `file`: other rooms import its files directly. `door`: other rooms enter by its index.ts. `shut`: nobody imports it. */
  readonly entry: "file" | "door" | "shut";
  /** The npm packages that its files may import. Test files may import any. */
  readonly packages: readonly string[];
  /** Whether its files may import `node:` modules. Test files always may. */
  readonly node: boolean;
};

export type RoomName =
  | "domain"
  | "guides"
  | "loop"
  | "rails"
  | "ledger"
  | "trials"
  | "ports"
  | "runtime"
  | "adapters"
  | "actors"
  | "testing"
  | "apps"
  | "index"
  | "console"
  | "spec"
  | "examples";

type Law = Omit<Room, "name" | "at" | "is">;

const NOUNS: Law = { pure: true, imports: [], entry: "file", packages: [], node: false };
const PURE: Law = { pure: true, imports: ["domain"], entry: "door", packages: [], node: false };
const EDGE: Law = { pure: false, imports: ["domain", "ports"], entry: "door", packages: [], node: true };

/** The pure rooms that the corridor puts in order. They share nouns and never import each other. */
const PURE_ROOMS = ["guides", "loop", "rails", "ledger", "trials"] as const satisfies readonly RoomName[];

/** Every door that an app or the public door may open. */
const ANY_DOOR: readonly RoomName[] = ["domain", ...PURE_ROOMS, "ports", "runtime", "adapters", "actors"];

/** The house. A room that is listed and not built yet costs nothing; a file in src/ outside every room is a finding. */
export const ROOMS: readonly Room[] = [
  { name: "domain", at: "src/domain", is: "The nouns: a type, its parser and one sentence each.", ...NOUNS },

  {
    name: "guides",
    at: "src/guides",
    is: "What the model is told: rules, compile, grounding, approval.",
    ...PURE,
    packages: ["yaml"],
  },
  { name: "loop", at: "src/loop", is: "What may happen next in a run: advance and the guardrails.", ...PURE },
  { name: "rails", at: "src/rails", is: "Whether a proposal may touch the world: decide.", ...PURE },
  { name: "ledger", at: "src/ledger", is: "What happened, exactly: rows, the hash chain, verification.", ...PURE },
  { name: "trials", at: "src/trials", is: "Paired trials and their intervals.", ...PURE },

  {
    name: "ports",
    at: "src/ports",
    is: "The interfaces to the world, and nothing that runs.",
    pure: false,
    imports: ["domain"],
    entry: "file",
    packages: [],
    node: false,
  },
  {
    name: "runtime",
    at: "src/runtime",
    is: "The corridor: the only place that knows the order. All sequencing and waiting is here.",
    pure: false,
    imports: ["domain", ...PURE_ROOMS, "ports"],
    entry: "door",
    packages: [],
    node: true,
  },
  {
    name: "adapters",
    at: "src/adapters/*",
    is: "One folder per thing in the world: a model, a store.",
    ...EDGE,
    packages: ["playwright-core", "saxes"],
  },
  {
    name: "actors",
    at: "src/actors",
    is: "The local actors: builder, scribe, context, graph, seer, aesthesis.",
    ...EDGE,
  },

  {
    name: "testing",
    at: "src/testing",
    is: "What users test with, and we too: a scripted model, a clock in the hand, a store that fails.",
    pure: false,
    imports: ["domain", "ports", "adapters", "rails", "runtime"],
    entry: "door",
    packages: [],
    node: true,
  },
  {
    name: "apps",
    at: "src/apps/*",
    is: "Thin: parse input, call the corridor, print.",
    pure: false,
    imports: [...ANY_DOOR, "index", "testing", "apps"],
    entry: "door",
    node: true,
    packages: ["commander", "diff", "jiti"],
  },
  {
    name: "index",
    at: "src/index.ts",
    is: "The one public door, and the only place besides apps/ where adapters are wired to the corridor.",
    pure: false,
    imports: ANY_DOOR,
    entry: "file",
    packages: ["zod"],
    node: true,
  },

  {
    name: "console",
    at: "console",
    is: "The web console: it talks HTTP and shares only nouns with the rest.",
    pure: false,
    imports: ["domain"],
    entry: "shut",
    packages: [],
    node: false,
  },
  {
    name: "spec",
    at: "spec",
    is: "The rails again, slowly and plainly. It leans on nothing that it judges.",
    pure: false,
    imports: ["domain"],
    entry: "shut",
    packages: [],
    node: false,
  },
  {
    name: "examples",
    at: "examples",
    is: "What a user would write: only the public doors, as a stranger's project sees them.",
    pure: false,
    imports: [],
    entry: "shut",
    packages: ["signalbox"],
    node: true,
  },
];

/**
 * Folders outside the house. Their files may open any drawer, since they judge, measure and build it; the bans below
 * still hold where they name them. Test files beside the code (*.test.ts) may use any package and any door, but reach
 * into no other room's files.
 */
export const YARDS: readonly string[] = ["test", "tools", "bench"];

/** Files from which everything in src/ must be reachable. What is not is dead. */
export const ENTRANCES: readonly RegExp[] = [
  /^src\/index\.ts$/,
  /^src\/testing\/index\.ts$/,
  /^src\/adapters\/model-ai-sdk\/index\.ts$/,
  /^src\/adapters\/otel\/index\.ts$/,
  /^src\/apps\/[^/]+\/(bin|index)\.ts$/,
];

/** Lines that a source file under src/ may have; tests are not counted. */
export const FILE_LINES_MAX = 400;

/** A name that is reserved or banned: where, and what to write instead. */
export type Reserved = {
  readonly name: string;
  readonly form: RegExp;
  /** `code`: outside comments and strings. `comments`: only inside comments. */
  readonly look: "code" | "comments";
  /** `pure`: files of the pure rooms. Otherwise: files whose path starts with one of these. */
  readonly where: "pure" | readonly string[];
  /** Paths, or beginnings of paths, where the name may stand. */
  readonly except: readonly string[];
  /** Whether test files are held to it too. */
  readonly tests: boolean;
  readonly instead: string;
};

const OURS: readonly string[] = ["src/", "spec/", "examples/", "console/", "bench/", "test/", "tools/"];

// Time, ids, chance and hashes arrive in a pure room as arguments. That is what makes a run a fold of its events: the
// same events give the same bytes on every machine, and a test holds the clock in its hand.
function impure(name: string, form: RegExp, instead: string): Reserved {
  return { name, form, look: "code", where: "pure", except: [], tests: false, instead };
}

export const RESERVED: readonly Reserved[] = [
  {
    name: "Authorised.mint",
    form: /\bAuthorised\s*(?:\?\.|\.)\s*mint\b|\bAuthorised\s*\[|\bmint\b[^{}]*\}\s*=\s*Authorised\b|\bAuthorised\s+as\s+\w/g,
    look: "code",
    where: OURS,
    except: ["src/rails/decide.ts", "src/rails/authorised.ts", "src/rails/authorised.test.ts"],
    tests: true,
    instead: "only decide() makes an Authorised: call decide() and hand on the token that it returns",
  },
  {
    name: "ServePlan.assemble",
    form: /\bServePlan\s*(?:\?\.|\.)\s*assemble\b|\bServePlan\s*\[|\bassemble\b[^{}]*\}\s*=\s*ServePlan\b|\bServePlan\s+as\s+\w/g,
    look: "code",
    where: OURS,
    except: ["src/guides/compile.ts", "src/guides/serve-plan.ts", "src/guides/serve-plan.test.ts"],
    tests: true,
    instead: "only compile() makes a ServePlan: call compile() and hand on the plan that it returns",
  },
  impure("Date.now", /\bDate\.now\b/g, "take the time as an argument (`at`, in milliseconds) from the event"),
  impure("new Date", /\bnew\s+Date\b/g, "take the time or the calendar day as an argument, or use src/domain/dates.ts"),
  impure("Math.random", /\bMath\.random\b/g, "take chance as an argument"),
  impure("globalThis", /\bglobalThis\b/g, "take what you need as an argument"),
  impure("performance.now", /\bperformance\.now\b/g, "take the time as an argument"),
  impure("crypto.", /\bcrypto\s*\./g, "take the hash or the id as an argument (the Hash and Ids ports)"),
  impure(
    "locale",
    /\.(?:localeCompare|toLocale\w+)\b/g,
    "compare and print by code units: a locale gives other bytes on another machine",
  ),
  {
    name: "export *",
    form: /\bexport\s*(?:type\s*)?\*/g,
    look: "code",
    where: ["src/"],
    except: [],
    tests: true,
    instead: "a door lists its names: `export { one, two } from`",
  },
  {
    name: "console.",
    form: /(?<![\w$.])console\s*\./g,
    look: "code",
    where: ["src/"],
    except: ["src/apps/"],
    tests: false,
    instead: "return a value or emit an event: only apps print",
  },
  {
    name: "any",
    form: /(?:\bas\s+|:\s*|<\s*)any\b(?!\s*[(.])/g,
    look: "code",
    where: OURS,
    except: [],
    tests: true,
    instead: "write `unknown` and parse it, or name the type",
  },
  {
    name: "@ts-",
    form: /@ts-(?:ignore|expect-error|nocheck)\b/g,
    look: "comments",
    where: OURS,
    except: [],
    tests: false,
    instead: "make the types true; only a test may expect a type error",
  },
  {
    name: "fetch(",
    form: /(?<![\w$.#]|\bfunction\s+)fetch\s*\(|\bglobalThis\s*\.\s*fetch\b/g,
    look: "code",
    where: ["src/"],
    except: ["src/adapters/"],
    tests: false,
    instead: "go through a port: only an adapter talks to the network",
  },
];
