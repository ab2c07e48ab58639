export { nodeSignatures } from "./signatures.ts";
