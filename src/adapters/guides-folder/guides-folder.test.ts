import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { guidesFolder } from "./index.ts";
import { readInside } from "./read-inside.ts";

let place: string;
let folder: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "guides-")));
  folder = join(place, "guides");
  mkdirSync(folder);
});

afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

function put(name: string, content: string | Uint8Array = name): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

function link(name: string, target: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(target, join(folder, name));
}

/** What was read, as `name=text`, or `name! why`. */
async function read(limits?: Parameters<typeof guidesFolder>[1]): Promise<readonly string[]> {
  const files = await guidesFolder(folder, limits).read();
  return files.map(({ name, bytes, failed }) =>
    failed === null ? `${name}=${Buffer.from(bytes).toString("latin1")}` : `${name}! ${failed}`,
  );
}

describe("what is read", () => {
  test("the rule files of all folders, by their names, sorted by code units, and nothing else", async () => {
    for (const name of [
      "b.md",
      "a/z.md",
      "a/deep/er/x.md",
      "B.MD",
      "a.md",
      ".hidden/h.md",
      "a/note.txt",
      "md",
      "c.mdc",
    ])
      put(name);
    mkdirSync(join(folder, "empty.md"));
    expect(await read()).toEqual(
      [".hidden/h.md", "B.MD", "a.md", "a/deep/er/x.md", "a/z.md", "b.md"].map((name) => `${name}=${name}`),
    );
  });

  test("what others keep rules in is named, and not read", async () => {
    for (const name of ["a.md", "b.mdc", "sub/c.TXT", "d.markdown", "e.png", "f"]) put(name);
    expect(await read()).toEqual(["a.md=a.md"]);
    expect(await guidesFolder(folder).unread?.()).toEqual(["b.mdc", "d.markdown", "sub/c.TXT"]);
    expect(await guidesFolder(join(place, "no")).unread?.()).toEqual([]);
  });

  test("bytes as they are, text or not", async () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff, 0x00]);
    put("a.md", bytes);
    put("empty.md", "");
    const files = await guidesFolder(folder).read();
    expect(files).toEqual([
      { name: "a.md", bytes, failed: null },
      { name: "empty.md", bytes: new Uint8Array(0), failed: null },
    ]);
    expect(Object.getPrototypeOf(files[0]?.bytes)).toBe(Uint8Array.prototype);
  });

  test("a folder that is a link itself, or that is empty", async () => {
    expect(await read()).toEqual([]);
    put("a.md", "A");
    symlinkSync(folder, join(place, "link"));
    expect(await guidesFolder(join(place, "link")).read()).toMatchObject([{ name: "a.md", failed: null }]);
  });

  test("more files than are read at once", async () => {
    for (let i = 0; i < 300; i++) put(`f${i}.md`, "x");
    expect(await read()).toHaveLength(300);
  });
});

