/** Checks of the code: who imports whom, by which door, under which names, and whether anything needs it. */
import { dirname, join } from "node:path/posix";
import { type Check, codeOf, type File, finding, isTest, sourceOf } from "./check.ts";
import { ENTRANCES, FILE_LINES_MAX, RESERVED, type Reserved, ROOMS, type Room, YARDS } from "./house.ts";
import type { Import } from "./source.ts";

/** A room, and the folder or file that is this very room: `src/adapters/*` is a room for each folder. */
type Home = { readonly room: Room; readonly home: string };

function homeOf(path: string): Home | undefined {
  for (const room of ROOMS) {
    if (room.at === path) return { room, home: path };
    if (room.at.endsWith("/*")) {
      const parent = room.at.slice(0, -1);
      const folder = path.startsWith(parent) ? path.slice(parent.length).split("/") : [];
      if (folder.length > 1) return { room, home: parent + folder[0] };
    } else if (path.startsWith(`${room.at}/`)) return { room, home: room.at };
  }
  return undefined;
}

/** The path that a relative import means, or undefined for a package or a Node module. */
function targetOf(file: File, link: Import): string | undefined {
  return link.specifier.startsWith(".") ? join(dirname(file.path), link.specifier) : undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

// --- The import law

/** Each file imports only what the table in tools/house.ts lets its room import. */
export const importLaw: Check = (files) =>
  codeOf(files).flatMap((file) => {
    const here = homeOf(file.path);
    if (here === undefined) {
      const free = !file.path.includes("/") || YARDS.some((yard) => file.path.startsWith(`${yard}/`));
      if (free) return [];
      return [finding("importLaw", file, 0, "belongs to no room: move it into one, or add its room to tools/house.ts")];
    }
    return sourceOf(file).imports.flatMap((link) => {
      const broken = lawBrokenBy(file, here, link);
      return broken === undefined ? [] : [finding("importLaw", file, link.at, broken)];
    });
  });

function lawBrokenBy(file: File, { room, home }: Home, link: Import): string | undefined {
  const mayImport = room.imports.length === 0 ? "nothing outside itself" : `only ${room.imports.join(", ")}`;
  const target = targetOf(file, link);
  if (target === undefined) {
    if (isTest(file.path)) return undefined;
    if (link.specifier.startsWith("node:")) {
      return room.node
        ? undefined
        : `imports ${link.specifier}: ${room.name} sees no Node; take what you need as an argument`;
    }
    if (room.packages.includes(packageOf(link.specifier))) return undefined;
    const packages = room.packages.length === 0 ? "no package" : `no package but ${room.packages.join(", ")}`;
    return `imports ${link.specifier}: ${room.name} may import ${packages}; put it behind a port, or take it as an argument`;
  }
  if (target === home || target.startsWith(`${home}/`) || isTest(file.path)) return undefined;
  const there = homeOf(target);
  if (there === undefined) {
    if (link.kind === "url") return undefined;
    return `imports ${target}, which is in no room: nothing in the house leans on what stands outside it`;
  }
  if (room.imports.includes(there.room.name)) return undefined;
  return `imports ${target}: ${room.name} may import ${mayImport}; pass it in, or move the shared noun to src/domain`;
}

/** A room is entered by its door from every other room; only the files of domain and ports are open to all. */
export const doors: Check = (files) =>
  codeOf(files).flatMap((file) => {
    const here = homeOf(file.path);
    if (here === undefined) return [];
    return sourceOf(file).imports.flatMap((link) => {
      const target = targetOf(file, link);
      const there = target === undefined ? undefined : homeOf(target);
      if (there === undefined || there.home === here.home || there.room.entry === "file") return [];
      const door = `${there.home}/index.ts`;
      if (there.room.entry === "door" && target === door) return [];
      const instead =
        there.room.entry === "door" ? `enter by ${door} and let it name what you need` : "nobody imports that room";
      return [finding("doors", file, link.at, `reaches into ${target}: ${instead}`)];
    });
  });

/** The names of the RESERVED table stand only where it allows them. */
export const reserved: Check = (files) =>
  codeOf(files).flatMap((file) =>
    RESERVED.filter((rule) => holdsFor(rule, file.path)).flatMap((rule) =>
      [...sourceOf(file)[rule.look].matchAll(rule.form)].map((match) =>
        finding("reserved", file, match.index, `\`${match[0].trim()}\` (${rule.name}): ${rule.instead}`),
      ),
    ),
  );

function holdsFor(rule: Reserved, path: string): boolean {
  if (isTest(path) && !rule.tests) return false;
  if (rule.except.some((start) => path.startsWith(start))) return false;
  if (rule.where === "pure") return homeOf(path)?.room.pure ?? false;
  return rule.where.some((start) => path.startsWith(start));
}

/** tsconfig.pure.json compiles every pure room that exists without Node and DOM types. */
export const pureCompiled: Check = (files) => {
  const config = files.find((file) => file.path === "tsconfig.pure.json");
  const built = ROOMS.filter((room) => room.pure && files.some((file) => file.path.startsWith(`${room.at}/`)));
  return built
    .filter((room) => config === undefined || !config.text.includes(`"${room.at}"`))
    .map((room) => ({
      rule: "pureCompiled",
      where: "tsconfig.pure.json:1",
      message: `does not compile ${room.at}, a pure room: add "${room.at}" to its include list`,
    }));
};

// --- The graph

/** File path -> the imports of that file that mean a file of the list, with the file that each means. */
function graphOf(files: readonly File[], kinds: readonly Import["kind"][]): ReadonlyMap<string, readonly string[]> {
  const code = codeOf(files);
  const paths = new Set(code.map((file) => file.path));
  const targetsOf = (file: File): readonly string[] =>
    sourceOf(file).imports.flatMap((link) => {
      const target = kinds.includes(link.kind) ? targetOf(file, link) : undefined;
      return target !== undefined && paths.has(target) ? [target] : [];
    });
  return new Map(code.map((file) => [file.path, targetsOf(file)]));
}

/** The shortest way from `start` to something that `arrived` accepts, both included, or undefined. Walks at least one step. */
function wayFrom(
  start: string,
  graph: ReadonlyMap<string, readonly string[]>,
  arrived: (path: string) => boolean,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of graph.get(path) ?? []) {
      if (arrived(next)) {
        const way = [next];
        for (let back: string | undefined = path; back !== undefined; back = cameFrom.get(back)) {
          way.unshift(back);
          if (back === start) break;
        }
        return way;
      }
      if (next === start || cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  }
  return undefined;
}

/** No file comes back to itself over value imports. Type-only imports leave nothing behind at run time and are not counted. */
export const cycles: Check = (files) => {
  const graph = graphOf(files, ["value"]);
  const told = new Set<string>();
  return [...graph.keys()].sort().flatMap((path) => {
    if (told.has(path)) return [];
    const way = wayFrom(path, graph, (next) => next === path);
    if (way === undefined) return [];
    for (const member of way) told.add(member);
    const message = `import cycle: ${way.join(" -> ")}; move what both need into a file of its own, or import only the type`;
    return [{ rule: "cycles", where: `${path}:1`, message }];
  });
};

/** Every file under src/ is reachable from a public door or an app's bin.ts. */
export const deadFiles: Check = (files) => {
  const graph = graphOf(files, ["value", "type", "url"]);
  const alive = [...graph.keys()].filter((path) => ENTRANCES.some((entrance) => entrance.test(path)));
  const reached = new Set(alive);
  for (let path = alive.pop(); path !== undefined; path = alive.pop()) {
    for (const next of graph.get(path) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      alive.push(next);
    }
  }
  return [...graph.keys()]
    .filter((path) => path.startsWith("src/") && !isTest(path) && !reached.has(path))
    .map((path) => ({
      rule: "deadFiles",
      where: `${path}:1`,
      message: "no public door and no app reaches it: use it, delete it, or move a test's helper to test/",
    }));
};

/** A source file stays readable in one sitting. */
export const fileLength: Check = (files) =>
  codeOf(files)
    .filter((file) => file.path.startsWith("src/") && !isTest(file.path))
    .flatMap((file) => {
      const lines = file.text.trimEnd().split("\n").length;
      if (lines <= FILE_LINES_MAX) return [];
      const message = `${lines} lines, at most ${FILE_LINES_MAX}: give its second verb a file of its own`;
      return [{ rule: "fileLength", where: `${file.path}:${lines}`, message }];
    });
