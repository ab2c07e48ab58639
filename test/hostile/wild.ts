/** Model adapters that break their own type: what comes back is no reply, or one that does something when it is looked at. */
import type { ModelReply } from "../../src/index.ts";
import type { Draw } from "./draw.ts";

const REPLY = {
  ok: true,
  text: '{"kind":"action","tool":"pay","params":{"account":"ab","amountMinor":1,"to":"payee-b"},"evidence":["ab-b-new"]}',
  finish: "stop",
  promptTokens: null,
  completionTokens: null,
} as const;

const thrower = (): never => {
  throw new Error("do not look");
};

/** Each makes a new one, since some remember that they were looked at. */
const WILD: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 7,
  () => "pay",
  () => [],
  () => Symbol("reply"),
  () => () => REPLY,
  () => ({}),
  () => ({ ok: true }),
  () => ({ ...REPLY, ok: "true" }),
  () => ({ ...REPLY, ok: 1 }),
  () => ({ ...REPLY, text: undefined }),
  () => ({ ...REPLY, text: 7 }),
  () => ({ ...REPLY, text: { toString: thrower } }),
  () => ({ ...REPLY, text: [REPLY.text] }),
  () => ({ ...REPLY, text: new String(REPLY.text) }),
  () => ({ ...REPLY, finish: undefined }),
  () => ({ ...REPLY, finish: { reason: "stop" } }),
  () => ({ ...REPLY, finish: null }),
  () => ({ ...REPLY, finish: "\ud800".repeat(9_000) }),
  () => ({ ...REPLY, calls: null }),
  () => ({ ...REPLY, calls: "pay" }),
  () => ({ ...REPLY, calls: {} }),
  () => ({ ...REPLY, calls: [null] }),
  () => ({ ...REPLY, calls: [{}] }),
  () => ({ ...REPLY, calls: [{ name: "pay" }] }),
  () => ({ ...REPLY, calls: [{ name: "peek", args: {} }] }),
  () => ({ ...REPLY, calls: [{ name: 7, args: "{}" }] }),
  () => ({ ...REPLY, calls: { length: 1e9 } }),
  () => ({ ...REPLY, calls: new Array(1) }),
  () => ({ ...REPLY, promptTokens: "12" }),
  () => ({ ...REPLY, promptTokens: 1n }),
  () => ({ ...REPLY, promptTokens: {}, completionTokens: [] }),
  () => ({ ...REPLY, sentAs: { evil: 1n } }),
  () => ({ ...REPLY, sentAs: "\ud800" }),
  () => ({ ...REPLY, attempts: Number.NaN }),
  () => ({ ...REPLY, attempts: -1e300 }),
  () => ({ ...REPLY, attempts: "many" }),
  () => ({ ...REPLY, attempts: () => 1 }),
  () => ({ ok: false }),
  () => ({ ok: false, code: 7, detail: 7 }),
  () => ({ ok: false, code: "unheard_of", detail: "\ud800" }),
  () => ({ ok: false, code: "\ud800", detail: "x" }),
  () => ({ ok: false, code: { toString: thrower }, detail: "x" }),
  () => ({ ok: false, code: "http_error", detail: { toString: thrower } }),
  () => ({ ok: false, code: "x".repeat(100_000), detail: "y".repeat(100_000) }),
  () => Object.defineProperty({ ...REPLY }, "ok", { get: thrower }),
  () => Object.defineProperty({ ...REPLY }, "text", { get: thrower }),
  () => Object.defineProperty({ ...REPLY }, "calls", { get: thrower }),
  () => Object.defineProperty({ ...REPLY }, "finish", { get: thrower }),
  () => Object.defineProperty({ ...REPLY }, "promptTokens", { get: thrower }),
  // Another text each time that it is looked at.
  () => {
    let looks = 0;
    return Object.defineProperty({ ...REPLY }, "text", { get: () => REPLY.text.replace(":1,", `:${++looks},`) });
  },
  () => new Proxy({ ...REPLY }, { get: thrower }),
  () => new Proxy({ ...REPLY }, { has: thrower, ownKeys: thrower, getOwnPropertyDescriptor: thrower }),
  () => new Proxy(function reply() {}, {}),
  () => Object.create(REPLY),
  () => Object.create(null),
  () => ({ ...REPLY, __proto__: { evidence: "ab-a-new" } }),
];

export function drawWild(draw: Draw): ModelReply {
  return draw.pick(WILD)() as ModelReply;
}

/** What promises are rejected with. */
const REASONS: readonly (() => unknown)[] = [
  () => new Error("the model fell over"),
  () => undefined,
  () => null,
  () => "no",
  () => ({ toString: thrower }),
  () => Object.create(null),
  () => Object.defineProperty(new Error("x"), "message", { get: thrower }),
  () => new Error("\ud800".repeat(100)),
];

export function drawReason(draw: Draw): unknown {
  return draw.pick(REASONS)();
}
