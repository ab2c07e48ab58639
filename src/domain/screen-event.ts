import { type ControlMap, screenText } from "./control-map.ts";
import type { GuideEvent } from "./guide-event.ts";

/** What the event is called by which a tool says that a screen is up. */
export const SCREEN_EVENT = "screen";

/** A screen of a map, with the digest that names what is on it. @param hash SHA-256 in lower-case hex. */
export function screenFacts(
  map: ControlMap,
  screen: string,
  hash: (text: string) => string,
): { readonly screen: string; readonly digest: string } {
  return { screen, digest: hash(screenText(map, screen)) };
}

/** The event that this screen is up, as the map has it. Throws a RangeError where the map has no such screen. */
export function screenEventOf(map: ControlMap, screen: string, hash: (text: string) => string): GuideEvent {
  if (!map.screens.some(({ id }) => id === screen)) throw new RangeError(`the map has no screen ${screen}`);
  return { name: SCREEN_EVENT, facts: screenFacts(map, screen, hash) };
}
