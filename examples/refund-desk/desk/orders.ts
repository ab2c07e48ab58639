/** The shop's orders. Invented, and dated back from today, so that the example never rots. */

/** Money is in whole Rappen (CHF 1.00 is 100): integers neither round nor drift. */
export type Order = {
  readonly id: string;
  readonly customer: string;
  readonly items: readonly Item[];
  readonly paidMinor: number;
  readonly refundedMinor: number;
  /** SKUs that were sent a second time. */
  readonly replaced: readonly string[];
  /** `YYYY-MM-DD`, or null while the parcel is on its way. */
  readonly deliveredOn: string | null;
  readonly status: "open" | "declined" | "escalated";
  readonly events: readonly OrderEvent[];
};

export type Item = { readonly sku: string; readonly name: string; readonly priceMinor: number };

/** Something that happened to an order, recorded by the shop and not by the model. Proposals cite events by id. */
export type OrderEvent = {
  readonly id: string;
  readonly kind: EventKind;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  /** The customer whose account it belongs to. */
  readonly owner: string;
};

export type EventKind =
  | "dispatched"
  | "delivered"
  | "damage_report"
  | "wrong_item_report"
  | "photo"
  | "packing_check"
  | "return_received";

export class Orders {
  // A Map and not an object, so that an order called "constructor" is simply not there.
  readonly #byId: Map<string, Order>;

  constructor(orders: readonly Order[]) {
    this.#byId = new Map(orders.map((order) => [order.id, order]));
  }

  load(id: string): Order | null {
    return this.#byId.get(id) ?? null;
  }

  bookRefund(id: string, amountMinor: number): void {
    this.#change(id, (order) => ({ refundedMinor: order.refundedMinor + amountMinor }));
  }

  bookReplacement(id: string, sku: string): void {
    this.#change(id, (order) => ({ replaced: [...new Set([...order.replaced, sku])] }));
  }

  setStatus(id: string, status: Order["status"]): void {
    this.#change(id, () => ({ status }));
  }

  #change(id: string, change: (order: Order) => Partial<Order>): void {
    const order = this.load(id);
    if (order === null) throw new Error(`there is no order ${id}`);
    this.#byId.set(id, { ...order, ...change(order) });
  }
}

/** What the shop knows of an order, with days counted back from today. Events get the ids `evt_1042_1`, `evt_1042_2`, ... */
type Sketch = {
  readonly id: string;
  readonly customer: string;
  readonly items: readonly Item[];
  readonly refundedMinor?: number;
  readonly daysSince: { readonly [Kind in EventKind]?: number };
};

const SKETCHES: readonly Sketch[] = [
  {
    id: "1042",
    customer: "customer:ada",
    items: [{ sku: "TEAPOT-11", name: "stoneware teapot", priceMinor: 8_990 }],
    daysSince: { dispatched: 7, delivered: 5, damage_report: 4, photo: 4 },
  },
  {
    id: "1043",
    customer: "customer:ada",
    items: [{ sku: "BLANKET-02", name: "wool blanket", priceMinor: 12_900 }],
    daysSince: { dispatched: 2 },
  },
  {
    id: "1017",
    customer: "customer:ada",
    items: [{ sku: "LAMP-04", name: "reading lamp", priceMinor: 6_400 }],
    daysSince: { dispatched: 44, delivered: 41, damage_report: 2 },
  },
  {
    id: "1060",
    customer: "customer:ben",
    items: [{ sku: "ESPRESSO-01", name: "espresso machine", priceMinor: 74_900 }],
    daysSince: { dispatched: 5, delivered: 3, damage_report: 2, photo: 2 },
  },
  {
    id: "1061",
    customer: "customer:ben",
    items: [{ sku: "KETTLE-07", name: "kettle", priceMinor: 5_900 }],
    refundedMinor: 2_000,
    daysSince: { dispatched: 12, delivered: 10, damage_report: 9 },
  },
  {
    id: "1070",
    customer: "customer:chloe",
    items: [
      { sku: "MUGS-06", name: "six mugs", priceMinor: 7_200 },
      { sku: "TRAY-03", name: "oak tray", priceMinor: 3_800 },
    ],
    daysSince: { dispatched: 8, delivered: 6, wrong_item_report: 5, photo: 5 },
  },
  {
    id: "1071",
    customer: "customer:chloe",
    items: [{ sku: "KNIFE-09", name: "bread knife", priceMinor: 4_500 }],
    daysSince: { dispatched: 11, delivered: 9, return_received: 1 },
  },
  {
    id: "1080",
    customer: "customer:dev",
    items: [
      { sku: "PAN-05", name: "cast-iron pan", priceMinor: 9_800 },
      { sku: "LID-05", name: "glass lid", priceMinor: 2_400 },
    ],
    daysSince: { dispatched: 6, delivered: 4, packing_check: 3 },
  },
];

/** The orders as they stand on `today` (`YYYY-MM-DD`). */
export function ordersAsOf(today: string): readonly Order[] {
  return SKETCHES.map((sketch) => orderFrom(sketch, today));
}

function orderFrom({ id, customer, items, refundedMinor = 0, daysSince }: Sketch, today: string): Order {
  const noonOf = (daysAgo: number) => new Date(Date.parse(`${today}T12:00:00Z`) - daysAgo * 86_400_000);
  return {
    id,
    customer,
    items,
    paidMinor: items.reduce((sum, item) => sum + item.priceMinor, 0),
    refundedMinor,
    replaced: [],
    deliveredOn: daysSince.delivered === undefined ? null : noonOf(daysSince.delivered).toISOString().slice(0, 10),
    status: "open",
    events: Object.entries(daysSince).map(([kind, daysAgo], index) => ({
      id: `evt_${id}_${index + 1}`,
      kind: kind as EventKind,
      at: noonOf(daysAgo).getTime(),
      owner: customer,
    })),
  };
}
