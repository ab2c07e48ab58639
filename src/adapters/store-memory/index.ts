export { openMemoryStore } from "./store.ts";
