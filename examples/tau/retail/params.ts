/** What the model may say to each of the shop's tools: closed objects, every text bounded and of a known form. */
import { z } from "signalbox";

const orderId = z
  .string()
  .max(9)
  .regex(/^#W[0-9]{7}$/);
const itemId = z
  .string()
  .max(10)
  .regex(/^[0-9]{10}$/);
const userId = z
  .string()
  .max(60)
  .regex(/^[a-z]+(?:_[a-z]+)+_[0-9]+$/);
const paymentMethodId = z
  .string()
  .max(30)
  .regex(/^(?:credit_card|gift_card|paypal)_[0-9]+$/);
const personName = z
  .string()
  .max(40)
  .regex(/^\p{L}[\p{L}' .-]*$/u);
const email = z
  .string()
  .max(100)
  .regex(/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/);
const zip = z
  .string()
  .max(10)
  .regex(/^[0-9]{5}(?:-[0-9]{4})?$/);
const place = z
  .string()
  .max(40)
  .regex(/^\p{L}[\p{L}' .-]*$/u);

const address = {
  address1: z
    .string()
    .max(60)
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}' .,#/-]*$/u),
  address2: z
    .string()
    .max(60)
    .regex(/^[\p{L}\p{N}' .,#/-]*$/u),
  city: place,
  state: place,
  country: place,
  zip,
};

const itemIds = z.array(itemId).min(1).max(20);

// The two reasons that the written policy accepts: no third one can be proposed.
const reason = z.enum(["no longer needed", "ordered by mistake"]);

export const cancelParams = z.strictObject({ order_id: orderId, reason });
export const modifyAddressParams = z.strictObject({ order_id: orderId, ...address });
export const modifyPaymentParams = z.strictObject({ order_id: orderId, payment_method_id: paymentMethodId });
/** Of an exchange and of a change of items alike: each new item stands at the place of the one that it replaces. */
export const swapParams = z.strictObject({
  order_id: orderId,
  item_ids: itemIds,
  new_item_ids: itemIds,
  payment_method_id: paymentMethodId,
});
export const returnParams = z.strictObject({
  order_id: orderId,
  item_ids: itemIds,
  payment_method_id: paymentMethodId,
});
export const userAddressParams = z.strictObject({ user_id: userId, ...address });

export const orderParams = z.strictObject({ order_id: orderId });
export const userParams = z.strictObject({ user_id: userId });
export const emailParams = z.strictObject({ email });
export const nameZipParams = z.strictObject({ first_name: personName, last_name: personName, zip });
export const productParams = z.strictObject({ product_id: itemId });
export const itemParams = z.strictObject({ item_id: itemId });
export const noParams = z.strictObject({});

export type CancelParams = z.infer<typeof cancelParams>;
export type ModifyAddressParams = z.infer<typeof modifyAddressParams>;
export type ModifyPaymentParams = z.infer<typeof modifyPaymentParams>;
export type SwapParams = z.infer<typeof swapParams>;
export type ReturnParams = z.infer<typeof returnParams>;
export type UserAddressParams = z.infer<typeof userAddressParams>;
