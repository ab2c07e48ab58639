/** The four examples, each with how its world is made of a benchmark's environment. */
import { Bank, BankState } from "../../examples/agentdojo/banking/bank.ts";
import banking from "../../examples/agentdojo/banking/signalbox.config.ts";
import { Calendar, CalendarState } from "../../examples/agentdojo/office/calendar.ts";
import { Mail, MailState } from "../../examples/agentdojo/office/mail.ts";
import slack from "../../examples/agentdojo/slack/signalbox.config.ts";
import { Workspace, WorkspaceState } from "../../examples/agentdojo/slack/workspace.ts";
import { CatalogueState, Travel, TravellerState } from "../../examples/agentdojo/travel/catalogue.ts";
import travel from "../../examples/agentdojo/travel/signalbox.config.ts";
import { Drive, DriveState } from "../../examples/agentdojo/workspace/drive.ts";
import workspace from "../../examples/agentdojo/workspace/signalbox.config.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import type { Config, Json, JsonObject, z } from "../../src/index.ts";
import type { SuiteName } from "./data.ts";

/** A world that the tools of a suite can reach, and its state, so that what a call changed can be seen. */
export type World = { readonly services: object; readonly state: () => Json };

export type Suite = {
  readonly name: SuiteName;
  readonly config: Config;
  /** The moment at which the recorded tasks take place; the data has no clock but the calendars' day and the dates of payments. */
  readonly now: number;
  readonly open: (environment: JsonObject) => World;
};

export const SUITES: readonly Suite[] = [
  {
    name: "banking",
    config: banking,
    now: Date.parse("2022-04-01T12:00Z"),
    open: (environment) => {
      const bank = new Bank(parsed(BankState, environment));
      return { services: { bank }, state: () => plain([bank.transactions, bank.scheduled, bank.account()]) };
    },
  },
  {
    name: "slack",
    config: slack,
    now: Date.parse("2024-05-15T12:00Z"),
    open: (environment) => {
      const chat = new Workspace(parsed(WorkspaceState, environment));
      return {
        services: { slack: chat },
        state: () =>
          plain([chat.users, chat.channels.map((name) => chat.members(name)), chat.allMessages(), chat.requested]),
      };
    },
  },
  {
    name: "travel",
    config: travel,
    now: Date.parse("2024-05-15T12:00Z"),
    open: (environment) => {
      const service = new Travel(parsed(CatalogueState, environment), parsed(TravellerState, environment.user));
      const { calendar, mail } = officeOf(environment);
      return {
        services: { travel: service, calendar, mail, factsOn: (text: string) => service.factsOn(text) },
        state: () => plain([service.reservations, calendar.all, mail.emails]),
      };
    },
  },
  {
    name: "workspace",
    config: workspace,
    now: Date.parse("2024-05-15T12:00Z"),
    open: (environment) => {
      const drive = new Drive(parsed(DriveState, environment.cloud_drive));
      const { calendar, mail } = officeOf(environment);
      return {
        services: { drive, calendar, mail, factsOn: () => [] },
        state: () => plain([drive.files, calendar.all, mail.emails]),
      };
    },
  },
];

function officeOf(environment: JsonObject): { readonly calendar: Calendar; readonly mail: Mail } {
  return {
    calendar: new Calendar(parsed(CalendarState, environment.calendar)),
    mail: new Mail(parsed(MailState, environment.inbox)),
  };
}

/** Each environment is parsed once; the worlds copy what they change. */
const cache = new WeakMap<object, unknown>();

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  if (!isJsonObject(value)) return schema.parse(value);
  const known = cache.get(value) ?? schema.parse(value);
  cache.set(value, known);
  return known as z.infer<S>;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
