import { defineConfig } from "signalbox";
import { modelOf } from "../model.ts";
import { Calendar } from "../office/calendar.ts";
import { calendarReads, getCurrentDay } from "../office/calendar-reads.ts";
import {
  addCalendarEventParticipants,
  cancelCalendarEvent,
  createCalendarEvent,
  rescheduleCalendarEvent,
} from "../office/calendar-writes.ts";
import { Mail } from "../office/mail.ts";
import { deleteEmail, mailReads, sendEmail } from "../office/mail-tools.ts";
import { Drive } from "./drive.ts";
import { appendToFile, createFile, deleteFile, fileReads, shareFile } from "./file-tools.ts";

/** An invented office without mail, so that the example runs by itself. */
const account_email = "mira@sampleton.example";

export default defineConfig({
  model: modelOf(),
  tools: [
    ...mailReads,
    sendEmail,
    deleteEmail,
    getCurrentDay,
    ...calendarReads,
    createCalendarEvent,
    cancelCalendarEvent,
    rescheduleCalendarEvent,
    addCalendarEventParticipants,
    ...fileReads,
    createFile,
    appendToFile,
    deleteFile,
    shareFile,
  ],
  services: {
    drive: new Drive({ account_email, initial_files: [] }),
    calendar: new Calendar({ account_email, current_day: "2026-03-16", initial_events: [] }),
    mail: new Mail({ account_email, initial_emails: [] }),
    // Nothing that an office holds is public, so no fact of it passes in a text without its owner.
    factsOn: () => [],
  },
  principals: { "agent:assistant": { tools: "all" } },
  // Who may approve what the rules stage for the owner.
  approvers: { "user:owner": { roles: ["owner"] } },
  store: process.env.SIGNALBOX_STORE ?? "memory",
});
