/** What the invented travel desk and the invented office have in common: a calendar and a mailbox. */
import type { JsonObject } from "../../../src/domain/json.ts";

export const OWNER = "me@desk.example";
export const ADA = "ada.lee@desk.example";

const event = (id_: string, title: string, day: string, hour: string, until: string) => ({
  id_,
  title,
  description: "",
  start_time: `${day} ${hour}`,
  end_time: `${day} ${until}`,
  location: null,
  participants: [OWNER, ADA],
  all_day: false,
  status: "confirmed",
});

const email = (id_: string, sender: string, recipients: readonly string[], subject: string, status: string) => ({
  id_,
  sender,
  recipients: [...recipients],
  cc: [],
  bcc: [],
  subject,
  body: "Good day.",
  status,
  read: true,
  timestamp: "2024-05-01T10:00",
  attachments: [],
});

export const OFFICE: JsonObject = {
  calendar: {
    account_email: OWNER,
    current_day: "2024-05-15",
    initial_events: [
      event("1", "Board Day", "2024-05-23", "09:00", "12:00"),
      event("2", "Team Sync", "2024-05-20", "10:00", "11:00"),
      event("3", "Dentist", "2024-05-21", "10:00", "11:00"),
    ],
  },
  inbox: {
    account_email: OWNER,
    initial_emails: [
      email("1", OWNER, [ADA], "Lunch plans", "sent"),
      email("2", "offers@shop.example", [OWNER], "Half price today", "received"),
      email("3", "cy@club.example", [OWNER], "Club night", "received"),
    ],
  },
};

export const mailed = (to: string, subject: string, body: string) => ({ recipients: [to], subject, body });
