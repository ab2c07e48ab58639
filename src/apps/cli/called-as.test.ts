import { expect, test } from "vitest";
import { calledAs } from "./called-as.ts";
import { asCalled, type Io } from "./io.ts";

test.each([
  ["/home/ada/desk/node_modules/.bin/signalbox", "/", "npx signalbox"],
  ["/home/ada/.npm/_npx/0a1b/node_modules/.bin/signalbox", "/", "npx signalbox"],
  ["C:\\desk\\node_modules\\.bin\\signalbox", "\\", "npx signalbox"],
  ["/usr/local/bin/signalbox", "/", "signalbox"],
  ["/usr/lib/node_modules/signalbox/dist/apps/cli/bin.js", "/", "signalbox"],
  [undefined, "/", "signalbox"],
])("%s is called as such", (script, separator, name) => expect(calledAs(script, separator)).toBe(name));

test("a hint says its commands as they are called here, and nothing else", () => {
  const io = { command: "npx signalbox" } as Io;
  expect(asCalled(io, "signalbox runs lists them; see signalbox ledger verify --help")).toBe(
    "npx signalbox runs lists them; see npx signalbox ledger verify --help",
  );
  expect(asCalled(io, "this is a bug of signalbox itself")).toBe("this is a bug of signalbox itself");
  expect(asCalled({} as Io, "signalbox runs")).toBe("signalbox runs");
});
