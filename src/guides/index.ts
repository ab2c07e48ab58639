/** What the model is told. Pure. */
export { joinMaps } from "./harvest/join-maps.ts";
export { readControlLines } from "./harvest/read-jsonl.ts";
export { type ReadMarkupText, readText, TEXT_KINDS, type TextKind } from "./harvest/read-text.ts";
export { READING_FINDINGS, type Reading } from "./harvest/reading.ts";
