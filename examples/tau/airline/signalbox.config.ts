import { defineConfig } from "signalbox";
import { clockFrom } from "../clock.ts";
import { TAU_DATA } from "../data.ts";
import { loadDatabase, NOW } from "./database.ts";
import { instantOf } from "./facts.ts";
import { airlinePolicy, airlineTools, ZONE } from "./tools.ts";
import { World } from "./world.ts";

const { SIGNALBOX_MODEL_URL = "http://127.0.0.1:11434/v1", SIGNALBOX_MODEL = "qwen3:8b" } = process.env;

export default defineConfig({
  model: { baseUrl: SIGNALBOX_MODEL_URL, name: SIGNALBOX_MODEL },
  tools: airlineTools,
  policies: airlinePolicy,
  services: { world: new World(loadDatabase(TAU_DATA), NOW) },
  principals: { "agent:airline": { tools: airlineTools.map((tool) => tool.name) } },
  store: process.env.SIGNALBOX_STORE ?? "./signalbox.db",
  clock: clockFrom(instantOf(NOW)),
  zone: ZONE,
});
