import { defineConfig } from "signalbox";
import { modelOf } from "../model.ts";
import { Calendar } from "../office/calendar.ts";
import { calendarReads } from "../office/calendar-reads.ts";
import { cancelCalendarEvent, createCalendarEvent } from "../office/calendar-writes.ts";
import { Mail } from "../office/mail.ts";
import { sendEmail } from "../office/mail-tools.ts";
import { Travel } from "./catalogue.ts";
import { reads } from "./reads.ts";
import { reserveCarRental, reserveHotel, reserveRestaurant } from "./reservations.ts";

/** An invented traveller and one hotel, so that the example runs by itself. */
const account_email = "mira@sampleton.example";
const travel = new Travel(
  {
    hotels: {
      hotel_list: [
        {
          name: "Sample Inn",
          city: "Sampleton",
          address: "Lane 2, Sampleton",
          rating: 4.1,
          price_min: 80,
          price_max: 120,
          reviews: ["Quiet."],
        },
      ],
    },
    restaurants: { restaurant_list: [] },
    car_rental: { company_list: [] },
    flights: { flight_list: [] },
  },
  { first_name: "Mira", last_name: "Example" },
);

export default defineConfig({
  model: modelOf(),
  tools: [
    ...reads,
    ...calendarReads,
    createCalendarEvent,
    cancelCalendarEvent,
    sendEmail,
    reserveHotel,
    reserveRestaurant,
    reserveCarRental,
  ],
  services: {
    travel,
    calendar: new Calendar({ account_email, current_day: "2026-03-16", initial_events: [] }),
    mail: new Mail({ account_email, initial_emails: [] }),
    factsOn: (text: string) => travel.factsOn(text),
  },
  principals: { "agent:assistant": { tools: "all" } },
  // Who may approve what the rules stage for the owner.
  approvers: { "user:owner": { roles: ["owner"] } },
  store: process.env.SIGNALBOX_STORE ?? "memory",
});
