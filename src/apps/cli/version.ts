export { VERSION } from "../../adapters/world-node/index.ts";
