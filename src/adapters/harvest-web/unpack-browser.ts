import { createReadStream, createWriteStream } from "node:fs";
import { access, chmod, lstat, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";

const PACKAGE = "@sparticuz/chromium";

/**
 * The Chromium that the package @sparticuz/chromium has in it, unpacked once into the user's own cache. The package itself would
 * unpack to a fixed name in the folder for temporary files, and run whatever anybody has put there before.
 */
export async function unpackBrowser(cache = cacheFolder()): Promise<Parsed<string>> {
  const root = packageRoot();
  if (root === null) return unparsed("no_browser", `the package ${PACKAGE} is not installed`);
  try {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const packed = await firstThere([join(root, "bin", process.arch, "chromium.br"), join(root, "bin", "chromium.br")]);
    if (packed === null) return unparsed("no_browser", `there is no browser in ${PACKAGE} ${version}`);
    await mkdir(cache, { recursive: true, mode: 0o700 });
    const place = join(cache, `chromium-${version}-${process.arch}`);
    if ((await firstThere([place])) === null) await unpack(packed, place);
    return (await isOurs(place))
      ? parsed(place)
      : unparsed("no_browser", `${place} is somebody else's, and is not started`);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return unparsed("no_browser", `the browser in ${PACKAGE} cannot be unpacked: ${said.slice(0, 200)}`);
  }
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "signalbox");
}

function packageRoot(): string | null {
  try {
    // Its only door is `build/cjs/index.cjs`.
    return dirname(dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE))));
  } catch {
    return null;
  }
}

async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    try {
      await access(path);
      return path;
    } catch {}
  }
  return null;
}

/** Under another name first, so that nobody starts half a browser: two processes may do it at once. */
async function unpack(packed: string, place: string): Promise<void> {
  const part = `${place}.${process.pid}.part`;
  try {
    await pipeline(
      createReadStream(packed),
      createBrotliDecompress({ chunkSize: 2 ** 21 }),
      createWriteStream(part, { flags: "wx", mode: 0o700 }),
    );
    await chmod(part, 0o700);
    await rename(part, place);
  } finally {
    await rm(part, { force: true });
  }
}

/** Whether it is a file of ours that nobody else can have written. */
async function isOurs(place: string): Promise<boolean> {
  const file = await lstat(place);
  const mine = process.getuid === undefined || file.uid === process.getuid();
  return file.isFile() && mine && (file.mode & 0o022) === 0;
}