describe("what cannot be read is named", () => {
  test("a folder that is not there, or is none", async () => {
    expect(await guidesFolder(join(place, "no")).read()).toMatchObject([
      { name: ".", failed: `there is no such folder: ${join(place, "no")} (ENOENT)` },
    ]);
    writeFileSync(join(place, "file"), "");
    expect(await guidesFolder(join(place, "file")).read()).toMatchObject([
      { name: ".", failed: "the folder cannot be read (ENOTDIR)" },
    ]);
  });

  // Whoever may read everything is refused nothing.
  test.skipIf(process.getuid?.() === 0)("a file and a folder that nobody may read", async () => {
    put("a.md");
    put("b/c.md");
    chmodSync(join(folder, "a.md"), 0);
    chmodSync(join(folder, "b"), 0);
    expect(await read()).toEqual(["a.md! cannot be read (EACCES)", "b! the folder cannot be read (EACCES)"]);
    chmodSync(join(folder, "b"), 0o700);
  });

  test.skipIf(process.platform === "win32")("a pipe that nobody writes into", async () => {
    execFileSync("mkfifo", [join(folder, "pipe.md"), join(folder, "pipe.txt")]);
    expect(await read()).toEqual(["pipe.md! is no regular file"]);
    expect(readInside(folder, "pipe.md", 10)).toMatchObject({ failed: "is no regular file" });
  });

  test.skipIf(process.platform !== "linux")("a name that is no text", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".md")]), "x");
    expect(await read()).toEqual(["caf\ufffd.md! cannot be read (ENOENT)"]);
  });

  test("a file larger than a file may be", async () => {
    put("a.md", "x".repeat(10));
    put("b.md", "x".repeat(11));
    expect(await read({ fileBytesMax: 10 })).toEqual([`a.md=${"x".repeat(10)}`, "b.md! has more than 10 bytes"]);
  });

  test("more files than there may be", async () => {
    for (const name of ["a.md", "b.md", "c.md"]) put(name, "x");
    expect(await read({ filesMax: 3 })).toHaveLength(3);
    expect(await read({ filesMax: 2 })).toEqual([
      ".! more than 2 rule files: those from c.md on were not read",
      "a.md=x",
      "b.md=x",
    ]);
  });

  test("more bytes than there may be", async () => {
    for (const name of ["a.md", "b.md", "c.md"]) put(name, "xy");
    expect(await read({ bytesMax: 6 })).toHaveLength(3);
    expect(await read({ bytesMax: 5 })).toEqual([
      ".! more than 5 bytes altogether: the files from c.md on were not read",
      "a.md=xy",
      "b.md=xy",
    ]);
  });

  test("folders deeper than they may be", async () => {
    put("a/b/c.md", "x");
    expect(await read({ depthMax: 2 })).toEqual(["a/b/c.md=x"]);
    expect(await read({ depthMax: 1 })).toEqual([
      "a/b! more than 1 folders inside one another: nothing in it was read",
    ]);
  });

  test("more entries than are looked at, whatever they are", async () => {
    for (const name of ["a.txt", "b.txt", "c.md"]) put(name, "x");
    expect(await read({ entriesMax: 3 })).toEqual(["c.md=x"]);
    expect(await read({ entriesMax: 2 })).toContain(".! more than 2 files and folders: the rest of it was not read");
  });
});

