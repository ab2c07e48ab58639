import type { Browser } from "playwright-core";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import type { BrowserOptions } from "./browser-options.ts";
import { unpackBrowser } from "./unpack-browser.ts";

const START_MS = 30_000;

/** Without this Chromium goes past a proxy to loopback. */
export const NOT_PAST_IT = "<-loopback>";

/** It talks to nobody but the page's origin, also not to its maker, and not around the proxy. */
const ARGS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--dns-prefetch-disable",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--no-pings",
];

/** A port that nobody listens on: what belongs to no page has no way out at all. */
const NOWHERE = "http://127.0.0.1:9";

/** Starts a browser. Each tab is given its own way out. Both packages are the user's to install, so they are loaded here. */
export async function openBrowser(options: BrowserOptions): Promise<Parsed<Browser>> {
  const playwright = await import("playwright-core").catch(() => null);
  if (playwright === null) {
    return unparsed("no_browser", "the package playwright-core is not installed: npm install playwright-core");
  }
  const path = options.executablePath === null ? await unpackBrowser() : parsed(options.executablePath);
  if (!path.ok) {
    return unparsed("no_browser", `${path.why.detail}: install it, or say where a Chromium is (executablePath)`);
  }
  try {
    const browser = await playwright.chromium.launch({
      executablePath: path.value,
      headless: true,
      chromiumSandbox: options.sandbox,
      args: ARGS,
      proxy: { server: NOWHERE, bypass: NOT_PAST_IT },
      timeout: START_MS,
    });
    return parsed(browser);
  } catch (error) {
    const [said = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
    const hint = options.sandbox ? "; where the system has no sandbox for it, say sandbox: false" : "";
    return unparsed("no_browser", `the browser does not start: ${said.slice(0, 200)}${hint}`);
  }
}
