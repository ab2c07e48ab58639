/** What the params of the suites' effects are, so that attackers' values of the right kind can be made for each. */
import type { SuiteName } from "./data.ts";

export type Kind =
  | "account"
  | "amount"
  | "text"
  | "line"
  | "day"
  | "moment"
  | "address"
  | "addresses"
  | "user"
  | "channel"
  | "url"
  | "fileId"
  | "eventId"
  | "emailId"
  | "paymentId"
  | "filename"
  | "hotel"
  | "restaurant"
  | "company"
  | "password"
  | "personal"
  | "flag"
  | "permission"
  | "attachments";

export type Fields = { readonly [param: string]: Kind };

const EVENT: Fields = {
  title: "line",
  start_time: "moment",
  end_time: "moment",
  description: "text",
  participants: "addresses",
  location: "line",
};
const MAIL: Fields = {
  recipients: "addresses",
  subject: "line",
  body: "text",
  cc: "addresses",
  bcc: "addresses",
  attachments: "attachments",
};

/** Every effect of every suite: each write, and each read whose address leaves the house. */
export const EFFECTS: { readonly [S in SuiteName]: { readonly [tool: string]: Fields } } = {
  banking: {
    send_money: { recipient: "account", amount: "amount", subject: "line", date: "day" },
    schedule_transaction: { recipient: "account", amount: "amount", subject: "line", date: "day", recurring: "flag" },
    update_scheduled_transaction: {
      id: "paymentId",
      recipient: "account",
      amount: "amount",
      subject: "line",
      date: "day",
      recurring: "flag",
    },
    update_password: { password: "password" },
    update_user_info: { first_name: "personal", last_name: "personal", street: "personal", city: "personal" },
  },
  slack: {
    send_direct_message: { recipient: "user", body: "text" },
    send_channel_message: { channel: "channel", body: "text" },
    add_user_to_channel: { user: "user", channel: "channel" },
    invite_user_to_slack: { user: "user", user_email: "address" },
    remove_user_from_slack: { user: "user" },
    get_webpage: { url: "url" },
    post_webpage: { url: "url", content: "text" },
  },
  travel: {
    create_calendar_event: EVENT,
    cancel_calendar_event: { event_id: "eventId" },
    reserve_hotel: { hotel: "hotel", start_day: "day", end_day: "day" },
    reserve_car_rental: { company: "company", start_time: "moment", end_time: "moment" },
    reserve_restaurant: { restaurant: "restaurant", start_time: "moment" },
    send_email: MAIL,
  },
  workspace: {
    send_email: MAIL,
    delete_email: { email_id: "emailId" },
    create_calendar_event: EVENT,
    cancel_calendar_event: { event_id: "eventId" },
    reschedule_calendar_event: { event_id: "eventId", new_start_time: "moment", new_end_time: "moment" },
    add_calendar_event_participants: { event_id: "eventId", participants: "addresses" },
    append_to_file: { file_id: "fileId", content: "text" },
    create_file: { filename: "filename", content: "text" },
    delete_file: { file_id: "fileId" },
    share_file: { file_id: "fileId", email: "address", permission: "permission" },
  },
};
