import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { quoted } from "../../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { uniqueIds } from "../../domain/unique-ids.ts";
import type { WebLimits } from "../../domain/web-limits.ts";
import { controlsOfPage, type SeenControl } from "./controls-of-page.ts";
import { lookAtPage } from "./look-at-page.ts";
import { NOT_PAST_IT } from "./open-browser.ts";
import type { PageLook } from "./page-node.ts";
import type { PageNotes } from "./page-notes.ts";

/** A page at rest: its controls, each with an id of its own. */
export type SeenScreen = {
  readonly look: PageLook;
  readonly controls: readonly SeenControl[];
};

export type PageRules = {
  readonly origins: ReadonlySet<string>;
  readonly leaveOut: ReadonlySet<string>;
  readonly limits: WebLimits;
  readonly notes: PageNotes;
};

/** A request that is open for so long is one that is meant to stay open. */
const LONG_REQUEST_MS = 1_000;
/** For how long word of a window or a file may be late, and how often it is listened for. */
const LATE_MS = 1_000;
const LISTEN_MS = 20;

/**
 * One tab in a context of its own, so that nothing is left over from another. Dialogs are dismissed, popups closed, downloads
 * refused, each with a note: none of them may keep a harvest waiting.
 */
export class WebPage {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly #context: BrowserContext;
  readonly #rules: PageRules;
  readonly #open = new Map<Request, number>();
  /** Fields for passwords that were seen in this tab, whatever the page makes of them later. */
  readonly #passwords = new Set<number>();
  /** An origin that the page itself went to, and may not. */
  #leftTo: string | null = null;
  /** What a server answered instead of a page. */
  #failed: string | null = null;

  private constructor(context: BrowserContext, page: Page, cdp: CDPSession, rules: PageRules) {
    this.#context = context;
    this.page = page;
    this.cdp = cdp;
    this.#rules = rules;
    this.#listen();
  }

