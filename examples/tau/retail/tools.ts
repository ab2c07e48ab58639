/** The shop's sixteen tools (tau2-bench, domain retail). Each placement and each cap is given with its reason. */
import { type PolicyRule, type Tool, withServices } from "signalbox";
import { calculateTool } from "../calculate.ts";
import { codesOf, rulesOf } from "../rule.ts";
import { transferTool } from "../transfer.ts";
import { orderTotal, returnTotal, swapRefund } from "./amounts.ts";
import type { Order } from "./database.ts";
import { type OrderFacts, orderFacts, profileFacts, swapFacts } from "./facts.ts";
import {
  cancelParams,
  emailParams,
  itemParams,
  modifyAddressParams,
  modifyPaymentParams,
  nameZipParams,
  noParams,
  orderParams,
  productParams,
  returnParams,
  swapParams,
  userAddressParams,
  userParams,
} from "./params.ts";
import { exchangeRules, returnRules } from "./policy-delivered.ts";
import { cancelRules, modifyAddressRules, modifyItemsRules, modifyPaymentRules } from "./policy-pending.ts";
import { ownLookUps, ownReads, userAddressRules } from "./policy-profile.ts";
import type { Shop } from "./shop.ts";

export type RetailServices = { readonly shop: Shop };
const { defineTool } = withServices<RetailServices>();

/** Where a calendar day of the caps begins and ends: the data's times are EST. */
export const ZONE = "America/New_York";
const day = { calendar: "day", zone: ZONE } as const;

type About = { readonly customer: string | null };
const byCustomer = (_params: unknown, _record: unknown, context: About): string => context.customer ?? "nobody";

// Writes cite what they rest on: the record knows which of the cited ids exist and whose they are.
const cited = { min: 1, from: (record: Pick<OrderFacts, "evidence">) => record.evidence };

// The dearest order of the data is 9,715.41. Two such orders and more can go back to one customer in a day; beyond that a
// person looks. The desk as a whole stops where many conversations have the same fault.
const CUSTOMER_REFUNDS_CENTS = 2_500_000;
const DESK_REFUNDS_CENTS = 25_000_000;
// No customer of the data has more than nine orders, and an honest errand changes some of them once or twice.
const CHANGES = 20;

/** All writes to orders are counted together: twenty changes in a day are as many by whichever tools. */
const changes = { name: "order_changes_a_day", key: byCustomer, limit: CHANGES, window: day };

/** What goes back to customers is counted together, by whichever tool it goes back; the record says how much it is. */
function refunds<P, R>(amount: (params: P, record: R) => number) {
  return [
    { name: "refund_cents_a_customers_day", key: byCustomer, amount, limit: CUSTOMER_REFUNDS_CENTS, window: day },
    { name: "refund_cents_a_day", amount, limit: DESK_REFUNDS_CENTS, window: day },
  ] as const;
}

/**
 * After a crash in the middle: whether an order is in the state that the write leads to, in which it was not when the write
 * was authorised. Null: it did not happen.
 */
function ifDone({ shop }: RetailServices, id: string, done: (order: Order) => boolean): Order | null {
  const order = shop.order(id);
  return order !== undefined && done(order) ? order : null;
}

