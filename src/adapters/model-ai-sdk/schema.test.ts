import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";
import { type AiSdkLanguageModel, aiSdkModel } from "./index.ts";

const TEXT = { type: "object", title: "params as text" };
const STRICT = { type: "object", title: "params as objects" };

type Asked = { readonly responseFormat?: { readonly schema: { readonly title: string } } };

/** A language model that takes only what `takes` says, by the title of the schema, and refuses the rest so. */
function picky(takes: readonly (string | null)[], error: object, prose = "hi") {
  const asked: (string | null)[] = [];
  const answer = (options: object): void => {
    const title = (options as Asked).responseFormat?.schema.title ?? null;
    asked.push(title);
    if (!takes.includes(title)) throw Object.assign(new Error("Bad Request"), { name: "AI_APICallError" }, error);
  };
  const end = { finishReason: { unified: "stop" }, usage: {} };
  const model: AiSdkLanguageModel = {
    specificationVersion: "v3",
    provider: "p",
    modelId: "m",
    async doGenerate(options) {
      answer(options);
      return { content: [{ type: "text", text: prose }], ...end, warnings: [] };
    },
    async doStream(options) {
      answer(options);
      const parts = [
        { type: "text-delta", id: "1", delta: prose },
        { type: "finish", ...end },
      ];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
  return { model, asked };
}

const about = (responseBody: string, statusCode = 400): object => ({ statusCode, isRetryable: false, responseBody });
const REFUSED = about('{"error":{"message":"Invalid schema for response_format: anyOf is not permitted"}}');

function requestWith(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: "s",
    messages: [{ role: "user", content: "u" }],
    mode: "flat",
    schema: TEXT,
    schemaStrict: STRICT,
    tools: [],
    outputTokensMax: 7,
    signal: new AbortController().signal,
    ...more,
  };
}

const sentAs = (reply: ModelReply): unknown => (reply.ok ? [reply.sentAs, reply.attempts] : reply.code);

test.each<[string, readonly (string | null)[], readonly unknown[], unknown, unknown]>([
  ["nothing refused", [STRICT.title], [STRICT.title], ["params_object", 1], ["params_object", 1]],
  ["objects refused", [TEXT.title], [STRICT.title, TEXT.title], ["params_text", 2], ["params_text", 1]],
  ["schemas refused", [null], [STRICT.title, TEXT.title, null], ["no_schema", 3], ["no_schema", 1]],
])("a schema that is refused is lowered, and that is remembered: %s", async (_what, takes, titles, first, second) => {
  for (const onDelta of [undefined, (): void => {}]) {
    const { model, asked } = picky(takes, REFUSED);
    // No retry is spent on it.
    const made = aiSdkModel(model, { retries: 0 });
    const more = onDelta === undefined ? {} : { onDelta };
    expect(sentAs(await made.complete(requestWith(more)))).toEqual(first);
    expect(asked).toEqual(titles);
    expect(sentAs(await made.complete(requestWith(more)))).toEqual(second);
    expect(asked).toEqual([...titles, titles.at(-1)]);
  }
});

test("a request whose tools have no strict schema goes from the text to none", async () => {
  const { model, asked } = picky([null], REFUSED);
  expect(sentAs(await aiSdkModel(model).complete(requestWith({ schemaStrict: null })))).toEqual(["no_schema", 2]);
  expect(asked).toEqual([TEXT.title, null]);
});

test("422, and a refusal that stands in the message alone, do as well", async () => {
  const status = picky([TEXT.title], about("json_schema is not supported", 422));
  expect(sentAs(await aiSdkModel(status.model).complete(requestWith()))).toEqual(["params_text", 2]);
  const message = picky([TEXT.title], { statusCode: 400, isRetryable: false, message: "Unknown response_format" });
  expect(sentAs(await aiSdkModel(message.model).complete(requestWith()))).toEqual(["params_text", 2]);
});

test.each<[string, object]>([
  ["another 400", about("the model does not exist")],
  ["401", about("no response_format for you", 401)],
  ["404", about("response_format", 404)],
  ["an overflow", about("maximum context length is 9 tokens; response_format", 400)],
  ["a call that cannot be read", about("failed to parse tool call by the grammar", 500)],
])("%s lowers nothing", async (_what, error) => {
  const { model, asked } = picky([], error);
  const made = aiSdkModel(model, { retries: 0 });
  expect(await made.complete(requestWith())).toMatchObject({ ok: false });
  expect(await made.complete(requestWith())).toMatchObject({ ok: false });
  expect(asked).toEqual([STRICT.title, STRICT.title]);
});

test("a server that refuses everything with such words is asked three times and no more, and nothing is learnt", async () => {
  const { model, asked } = picky([], REFUSED);
  const made = aiSdkModel(model);
  for (const times of [1, 2]) {
    expect(await made.complete(requestWith())).toMatchObject({ ok: false, code: "http_error" });
    expect(asked).toEqual(Array.from({ length: times }, () => [STRICT.title, TEXT.title, null]).flat());
  }
});

test("calls side by side learn the same, and native tools are no schema", async () => {
  const { model, asked } = picky([null], REFUSED);
  const made = aiSdkModel(model);
  const replies = await Promise.all([1, 2, 3].map(() => made.complete(requestWith())));
  expect(replies.every((reply) => reply.ok)).toBe(true);
  const before = asked.length;
  await made.complete(requestWith());
  expect(asked.slice(before)).toEqual([null]);
  const tools = [{ name: "t", description: "", parameters: { type: "object" } }];
  const native = picky([], REFUSED);
  expect(await aiSdkModel(native.model).complete(requestWith({ mode: "tools", tools }))).toMatchObject({ ok: false });
  expect(native.asked).toHaveLength(1);
});

test.each(["sk-proj-0123456789", "stop", { unified: "sk-proj-0123456789" }, { raw: "sk-abc" }, `x${"y".repeat(100)}`])(
  "the finish is one of ours, whatever the provider says: %j",
  async (finishReason) => {
    const model: AiSdkLanguageModel = {
      ...picky([], {}).model,
      doGenerate: async () => ({ content: [{ type: "text", text: "hi" }], finishReason, usage: {}, warnings: [] }),
    };
    const reply = await aiSdkModel(model).complete(requestWith());
    expect(reply).toMatchObject({ ok: true, finish: finishReason === "stop" ? "stop" : "none" });
  },
);
