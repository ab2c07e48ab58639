/** Checks of what is written about the code: documents, promises, dependencies, and what no file may name. */
import { dirname, join } from "node:path/posix";
import { type Check, type File, type Finding, finding, isCode, isTest, sourceOf } from "./check.ts";

// --- Documents

const isDocument = (path: string): boolean => /^(?:[^/]+|docs\/.+)\.md$/.test(path) && path !== "CHANGELOG.md";

/** Documents that describe this repository itself: there the paths in fenced blocks must exist too. */
const MAPS: readonly string[] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md"];

/** Every path that a document names in backticks, and every relative link, leads to something that exists. */
export const deadPathsInDocs: Check = (files) => {
  const places = new Set(files.flatMap((file) => [file.path, ...parentsOf(file.path)]));
  return files
    .filter((file) => isDocument(file.path))
    .flatMap((file) => {
      const dead = (at: number, path: string): Finding =>
        finding(
          "deadPathsInDocs",
          file,
          at,
          `names \`${path}\`, which does not exist: name what does, or drop the sentence`,
        );
      const named = pathsNamedIn(file).filter(({ path }) => !leadsSomewhere(path, places));
      const linked = linksIn(file).filter(({ path }) => !places.has(join(dirname(file.path), path).replace(/\/$/, "")));
      return [...named, ...linked].map(({ at, path }) => dead(at, path));
    });
};

type Named = { readonly at: number; readonly path: string };

function parentsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return [".", ...parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"))];
}

/** The text of a document with its fenced blocks blanked, line breaks kept. */
function withoutFences(text: string): string {
  return text.replace(/^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^[ \t]*\2[ \t]*$/gm, (block) =>
    block.replace(/[^\n]/g, " "),
  );
}

