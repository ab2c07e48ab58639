/** The part of a lock file that is needed here. Keys are folders, such as `node_modules/a/node_modules/b`. */
export type Locked = {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
};

/**
 * The folders that an install of `names` alone would bring: all that they depend on, found as Node finds it. What is
 * optional and not installed here (another platform's binary) is not counted.
 */
export function closure(packages: ReadonlyMap<string, Locked>, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = names.map((name) => `node_modules/${name}`);
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const locked = packages.get(folder);
    if (locked === undefined || found.has(folder)) continue;
    found.add(folder);
    for (const name of neededBy(locked)) {
      const at = resolved(packages, folder, name);
      if (at !== null) open.push(at);
    }
  }
  return found;
}

function neededBy(locked: Locked): readonly string[] {
  const peers = Object.keys(locked.peerDependencies ?? {}).filter(
    (name) => locked.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys(locked.dependencies ?? {}), ...Object.keys(locked.optionalDependencies ?? {}), ...peers];
}

/** Beside the package, or beside what it stands in, outwards. */
function resolved(packages: ReadonlyMap<string, Locked>, from: string, name: string): string | null {
  for (let folder = from; ; ) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages.has(candidate)) return candidate;
    if (folder === "") return null;
    const outer = folder.lastIndexOf("/node_modules/");
    folder = outer < 0 ? "" : folder.slice(0, outer);
  }
}
