import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Mutation twins: the product with a planted fault, which the test of what was broken must catch. A guard whose removal
 * no test notices is not a guard.
 */

/** A fault: `find` stands exactly once in `file` (below src/), and is replaced. */
export type Patch = { readonly file: string; readonly find: string; readonly replace: string };

/** A copy of the product: its `src`, and where its own `test/checks` are. */
export type Copy = { readonly src: string; readonly checks: string };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What of the product a copy has, where a check needs all of it. */
const PARTS: readonly string[] = ["src", "test/checks"];

/**
 * Runs a check against a copy of the product that these patches were planted in. With none the check has to pass. `parts`: a
 * check that needs only some rooms need not wait for the others to be copied.
 */
export async function withCopy(
  name: string,
  patches: readonly Patch[],
  check: (copy: Copy) => void | Promise<void>,
  parts: readonly string[] = PARTS,
): Promise<void> {
  const twins = join(ROOT, ".twins");
  mkdirSync(twins, { recursive: true });
  // Two test runs in one tree must not plant into each other's copy.
  const home = mkdtempSync(join(twins, `${name.replace(/[^a-z0-9]+/gi, "-")}-`));
  try {
    const filter = (path: string): boolean => !path.endsWith(".test.ts");
    for (const part of parts) cpSync(join(ROOT, part), join(home, part), { recursive: true, filter });
    for (const patch of patches) plant(join(home, "src", patch.file), patch);
    await check({ src: join(home, "src"), checks: join(home, "test/checks") });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The twin: the check must fail, and by its own assertion. A copy that does not even load proves nothing. */
export async function withTwin(
  name: string,
  patches: readonly Patch[],
  check: (copy: Copy) => void | Promise<void>,
  parts: readonly string[] = PARTS,
): Promise<void> {
  assert.ok(patches.length > 0, `${name}: a twin has a fault`);
  let caught: unknown = null;
  const caughtBy = async (copy: Copy): Promise<void> => {
    try {
      await check(copy);
    } catch (error) {
      caught = error;
    }
  };
  await withCopy(name, patches, caughtBy, parts);
  assert.notEqual(caught, null, `the fault "${name}" was planted, and no check noticed`);
  if (!(caught instanceof assert.AssertionError)) {
    throw new Error(`the fault "${name}" broke the check instead of failing it`, { cause: caught });
  }
}

/** A refactoring that moves the place breaks the twin loudly, so that no twin goes on testing the unharmed product. */
function plant(path: string, { file, find, replace }: Patch): void {
  const text = readFileSync(path, "utf8");
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(`the twin's place stands ${times} times in src/${file}, and must stand there once:\n${find}`);
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
}
