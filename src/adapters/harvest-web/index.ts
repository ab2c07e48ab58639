/** Live web pages. It needs the packages playwright-core and, unless a browser is given, @sparticuz/chromium. */
export type { BrowserOptions } from "./browser-options.ts";
export {
  type WebHarvesterOptions,
  type WebHarvesters,
  type WebOptions,
  webHarvest,
  webHarvester,
  webHarvesters,
} from "./web-harvester.ts";
