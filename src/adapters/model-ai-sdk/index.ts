/**
 * The public door `signalbox/ai-sdk`: models of other providers through the AI SDK. It leans on no package: a language
 * model of the AI SDK is taken by its shape, so the import is cheap and the version of the SDK is the user's.
 */
export { aiSdkModel } from "./model.ts";
export { type AiSdkLanguageModel, AiSdkModelError, type AiSdkOptions } from "./options.ts";