function pathsNamedIn(file: File): readonly Named[] {
  const spans = [...withoutFences(file.text).matchAll(/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g)];
  const texts = spans.map((span) => ({ at: span.index + span[0].indexOf(span[2] ?? ""), text: span[2] ?? "" }));
  if (MAPS.includes(file.path)) texts.push({ at: 0, text: onlyFences(file.text) });
  return texts.flatMap(({ at, text }) =>
    [...text.matchAll(/(?<![^\s("'=])(?:\.\/)?(?:src|test|tools|spec|examples|bench|docs)\/[^\s`"']*/g)].map(
      (word) => ({
        at: at + word.index,
        path: word[0]
          .replace(/^\.\//, "")
          .replace(/#.*$/, "")
          .replace(/[.,;:)]+$/, "")
          .replace(/:\d+(?::\d+)?$/, ""),
      }),
    ),
  );
}

function onlyFences(text: string): string {
  const outside = withoutFences(text);
  return text.replace(/[^\n]/g, (unit, at: number) => (outside[at] === unit ? " " : unit));
}

/** Whether a path, which may hold `*`, `**`, `{a,b}` or `<name>`, means at least one file or folder. */
function leadsSomewhere(path: string, places: ReadonlySet<string>): boolean {
  const plain = path.replace(/\/+$/, "");
  if (!/[*{<]/.test(plain)) return places.has(plain);
  const form = plain
    .replace(/<[^<>]*>/g, "*")
    .replace(/[.+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^{}]*)\}/g, (_, options: string) => `(?:${options.split(",").join("|")})`)
    .replace(/\*\*\/|\*\*|\*/g, (star) => (star === "*" ? "[^/]*" : star === "**" ? ".*" : "(?:.*/)?"));
  const whole = new RegExp(`^${form}$`);
  return [...places].some((place) => whole.test(place));
}

function linksIn(file: File): readonly Named[] {
  return [...withoutFences(file.text).matchAll(/\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map((link) => ({ at: link.index, path: decodeURI(link[1] ?? "").replace(/[#?].*$/, "") }))
    .filter(({ path }) => path !== "" && !/^[a-z][a-z0-9+.-]*:|^\//i.test(path));
}

/** The pages of docs/decisions are numbered 0001, 0002, ... without gaps, and each begins with a heading. */
export const decisionNumbers: Check = (files) => {
  const pages = files.filter((file) => file.path.startsWith("docs/decisions/") && !file.path.endsWith("/README.md"));
  const rule = "decisionNumbers";
  const named = pages.map((file) => ({
    file,
    number: /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/.exec(file.path)?.[1],
  }));
  const numbered = named
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
    .flatMap(({ file, number }, i) => {
      const due = String(i + 1).padStart(4, "0");
      return number === due
        ? []
        : [finding(rule, file, 0, `is number ${number} where ${due} is due: number pages in order`)];
    });
  const unnamed = named
    .filter(({ number }) => number === undefined)
    .map(({ file }) => finding(rule, file, 0, "is not named like `0001-what-was-decided.md`: rename it"));
  const headless = pages
    .filter((file) => !file.text.startsWith("# "))
    .map((file) =>
      finding(rule, file, 0, "does not begin with a heading: begin with `# ` and the decision in a sentence"),
    );
  return [...numbered, ...unnamed, ...headless];
};

// --- Promises

const PROMISES_FILE = "spec/promises.ts";

/** Each promise is cited by its id in the title of a test that runs, and each cited id is a promise. */
export const promisesCited: Check = (files) => {
  const rule = "promisesCited";
  const book = files.find((file) => file.path === PROMISES_FILE);
  if (book === undefined)
    return [{ rule, where: `${PROMISES_FILE}:1`, message: "is missing: write the promises there" }];
  const promises = [...book.text.matchAll(/\bid:\s*"([^"]*)"/g)].map((match) => ({
    id: match[1] ?? "",
    at: match.index,
  }));
  const ids = new Set(promises.map(({ id }) => id));
  const families = new Set(promises.map(({ id }) => id.split("-")[0] ?? ""));
  const cited = new Set<string>();
  const findings: Finding[] = [];
  for (const file of files.filter((one) => isCode(one.path) && isTest(one.path))) {
    for (const { id, at, inTitle } of citationsIn(file)) {
      if (ids.has(id)) cited.add(id);
      else if (inTitle || families.has(id.split("-")[0] ?? "")) {
        findings.push(
          finding(rule, file, at, `cites [${id}], which is no promise: add it to ${PROMISES_FILE} or mend the id`),
        );
      }
    }
  }
  const twice = promises.filter(({ id }, i) => promises.findIndex((other) => other.id === id) !== i);
  for (const { id, at } of twice) findings.push(finding(rule, book, at, `[${id}] is promised twice: keep one`));
  for (const { id, at } of promises.filter((one) => !cited.has(one.id))) {
    findings.push(
      finding(rule, book, at, `no test cites [${id}]: begin a test's title with it, or withdraw the promise`),
    );
  }
  return findings;
};

type Citation = { readonly id: string; readonly at: number; readonly inTitle: boolean };

/** Ids in brackets at the beginning of a string: `test("[loop-ends] ...")`, also through a helper such as `law("[...] ...")`. */
function citationsIn(file: File): readonly Citation[] {
  const { code, literals } = sourceOf(file);
  return literals.flatMap(({ at, text }) => {
    const head = /^(?:\[[a-z]+(?:-[a-z0-9]+)+\]\s*)+/.exec(text)?.[0];
    if (head === undefined) return [];
    const call = /\b(?:test|it|describe)((?:\s*\.\s*\w+)*)\s*\(\s*$/.exec(code.slice(Math.max(0, at - 80), at));
    // A promise that is only cited by a test which does not run is not kept.
    if (/\.\s*(?:todo|skip)\b/.test(call?.[1] ?? "")) return [];
    return [...head.matchAll(/\[([^\]]+)\]/g)].map((match) => ({ id: match[1] ?? "", at, inTitle: call !== null }));
  });
}

// --- Dependencies

/** Each dependency has a line in DEPENDENCIES.md that says what it is for, and each line a dependency. */
export const dependenciesExplained: Check = (files) => {
  const rule = "dependenciesExplained";
  const manifest = files.find((file) => file.path === "package.json");
  const page = files.find((file) => file.path === "DEPENDENCIES.md") ?? { path: "DEPENDENCIES.md", text: "" };
  const names = dependencyNames(manifest?.text ?? "{}");
  const rows = [...page.text.matchAll(/^(?:[|*-]\s*)`([^`]+)`/gm)].map((row) => ({
    name: row[1] ?? "",
    at: row.index,
  }));
  const silent = names
    .filter((name) => !rows.some((row) => row.name === name))
    .map((name) => finding(rule, page, 0, `has no line for \`${name}\`: say what for, why this one, what without it`));
  const stale = rows
    .filter((row) => !names.includes(row.name))
    .map((row) => finding(rule, page, row.at, `explains \`${row.name}\`, which is no dependency: drop the line`));
  return [...silent, ...stale];
};

function dependencyNames(manifest: string): readonly string[] {
  const read: unknown = JSON.parse(manifest);
  const fields = new Map(Object.entries(typeof read === "object" && read !== null ? read : {}));
  return ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap((kind) => {
    const group: unknown = fields.get(kind);
    return typeof group === "object" && group !== null ? Object.keys(group) : [];
  });
}

// In parts, so that this file does not find itself.
const HOSTS: readonly string[] = [`registry.${"npmjs"}`, `${"npmjs"}.org`, `${"npmjs"}.com`, `${"yarn"}pkg`];

/** No file names a package host: where packages come from is the business of whoever installs. */
export const noHosts: Check = (files) =>
  files.flatMap((file) => {
    const text = file.text.toLowerCase();
    const host = HOSTS.find((one) => text.includes(one));
    if (host === undefined) return [];
    return [finding("noHosts", file, text.indexOf(host), `names the package host ${host}: name the package only`)];
  });

/** The lock file holds no download addresses: whoever installs brings their own. */
export const lockHasNoResolved: Check = (files) =>
  files
    .filter((file) => file.path.split("/").at(-1) === "package-lock.json")
    .flatMap((file) => {
      const found = /"resolved":\s*"/.exec(file.text);
      if (found === null) return [];
      const message =
        "holds download addresses: run `npm install --omit-lockfile-registry-resolved` from a fresh lock file";
      return [finding("lockHasNoResolved", file, found.index, message)];
    });
