import type { Config } from "signalbox";
import { scriptedModel } from "signalbox/testing";

/** The model that the environment names, such as a local Ollama; without one, a scripted model that only says so. */
export function modelOf(): Config["model"] {
  const { SIGNALBOX_MODEL_URL, SIGNALBOX_MODEL = "qwen3:8b" } = process.env;
  if (SIGNALBOX_MODEL_URL !== undefined) return { baseUrl: SIGNALBOX_MODEL_URL, name: SIGNALBOX_MODEL };
  const text = "There is no model here. Set SIGNALBOX_MODEL_URL and SIGNALBOX_MODEL.";
  return scriptedModel({ name: "scripted", replies: [{ kind: "conversation", text }] });
}
