/**
 * A Canary: the words with which a model's server is tried out. They are written once, so that a server for tests knows our
 * canaries by their exact texts, and takes no short request of a user's for one.
 */
export const CANARY = {
  /** The native tool that is offered. */
  tool: "canary",
  system: "You answer in one word.",
  /** Asks for one word while the schema allows only another thing. */
  word: "Reply with the single word pong and nothing else.",
  call: "Call the tool canary with the word pong. Do not write anything else.",
} as const;