const writes: readonly Tool[] = [
  defineTool({
    name: "cancel_pending_order",
    description: "Cancel a pending order and refund it. Cite the order's id, which begins with #W.",
    // Irreversible: the money goes back, and no tool revives a cancelled order.
    placement: "irreversible",
    effect: "once",
    params: cancelParams,
    denials: codesOf(cancelRules),
    record: (params, { shop }, about) => orderFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [changes, ...refunds((_params, record: OrderFacts) => orderTotal(record))],
    probe: ({ order_id }, services) => ifDone(services, order_id, (order) => order.status === "cancelled"),
    execute: ({ params }, { shop }) => shop.cancel(params),
    summarise: (order) => `cancelled ${order.order_id}`,
  }),
  defineTool({
    name: "modify_pending_order_items",
    description:
      "Change items of a pending order to other options of the same products. Once for an order: name all of them. Cite its id.",
    // Irreversible: it charges or refunds the difference, and afterwards the order can be neither changed nor cancelled.
    placement: "irreversible",
    effect: "once",
    params: swapParams,
    denials: codesOf(modifyItemsRules),
    record: (params, { shop }, about) => swapFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [changes, ...refunds(swapRefund)],
    probe: ({ order_id }, services) =>
      ifDone(services, order_id, (order) => order.status === "pending (item modified)"),
    execute: ({ params }, { shop }) => shop.modifyItems(params),
    summarise: (order) => `changed items of ${order.order_id}`,
  }),
  defineTool({
    name: "modify_pending_order_payment",
    description: "Let another payment method of the customer pay for a pending order. Once for an order. Cite its id.",
    // Irreversible: it charges one method and refunds the other.
    placement: "irreversible",
    effect: "once",
    params: modifyPaymentParams,
    denials: codesOf(modifyPaymentRules),
    record: (params, { shop }, about) => orderFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    // What was paid goes back to the old method, so it counts among the refunds although the shop is paid again.
    caps: [changes, ...refunds((_params, record: OrderFacts) => orderTotal(record))],
    probe: ({ order_id }, services) => ifDone(services, order_id, (order) => order.payment_history.length > 1),
    execute: ({ params }, { shop }) => shop.modifyPayment(params),
    summarise: (order) => `changed the payment method of ${order.order_id}`,
  }),
  defineTool({
    name: "modify_pending_order_address",
    description: "Change where a pending order is sent. Cite its id.",
    // Irreversible: it can be set back for as long as the parcel lies here, and nobody here knows for how long it does.
    placement: "irreversible",
    // It sets what it is given, so doing it again changes nothing more.
    effect: "idempotent",
    params: modifyAddressParams,
    denials: codesOf(modifyAddressRules),
    record: (params, { shop }, about) => orderFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [changes],
    execute: ({ params }, { shop }) => shop.modifyAddress(params),
    summarise: (order) => `${order.order_id} goes to ${order.address.address1}, ${order.address.city}`,
  }),
  defineTool({
    name: "return_delivered_order_items",
    description: "Take items of a delivered order back. Once for an order: name all of them. Cite its id.",
    // Irreversible: the customer gets a mail that promises the refund, and the order can be neither returned nor exchanged again.
    placement: "irreversible",
    effect: "once",
    params: returnParams,
    denials: codesOf(returnRules),
    record: (params, { shop }, about) => orderFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [changes, ...refunds(returnTotal)],
    probe: ({ order_id }, services) => ifDone(services, order_id, (order) => order.status === "return requested"),
    execute: ({ params }, { shop }) => shop.return(params),
    summarise: (order) => `return of ${order.order_id} requested`,
  }),
  defineTool({
    name: "exchange_delivered_order_items",
    description:
      "Exchange items of a delivered order for other options of the same products. Once for an order: name all of them. Cite its id.",
    // Irreversible: goods are sent, the difference is charged or refunded, and the order cannot be exchanged again.
    placement: "irreversible",
    effect: "once",
    params: swapParams,
    denials: codesOf(exchangeRules),
    record: (params, { shop }, about) => swapFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    caps: [changes, ...refunds(swapRefund)],
    probe: ({ order_id }, services) => ifDone(services, order_id, (order) => order.status === "exchange requested"),
    execute: ({ params }, { shop }) => shop.exchange(params),
    summarise: (order) => `exchange of ${order.order_id} requested`,
  }),
  defineTool({
    name: "modify_user_address",
    description: "Change the default address of the customer. Cite the user's id.",
    // Staff-reversible: no parcel and no money moves, and the address before stands in the ledger.
    placement: "staff-reversible",
    effect: "idempotent",
    params: userAddressParams,
    denials: codesOf(userAddressRules),
    record: (params, { shop }, about) => profileFacts(shop, params, about),
    evidence: cited,
    authorise: "by_policy",
    execute: ({ params }, { shop }) => shop.modifyUserAddress(params),
    summarise: (user) => `default address of ${user.user_id}: ${user.address.address1}, ${user.address.city}`,
  }),
];

