import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createSignalbox } from "signalbox";
import { judge, scriptedModel } from "signalbox/testing";
import { describe, expect, test } from "vitest";
import { type Order, Orders, ordersAsOf } from "./desk/orders.ts";
import { Payments } from "./desk/payments.ts";
import * as policy from "./desk/policy.ts";
import config from "./signalbox.config.ts";
import { decline } from "./tools/decline.ts";
import { escalate } from "./tools/escalate.ts";
import { lookupOrder } from "./tools/lookup-order.ts";
import { refund } from "./tools/refund.ts";
import { replacement } from "./tools/replacement.ts";

const TODAY = "2026-03-16";
const NOW = Date.parse(`${TODAY}T14:00:00Z`);
