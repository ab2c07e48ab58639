import * as memory from "../../src/adapters/store-memory/index.ts";
import * as sqlite from "../../src/adapters/store-sqlite/index.ts";
import * as door from "../../src/index.ts";
import * as rails from "../../src/rails/index.ts";
import * as gate from "../../src/runtime/call-tool.ts";
import * as testing from "../../src/testing/index.ts";
import type { House } from "./house.ts";

/** The house itself, without a fault. */
export const REAL_HOUSE: House = { door, sqlite, memory, testing, rails, gate };
