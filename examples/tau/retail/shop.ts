import { EffectFailed } from "signalbox";
import { own, paymentOwners } from "../tables.ts";
import type { Address, Database, Item, Order, Payment, PaymentMethod, Product, User, Variant } from "./database.ts";
import { cents, charges, dollars, isPending } from "./money.ts";
import type {
  CancelParams,
  ModifyAddressParams,
  ModifyPaymentParams,
  ReturnParams,
  SwapParams,
  UserAddressParams,
} from "./params.ts";

/**
 * The shop's system over a shared read-only database: a record is copied when it is first written, so a shop costs what it
 * changes. Its writes have the semantics of the upstream tools (sierra-research/tau2-bench,
 * src/tau2/domains/retail/tools.py): they check states, stock and balances, and know nothing of whose order it is. What they
 * cannot do they refuse with `EffectFailed` before anything is changed.
 */
export class Shop {
  readonly #db: Database;
  readonly #orders = new Map<string, Order>();
  readonly #users = new Map<string, User>();

  constructor(db: Database) {
    this.#db = db;
  }

  order(id: string): Order | undefined {
    return this.#orders.get(id) ?? own(this.#db.orders, id);
  }

  user(id: string): User | undefined {
    return this.#users.get(id) ?? own(this.#db.users, id);
  }

  userByEmail(email: string): User | undefined {
    const wanted = email.toLowerCase();
    return this.#findUser((user) => user.email.toLowerCase() === wanted);
  }

