import { describe, expect, test } from "vitest";
import { controlsOfPage } from "./controls-of-page.ts";
import type { PageNode } from "./page-node.ts";

const node = (more: Partial<PageNode>): PageNode => ({
  ...{ parent: -1, depth: 0, role: "generic", name: "", desc: "", value: "", states: new Map(), backendId: 0 },
  element: null,
  ...more,
});

/** A button with this name and this description beside a field that shows a password. */
function seen(name: string, desc: string, password: string) {
  const field = { tag: "INPUT", attributes: new Map([["type", "password"]]), listens: false, points: false };
  const nodes = [
    node({ role: "RootWebArea", backendId: 1 }),
    node({ parent: 0, depth: 1, role: "button", name, desc, backendId: 2 }),
    node({ parent: 0, depth: 1, role: "textbox", name: "Password", value: password, backendId: 3, element: field }),
  ];
  const look = { url: "", title: "", nodes, around: new Map(), framesLeftOut: [] };
  const [button] = controlsOfPage(look, new Set(), 10, new Set()).controls;
  return [button?.text, button?.desc];
}

describe("a password that a page shows", () => {
  test("is taken out of names and of descriptions", () => {
    expect(seen("Sign in hunter2 now", "repeat hunter2 here", "hunter2")).toEqual(["Sign in now", "repeat here"]);
    expect(seen("Sign in", "hunter2", "hunter2")).toEqual(["Sign in", ""]);
    expect(seen("Sign in hunter23", "no  hunter", "hunter2")).toEqual(["Sign in hunter23", "no  hunter"]);
  });

  test("also where it is there twice, and whatever white space is in it", () => {
    expect(seen("Sign in hunter2 hunter2 hunter2 now", "", "hunter2")).toEqual(["Sign in now", ""]);
    expect(seen("Sign in my pass now", "my\u00a0pass", " my  pass")).toEqual(["Sign in now", ""]);
    expect(seen("Sign  in", "so  it is", "  ")).toEqual(["Sign in", "so  it is"]);
  });
});
