import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Built, buildIn } from "../import/build.ts";
import { IMPORTED_PEERS, installedBytes, PEERS_FOLDER } from "../import/peers.ts";
import { importMillis } from "../import/startup.ts";
import { INSTALL_PEERS, peersInstalled, versionOf } from "../loop/variants.ts";
import type { Figure, FigureResult } from "./figure.ts";
import { machineLines } from "./machine.ts";

const IMPORT_MS_MAX = 100;
const INSTALL_BYTES_MAX = 20_000_000;

type Line = { readonly title: string; readonly millis: number; readonly bytes: number | null };

export const importFigure: Figure = {
  name: "import",
  takes: "half a minute; the peers of bench/peers are optional",
  title: "time to import the library and size of a production install, beside peers measured in the same run",
  goal: "importing takes under 100 ms (median of 15 fresh processes, less the start of Node itself); a production install is under 20 MB",
  async run() {
    const place = mkdtempSync(join(tmpdir(), "signalbox-import-"));
    try {
      return measured(buildIn(place));
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
};

function measured({ entry, tarballBytes, installed }: Built): FigureResult {
  const machine = machineLines();
  const peers = peersInstalled() ? IMPORTED_PEERS : [];
  const { bare, each } = importMillis([
    { specifier: pathToFileURL(entry).href, folder: dirname(entry) },
    ...peers.map(({ specifier }) => ({ specifier, folder: PEERS_FOLDER })),
  ]);
  const [ours = Number.NaN, ...theirs] = each;
  const lines: readonly Line[] = [
    { title: "Signalbox", millis: ours, bytes: installed.ok ? installed.bytes : null },
    ...peers.map((peer, i) => ({
      title: `${peer.title} (${versionOf(peer.packages[0])})`,
      millis: theirs[i] ?? Number.NaN,
      bytes: installedBytes(peer),
    })),
  ];
  const quick = ours < IMPORT_MS_MAX;
  const small = installed.ok && installed.bytes < INSTALL_BYTES_MAX;
  const width = Math.max(...lines.map(({ title }) => title.length));
  return {
    holds: quick && small,
    lines: [
      ...machine,
      `Node alone starts in ${bare.toFixed(1)} ms; the packed file has ${megabytes(tarballBytes)}`,
      ...(peers.length > 0 ? [] : [`the peers are not installed; to see them run: ${INSTALL_PEERS}`]),
      "",
      `${"".padEnd(width)}  import ms    install`,
      ...lines.map(
        ({ title, millis, bytes }) =>
          `${title.padEnd(width)}  ${millis.toFixed(1).padStart(9)}  ${(bytes === null ? "unknown" : megabytes(bytes)).padStart(9)}`,
      ),
      "",
      `${quick ? "holds" : "DOES NOT HOLD"}  import under ${IMPORT_MS_MAX} ms: ${ours.toFixed(1)}`,
      installed.ok
        ? `${small ? "holds" : "DOES NOT HOLD"}  install under 20 MB: ${megabytes(installed.bytes)}`
        : `cannot be judged  install under 20 MB: npm could not install (${installed.why})`,
    ],
    json: { machine: [...machine], nodeStartMillis: bare, tarballBytes, lines: [...lines] },
  };
}

const megabytes = (count: number): string => `${(count / 1e6).toFixed(2)} MB`;