describe.skipIf(process.platform === "win32")("links", () => {
  beforeEach(() => {
    mkdirSync(join(place, "outside"));
    writeFileSync(join(place, "outside/secret.md"), "SECRET");
    mkdirSync(join(place, "guides-evil"));
    writeFileSync(join(place, "guides-evil/secret.md"), "SECRET");
  });

  test("that lead out are refused by name, files and folders", async () => {
    put("a.md", "A");
    link("file.md", join(place, "outside/secret.md"));
    link("folder", "../outside");
    link("deep/up", "../..");
    link("evil", "../guides-evil");
    link("etc.md", "/etc");
    expect(await read()).toEqual([
      "a.md=A",
      "deep/up! is a link that leads out of the folder",
      "etc.md! is a link that leads out of the folder",
      "evil! is a link that leads out of the folder",
      "file.md! is a link that leads out of the folder",
      "folder! is a link that leads out of the folder",
    ]);
  });

  test("that lead to rules of the folder add nothing, and never go round in a circle", async () => {
    put("a.md", "A");
    put("sub/b.md", "B");
    link("same.md", "a.md");
    link("again", "sub");
    link("sub/up", "..");
    link("sub/self", ".");
    expect(await read()).toEqual(["a.md=A", "sub/b.md=B"]);
  });

  test("that lead nowhere, in a circle, or to what is no rule file", async () => {
    put("text.txt", "T");
    link("gone.md", "no.md");
    link("gone", "no");
    link("circle.md", "circle.md");
    link("text.md", "text.txt");
    link("link.txt", "text.txt");
    link("out.txt", join(place, "outside/secret.md"));
    expect(await read()).toEqual([
      "circle.md! is a link that leads nowhere (ELOOP)",
      "gone! is a link that leads nowhere (ENOENT)",
      "gone.md! is a link that leads nowhere (ENOENT)",
      "text.md! is a link to a file that is no rule file: put the file itself here",
    ]);
  });

  test("that were put there after the folder was listed are refused when the file is opened", () => {
    link("file.md", join(place, "outside/secret.md"));
    link("folder", "../outside");
    put("sub/a.md", "A");
    for (const placeOf of [undefined, () => null]) {
      const nothing = new Uint8Array(0);
      expect(readInside(folder, "file.md", 100, placeOf)).toMatchObject({ failed: "is a link", bytes: nothing });
      expect(readInside(folder, "folder/secret.md", 100, placeOf)).toMatchObject({
        failed: "is reached by a link that leads out of the folder",
        bytes: nothing,
      });
      expect(readInside(folder, "sub/a.md", 100, placeOf)).toMatchObject({ failed: null });
    }
  });

  // Only where the system says where an open file is.
  test.skipIf(process.platform !== "linux")(
    "that are exchanged for a folder and back never give what is outside",
    async () => {
      put("sub/secret.md", "INSIDE");
      link("other", "../outside");
      const swapping = `
      const { renameSync } = require("node:fs");
      const { parentPort, workerData } = require("node:worker_threads");
      const [sub, other, spare] = workerData;
      let going = true;
      parentPort.on("message", () => { going = false; });
      const swap = () => {
        for (let i = 0; i < 50; i++) {
          renameSync(sub, spare); renameSync(other, sub);
          renameSync(sub, other); renameSync(spare, sub);
        }
        if (going) setImmediate(swap); else parentPort.close();
      };
      swap();`;
      const worker = new Worker(swapping, {
        eval: true,
        workerData: [join(folder, "sub"), join(folder, "other"), join(folder, "spare")],
      });
      const over = new Promise((done) => worker.on("exit", done));
      await new Promise((done) => worker.on("online", done));
      const texts = new Set<string>();
      for (let i = 0; i < 20_000; i++) {
        const { bytes, failed } = readInside(folder, "sub/secret.md", 100);
        texts.add(failed === null ? Buffer.from(bytes).toString() : failed.replace(/ \(.*/, ""));
      }
      worker.postMessage("enough");
      await over;
      texts.delete("cannot be read");
      texts.delete("is reached by a link that leads out of the folder");
      expect([...texts]).toEqual(["INSIDE"]);
    },
  );
});

describe("the version of a folder", () => {
  /** As of a folder that nobody has touched for long. */
  const version = async (settledMs = Number.NEGATIVE_INFINITY) => guidesFolder(folder, { settledMs }).version?.();

  test("is the same while nothing is changed, whatever else lies about", async () => {
    put("a.md");
    put("deep/b.md");
    const before = await version();
    put("deep/note.txt");
    expect(await version()).toBe(before);
  });

  test.each<[string, () => void]>([
    ["a file that is new", () => put("c.md")],
    ["one in a new folder", () => put("new/c.md")],
    ["a file that is gone", () => rmSync(join(folder, "a.md"))],
    ["a folder that is gone", () => rmSync(join(folder, "deep"), { recursive: true })],
    ["other bytes", () => put("a.md", "other")],
    [
      "other bytes of the same length, and a time that was put back",
      () => {
        put("a.md", "A.md");
        utimesSync(join(folder, "a.md"), 1, 1);
      },
    ],
    [
      "a file that took its place",
      () => {
        put("x.txt", "A.md");
        renameSync(join(folder, "x.txt"), join(folder, "a.md"));
      },
    ],
    ["another name", () => renameSync(join(folder, "a.md"), join(folder, "c.md"))],
    ["a link that leads out of it", () => link("c.md", "/etc/hostname")],
    ["a folder that is too deep", () => put(`${"d/".repeat(17)}c.md`)],
    ["the folder itself", () => rmSync(folder, { recursive: true })],
  ])("is another one: %s", async (_, change) => {
    put("a.md");
    put("deep/b.md");
    utimesSync(join(folder, "a.md"), 1, 1);
    const before = await version();
    // Longer than the clock of a file system takes from one time to the next: within it, only `settledMs` helps.
    await setTimeout(50);
    change();
    expect(await version()).not.toBe(before);
  });

  test("is another one each time as long as a file has just been written, since its next writing may not show", async () => {
    put("a.md");
    const { version: ask } = guidesFolder(folder, { settledMs: Number.POSITIVE_INFINITY });
    expect(await ask?.()).not.toBe(await ask?.());
  });
});