  userByNameAndZip(firstName: string, lastName: string, zip: string): User | undefined {
    const wanted = `${firstName} ${lastName}`.toLowerCase();
    return this.#findUser(
      ({ name, address }) => `${name.first_name} ${name.last_name}`.toLowerCase() === wanted && address.zip === zip,
    );
  }

  product(id: string): Product | undefined {
    return own(this.#db.products, id);
  }

  products(): Product[] {
    return Object.values(this.#db.products);
  }

  /** One variant of the catalogue with the product that it is a variant of. */
  variant(itemId: string): { readonly product: Product; readonly variant: Variant } | undefined {
    for (const product of this.products()) {
      const variant = own(product.variants, itemId);
      if (variant !== undefined) return { product, variant };
    }
    return undefined;
  }

  /** Whose record an id names: an order, a user or a payment method of a profile. */
  ownerOf(id: string): string | undefined {
    const order = this.order(id);
    if (order !== undefined) return order.user_id;
    return this.user(id) === undefined ? paymentOwners(this.#db).get(id) : id;
  }

  cancel({ order_id, reason }: CancelParams): Order {
    const current = this.#mustOrder(order_id);
    if (current.status !== "pending") throw new EffectFailed("non-pending order cannot be cancelled");
    const refunds = charges(current.payment_history).map(
      (paid): Payment => ({
        transaction_type: "refund",
        amount: dollars(paid.cents),
        payment_method_id: paid.payment_method_id,
      }),
    );
    const order = this.#writableOrder(order_id);
    for (const refund of refunds) this.#credit(order.user_id, refund.payment_method_id, cents(refund.amount));
    order.payment_history.push(...refunds);
    return Object.assign(order, { status: "cancelled" as const, cancel_reason: reason });
  }

  modifyAddress({ order_id, ...address }: ModifyAddressParams): Order {
    if (!isPending(this.#mustOrder(order_id).status)) throw new EffectFailed("non-pending order cannot be modified");
    return Object.assign(this.#writableOrder(order_id), { address: addressOf(address) });
  }

  modifyPayment({ order_id, payment_method_id: id }: ModifyPaymentParams): Order {
    const current = this.#mustOrder(order_id);
    if (!isPending(current.status)) throw new EffectFailed("non-pending order cannot be modified");
    const [paid, ...more] = current.payment_history;
    if (paid?.transaction_type !== "payment" || more.length > 0) {
      throw new EffectFailed("there should be exactly one payment for a pending order");
    }
    if (paid.payment_method_id === id) throw new EffectFailed("the new payment method should be different");
    const method = this.#mustPayment(current.user_id, id);
    if (!covers(method, cents(paid.amount))) throw new EffectFailed("insufficient gift card balance");
    const order = this.#writableOrder(order_id);
    this.#credit(order.user_id, id, -cents(paid.amount));
    this.#credit(order.user_id, paid.payment_method_id, cents(paid.amount));
    order.payment_history.push(
      { transaction_type: "payment", amount: paid.amount, payment_method_id: id },
      { transaction_type: "refund", amount: paid.amount, payment_method_id: paid.payment_method_id },
    );
    return order;
  }

  modifyItems(params: SwapParams): Order {
    if (this.#mustOrder(params.order_id).status !== "pending") {
      throw new EffectFailed("non-pending order cannot be modified");
    }
    const { swaps, difference } = this.#swaps(params);
    const order = this.#writableOrder(params.order_id);
    this.#credit(order.user_id, params.payment_method_id, -difference);
    order.payment_history.push({
      transaction_type: difference > 0 ? "payment" : "refund",
      amount: dollars(Math.abs(difference)),
      payment_method_id: params.payment_method_id,
    });
    for (const { itemId, variant } of swaps) {
      const item = order.items.find((entry) => entry.item_id === itemId);
      if (item === undefined) continue;
      Object.assign(item, {
        item_id: variant.item_id,
        price: variant.price,
        options: structuredClone(variant.options),
      });
    }
    return Object.assign(order, { status: "pending (item modified)" as const });
  }

  exchange(params: SwapParams): Order {
    if (this.#mustOrder(params.order_id).status !== "delivered") {
      throw new EffectFailed("non-delivered order cannot be exchanged");
    }
    const { difference } = this.#swaps(params);
    return Object.assign(this.#writableOrder(params.order_id), {
      status: "exchange requested" as const,
      exchange_items: params.item_ids.toSorted(),
      exchange_new_items: params.new_item_ids.toSorted(),
      exchange_payment_method_id: params.payment_method_id,
      exchange_price_difference: dollars(difference),
    });
  }

  return(params: ReturnParams): Order {
    const current = this.#mustOrder(params.order_id);
    if (current.status !== "delivered") throw new EffectFailed("non-delivered order cannot be returned");
    const method = this.#mustPayment(current.user_id, params.payment_method_id);
    if (method.source !== "gift_card" && method.id !== current.payment_history[0]?.payment_method_id) {
      throw new EffectFailed("payment method should be either the original payment method or a gift card");
    }
    this.#takeItems(current, params.item_ids);
    return Object.assign(this.#writableOrder(params.order_id), {
      status: "return requested" as const,
      return_items: params.item_ids.toSorted(),
      return_payment_method_id: params.payment_method_id,
    });
  }

  modifyUserAddress({ user_id, ...address }: UserAddressParams): User {
    this.#mustUser(user_id);
    return Object.assign(this.#writableUser(user_id), { address: addressOf(address) });
  }

  /** Checks a swap of items, and says what it costs in cents (negative: gives back). */
  #swaps(params: SwapParams): { swaps: { itemId: string; variant: Variant }[]; difference: number } {
    const order = this.#mustOrder(params.order_id);
    if (params.item_ids.length !== params.new_item_ids.length) {
      throw new EffectFailed("the number of items to be exchanged should match");
    }
    const items = this.#takeItems(order, params.item_ids);
    const swaps = items.map((item, i) => {
      const variant = own(this.product(item.product_id)?.variants ?? {}, params.new_item_ids[i] ?? "");
      if (variant?.available !== true)
        throw new EffectFailed(`new item ${params.new_item_ids[i]} not found or available`);
      return { itemId: item.item_id, variant, difference: cents(variant.price) - cents(item.price) };
    });
    const difference = swaps.reduce((sum, swap) => sum + swap.difference, 0);
    if (!covers(this.#mustPayment(order.user_id, params.payment_method_id), difference)) {
      throw new EffectFailed("insufficient gift card balance to pay for the price difference");
    }
    return { swaps, difference };
  }

  /** The items of an order that these ids name; an id that stands twice names two of them. */
  #takeItems(order: Order, ids: readonly string[]): Item[] {
    const left = [...order.items];
    return ids.map((id) => {
      const at = left.findIndex((item) => item.item_id === id);
      const item = left[at];
      if (item === undefined) throw new EffectFailed(`item ${id} not found`);
      left.splice(at, 1);
      return item;
    });
  }

  /** Puts an amount in cents on a gift card, or takes it; other methods keep no balance here. */
  #credit(userId: string, methodId: string, amount: number): void {
    const method = own(this.#writableUser(userId).payment_methods, methodId);
    if (method?.source === "gift_card") method.balance = dollars(cents(method.balance ?? 0) + amount);
  }

  #findUser(wanted: (user: User) => boolean): User | undefined {
    return Object.keys(this.#db.users)
      .map((id) => this.user(id))
      .find((user) => user !== undefined && wanted(user));
  }

  #mustOrder(id: string): Order {
    const found = this.order(id);
    if (found === undefined) throw new EffectFailed(`order ${id} not found`);
    return found;
  }

  #mustUser(id: string): User {
    const found = this.user(id);
    if (found === undefined) throw new EffectFailed(`user ${id} not found`);
    return found;
  }

  #mustPayment(userId: string, id: string): PaymentMethod {
    const found = own(this.#mustUser(userId).payment_methods, id);
    if (found === undefined) throw new EffectFailed("payment method not found");
    return found;
  }

  #writableOrder(id: string): Order {
    return copyOnce(this.#orders, id, this.#mustOrder(id));
  }

  #writableUser(id: string): User {
    return copyOnce(this.#users, id, this.#mustUser(id));
  }
}

function copyOnce<T>(copies: Map<string, T>, id: string, current: T): T {
  const copy = copies.get(id) ?? structuredClone(current);
  copies.set(id, copy);
  return copy;
}

function covers(method: PaymentMethod, amount: number): boolean {
  return method.source !== "gift_card" || cents(method.balance ?? 0) >= amount;
}

function addressOf({ address1, address2, city, state, country, zip }: Address): Address {
  return { address1, address2, city, state, country, zip };
}