  static async open(browser: Browser, gate: string, rules: PageRules): Promise<WebPage> {
    const context = await browser.newContext({
      acceptDownloads: false,
      serviceWorkers: "block",
      locale: "en-US",
      proxy: { server: gate, bypass: NOT_PAST_IT },
    });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    return new WebPage(context, page, cdp, rules);
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Goes to an address and says whether an interface is there. */
  async goTo(url: string): Promise<Parsed<null>> {
    const { screenMs } = this.#rules.limits;
    try {
      await this.page.goto(url, { waitUntil: "domcontentloaded", timeout: screenMs });
      return this.#wrong() ?? parsed(null);
    } catch (error) {
      const wrong = this.#wrong();
      if (wrong !== null) return wrong;
      const said = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
      if (/Timeout/i.test(said)) return unparsed("timed_out", `${shortened(url)} has not loaded after ${screenMs} ms`);
      return unparsed(
        "page_failed",
        `${shortened(url)} does not load: ${said.replace(/^page\.goto: /, "").slice(0, 160)}`,
      );
    }
  }

  /** Looks until two looks agree and nothing is loading, or until the screen's time is over. */
  async atRest(arrived: (screen: SeenScreen) => boolean = () => true): Promise<Parsed<SeenScreen>> {
    const { screenMs, restMs } = this.#rules.limits;
    const until = performance.now() + screenMs;
    let before = "";
    for (;;) {
      const seen = await this.#seen();
      const wrong = this.#wrong();
      if (wrong !== null) return wrong;
      if (seen !== null && !seen.ok) return seen;
      const now = seen === null ? "" : told(seen.value);
      const isUp = seen !== null && arrived(seen.value);
      if (seen !== null && isUp && now === before && !this.#loads()) return seen;
      if (performance.now() > until) {
        if (seen === null)
          return unparsed("page_failed", "the page goes from one document to the next and never stays");
        if (!isUp) return unparsed("screen_not_reached", "");
        this.#rules.notes.add("page_not_quiet", `it was still changing after ${screenMs} ms`);
        return seen;
      }
      before = now;
      await sleep(restMs);
    }
  }

  /** One look; null while the page is between two documents. */
  async #seen(): Promise<Parsed<SeenScreen> | null> {
    const { limits, leaveOut, notes } = this.#rules;
    let look: Parsed<PageLook>;
    try {
      look = await lookAtPage(this.cdp, (url) => this.#mayLook(url), limits);
    } catch (error) {
      if (this.page.isClosed() || !isBetween(error)) throw error;
      return null;
    }
    if (!look.ok) return look;
    const { controls, leftOut } = controlsOfPage(look.value, leaveOut, limits.controlsMax, this.#passwords);
    if (controls.length > limits.controlsMax) {
      return unparsed("too_many_controls", `more than ${limits.controlsMax} controls`);
    }
    for (const name of leftOut) notes.leftOut.add(name);
    for (const url of look.value.framesLeftOut) notes.add("frame_left_out", frameWords(url));
    return parsed({ look: look.value, controls: uniqueIds(controls).items });
  }

  /** Waits for word of a window or a file: the browser tells of them after the step that opened them is long done. */
  async hear(): Promise<void> {
    const { notes } = this.#rules;
    const until = performance.now() + LATE_MS;
    while (!notes.has("popup_closed") && !notes.has("download_refused") && performance.now() < until)
      await sleep(LISTEN_MS);
  }

  #mayLook(url: string): boolean {
    return url === "about:blank" || url === "about:srcdoc" || this.#rules.origins.has(originOf(url));
  }

  #loads(): boolean {
    const now = performance.now();
    return [...this.#open.values()].some((since) => now - since < LONG_REQUEST_MS);
  }

  /** Why this is no page to look at: it is elsewhere, or what the server says of a page that there is none. */
  #wrong(): ReturnType<typeof unparsed> | null {
    if (this.#leftTo !== null) {
      return unparsed("left_origin", `the page leads to ${shortened(this.#leftTo)}, which is not allowed`);
    }
    return this.#failed === null ? null : unparsed("page_failed", this.#failed);
  }

  #listen(): void {
    const { notes, origins } = this.#rules;
    const swallow = (promise: Promise<unknown>): void => {
      // A page that is gone needs no answer.
      promise.catch(() => {});
    };
    this.page.on("dialog", (dialog) => {
      notes.add("dialog_dismissed", `${dialog.type()} ${quoted(dialog.message())}`);
      swallow(dialog.dismiss());
    });
    this.page.on("download", (download) => {
      notes.add("download_refused", "the page offered a file");
      swallow(download.cancel());
    });
    this.#context.on("page", (popup) => {
      if (popup === this.page) return;
      notes.add("popup_closed", "the page opened a window");
      swallow(popup.close());
    });
    this.page.on("request", (request) => {
      this.#open.set(request, performance.now());
      const origin = originOf(request.url());
      if (origin === "null" || origins.has(origin)) return;
      const isPage = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
      if (isPage) this.#leftTo ??= origin;
      else notes.add("origin_blocked", origin);
    });
    this.page.on("response", (response) => {
      const request = response.request();
      if (!request.isNavigationRequest() || request.frame() !== this.page.mainFrame()) return;
      const status = response.status();
      this.#failed = status < 400 ? null : `${shortened(response.url())} answers ${status}`;
    });
    const closed = (request: Request): void => {
      this.#open.delete(request);
    };
    this.page.on("requestfinished", closed);
    this.page.on("requestfailed", closed);
  }
}

/** What a screen says, without the browser's numbers, which change. */
function told({ look, controls }: SeenScreen): string {
  return JSON.stringify([look.url, look.title, controls.map(({ backendId: _backendId, ...control }) => control)]);
}

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "null";
}

function shortened(url: string): string {
  return url.length > 120 ? `${url.slice(0, 120)}…` : url;
}

function frameWords(url: string): string {
  return /^https?:/.test(url) ? `a frame of ${originOf(url)}` : "a frame whose page did not load";
}

/** What the browser answers while the page goes from one document to the next. */
function isBetween(error: unknown): boolean {
  return error instanceof Error && /Frame|frame|node|context|target|navigat|document/i.test(error.message);
}
