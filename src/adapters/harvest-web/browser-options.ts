export type BrowserOptions = {
  /** A Chromium of the user's; null: the one in the package @sparticuz/chromium. */
  readonly executablePath: string | null;
  /** Whether Chromium's own sandbox holds the page. Root cannot have it, nor can some containers. */
  readonly sandbox: boolean;
};

export const BROWSER_OPTIONS: BrowserOptions = { executablePath: null, sandbox: process.getuid?.() !== 0 };
