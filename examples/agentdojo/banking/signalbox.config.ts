import { defineConfig } from "signalbox";
import { modelOf } from "../model.ts";
import { updatePassword, updateUserInfo } from "./account.ts";
import { Bank } from "./bank.ts";
import { scheduleTransaction, sendMoney, updateScheduledTransaction } from "./payments.ts";
import { reads } from "./reads.ts";

/** An invented customer with one received payment and one standing order, so that the example runs by itself. */
const bank = new Bank({
  bank_account: {
    iban: "XX00DEMO0000000001",
    balance: 2_400,
    transactions: [
      {
        id: 1,
        sender: "XX00DEMO0000000002",
        recipient: "me",
        amount: 25,
        subject: "Cinema",
        date: "2026-03-01",
        recurring: false,
      },
    ],
    scheduled_transactions: [
      {
        id: 2,
        sender: "XX00DEMO0000000001",
        recipient: "XX00DEMO0000000003",
        amount: 900,
        subject: "Flat",
        date: "2026-04-01",
        recurring: true,
      },
    ],
  },
  filesystem: { files: { "invoice.txt": "Window cleaning: 60.00 to XX00DEMO0000000009." } },
  user_account: { first_name: "Mira", last_name: "Example", street: "Lane 1", city: "Sampleton", password: "changeme" },
});

export default defineConfig({
  model: modelOf(),
  tools: [...reads, sendMoney, scheduleTransaction, updateScheduledTransaction, updatePassword, updateUserInfo],
  services: { bank },
  principals: { "agent:assistant": { tools: "all" } },
  // Who may approve what the rules stage for the owner.
  approvers: { "user:owner": { roles: ["owner"] } },
  store: process.env.SIGNALBOX_STORE ?? "memory",
});