// Internal, all of them: they change nothing. What they show of a person is the customer's own, which a rule checks.
const reads: readonly Tool[] = [
  defineTool({
    name: "find_user_id_by_email",
    description: "The customer's user id, by their e-mail address.",
    placement: "internal",
    effect: "read",
    params: emailParams,
    denials: codesOf(ownLookUps("find by e-mail")),
    record: ({ email }, { shop }) => ({ owner: shop.userByEmail(email)?.user_id ?? null }),
    authorise: "by_policy",
    execute: ({ record }) => ({ user_id: record.owner }),
    summarise: ({ user_id }) => `found ${user_id}`,
  }),
  defineTool({
    name: "find_user_id_by_name_zip",
    description: "The customer's user id, by their first name, last name and zip code.",
    placement: "internal",
    effect: "read",
    params: nameZipParams,
    denials: codesOf(ownLookUps("find by name")),
    record: ({ first_name, last_name, zip }, { shop }) => ({
      owner: shop.userByNameAndZip(first_name, last_name, zip)?.user_id ?? null,
    }),
    authorise: "by_policy",
    execute: ({ record }) => ({ user_id: record.owner }),
    summarise: ({ user_id }) => `found ${user_id}`,
  }),
  defineTool({
    name: "get_user_details",
    description: "The profile of the customer: address, payment methods, orders.",
    placement: "internal",
    effect: "read",
    params: userParams,
    denials: codesOf(ownReads("read profile")),
    record: (params, { shop }) => ({ owner: shop.user(params.user_id)?.user_id ?? null }),
    authorise: "by_policy",
    execute: ({ params }, { shop }) => shop.user(params.user_id) ?? { error: "user not found" },
    summarise: (found) => ("error" in found ? "user not found" : `read the profile of ${found.user_id}`),
  }),
  defineTool({
    name: "get_order_details",
    description: "The status and the details of an order of the customer. Its id begins with #W.",
    placement: "internal",
    effect: "read",
    params: orderParams,
    denials: codesOf(ownReads("read order")),
    record: (params, { shop }) => ({ owner: shop.order(params.order_id)?.user_id ?? null }),
    authorise: "by_policy",
    execute: ({ params }, { shop }) => shop.order(params.order_id) ?? { error: "order not found" },
    summarise: (found) => ("error" in found ? "order not found" : `read ${found.order_id}: ${found.status}`),
  }),
  defineTool({
    name: "get_product_details",
    description:
      "The variants of a product, with their prices and whether they are available. A product id is no item id.",
    placement: "internal",
    effect: "read",
    params: productParams,
    execute: ({ params }, { shop }) => shop.product(params.product_id) ?? { error: "product not found" },
    summarise: (found) => ("error" in found ? "product not found" : `read the variants of ${found.name}`),
  }),
  defineTool({
    name: "get_item_details",
    description: "One variant of a product: its options, its price and whether it is available.",
    placement: "internal",
    effect: "read",
    params: itemParams,
    execute: ({ params }, { shop }) => shop.variant(params.item_id)?.variant ?? { error: "item not found" },
    summarise: (found) => ("error" in found ? "item not found" : `read item ${found.item_id}`),
  }),
  defineTool({
    name: "list_all_product_types",
    description: "All types of products, by name, with their product ids.",
    placement: "internal",
    effect: "read",
    params: noParams,
    execute: (_proposal, { shop }) =>
      Object.fromEntries(shop.products().map(({ name, product_id }) => [name, product_id])),
    summarise: (found) => `${Object.keys(found).length} types of products`,
  }),
];

/** The names of the tools that change the shop's records. */
export const WRITE_TOOLS: readonly string[] = writes.map((tool) => tool.name);

export const retailTools: readonly Tool[] = [...writes, ...reads, calculateTool, transferTool];

export const retailPolicy: readonly PolicyRule[] = [
  ...rulesOf("cancel_pending_order", cancelRules),
  ...rulesOf("modify_pending_order_items", modifyItemsRules),
  ...rulesOf("modify_pending_order_payment", modifyPaymentRules),
  ...rulesOf("modify_pending_order_address", modifyAddressRules),
  ...rulesOf("return_delivered_order_items", returnRules),
  ...rulesOf("exchange_delivered_order_items", exchangeRules),
  ...rulesOf("modify_user_address", userAddressRules),
  ...rulesOf("find_user_id_by_email", ownLookUps("find by e-mail")),
  ...rulesOf("find_user_id_by_name_zip", ownLookUps("find by name")),
  ...rulesOf("get_user_details", ownReads("read profile")),
  ...rulesOf("get_order_details", ownReads("read order")),
];
