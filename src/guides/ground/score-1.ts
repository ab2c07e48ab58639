/**
 * Every number of the published contract `score/1`, in the order in which docs/score-1.md explains them. A change of one, of a
 * word in words.ts or of the way they are used is another version: a score says nothing about a score of another version.
 */
export const SCORE_1 = {
  version: "score/1",

  // What a word weighs, by its class, before how rare it is in the map.
  content: 1,
  action: 0.7,
  verb: 0.4,
  noun: 0.15,
  stop: 0.1,
  symbol: 0.3,
  /** Of a light word of a description that the name does not have. In a naming it weighs nothing. */
  unsaid: 0.2,
  /** Of a quotation that the name does not have, where it is no name. */
  unsaidQuote: 0.2,

  // How well a word of the intent is one of the name: 1 where it is the same.
  inflected: 0.95,
  typo: 0.85,
  synonym: 0.75,
  typoLettersMin: 6,
  missLettersMin: 5,
  swapLettersMin: 5,
  verbLettersMin: 4,
  typoLettersMax: 32,

  // How the two shares become one number.
  betaNaming: 1,
  betaDescribing: 0.5,
  /** One of the two shares is at least this, or it is half said: part of a name in part of the words. */
  coveredMin: 0.8,
  /** Of the words of a naming, or it is half said: what has not half of them is called otherwise. */
  namingShareMin: 0.45,
  /** Of the words, where the name has only light ones, or it is half said: else "Open" would be every opening. */
  lightShareMin: 0.5,
  /** Of a quotation, for it to be matched at all. */
  quoteShareMin: 0.75,

  // Factors. What is half said is near, and is never bound.
  halfSaid: 0.5,
  value: 0.9,
  part: 0.7,
  childText: 0.95,
  resourceId: 0.6,
  notClickable: 0.78,
  notClickableText: 0.6,
  text: 0.93,
  otherRole: 0.85,
  missedAction: 0.85,
  /** Below `bind`: a control is never bound that does what was not said, or not what was. */
  missedEffect: 0.5,
  unsaidEffect: 0.5,
  opposite: 0.4,
  otherNumber: 0.6,
  missedOrdinal: 0.5,

  // What is made of the scores.
  bind: 0.52,
  lead: 0.05,
  near: 0.15,
  nearest: 3,
  places: 4,

  // Limits.
  verbPlacesMax: 3,
  designationPlacesMax: 6,
  placeWordsMax: 5,
  intentTokensMax: 256,
  nameTokensMax: 128,
} as const;
