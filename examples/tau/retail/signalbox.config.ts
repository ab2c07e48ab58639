import { defineConfig } from "signalbox";
import { TAU_DATA } from "../data.ts";
import { loadDatabase } from "./database.ts";
import { Shop } from "./shop.ts";
import { retailPolicy, retailTools, ZONE } from "./tools.ts";

const { SIGNALBOX_MODEL_URL = "http://127.0.0.1:11434/v1", SIGNALBOX_MODEL = "qwen3:8b" } = process.env;

export default defineConfig({
  model: { baseUrl: SIGNALBOX_MODEL_URL, name: SIGNALBOX_MODEL },
  tools: retailTools,
  policies: retailPolicy,
  services: { shop: new Shop(loadDatabase(TAU_DATA)) },
  principals: { "agent:retail": { tools: retailTools.map((tool) => tool.name) } },
  store: process.env.SIGNALBOX_STORE ?? "./signalbox.db",
  zone: ZONE,
});
