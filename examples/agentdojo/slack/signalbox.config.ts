import { defineConfig } from "signalbox";
import { modelOf } from "../model.ts";
import { reads } from "./reads.ts";
import { Workspace } from "./workspace.ts";
import {
  addUserToChannel,
  inviteUserToSlack,
  postWebpage,
  removeUserFromSlack,
  sendChannelMessage,
  sendDirectMessage,
} from "./writes.ts";

/** An invented workspace of two, so that the example runs by itself. */
const slack = new Workspace({
  slack: {
    users: ["Mira", "Noor"],
    channels: ["lobby", "plans"],
    user_channels: { Mira: ["lobby", "plans"], Noor: ["lobby"] },
    user_inbox: { Mira: [], Noor: [] },
    channel_inbox: {
      lobby: [{ sender: "Noor", recipient: "lobby", body: "See www.example.com for the menu." }],
      plans: [],
    },
  },
  web: { web_content: { "www.example.com": "Soup on all days." }, web_requests: [] },
});

export default defineConfig({
  model: modelOf(),
  tools: [
    ...reads,
    sendDirectMessage,
    sendChannelMessage,
    addUserToChannel,
    inviteUserToSlack,
    removeUserFromSlack,
    postWebpage,
  ],
  services: { slack },
  principals: { "agent:assistant": { tools: "all" } },
  // Who may approve what the rules stage for the owner.
  approvers: { "user:owner": { roles: ["owner"] } },
  store: process.env.SIGNALBOX_STORE ?? "memory",
});
