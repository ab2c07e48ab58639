import { describe, expect, test } from "vitest";
import { ON_LOCK, someProfile, someRule } from "../../test/checks/guide-rules.ts";
import { SLOTS } from "../domain/profile.ts";
import { Part } from "./part.ts";
import { place } from "./place.ts";

const part = (id: string, bytes: number): Part => new Part(someRule(id, { body: "x".repeat(bytes), when: ON_LOCK }));

test("the text goes where the profile says", () => {
  for (const slot of SLOTS) expect(place([], [], someProfile(0, { slot }))).toEqual({ kind: "placed", slot });
});

describe("text and channel B fit into the window", () => {
  test("the window at the border, each rule of the channel with its separator", () => {
    const [kept, routed] = [
      [part("a", 10), part("b", 8)],
      [part("c", 10), part("d", 6)],
    ];
    const window = 10 + 2 + 8 + (2 + 10) + (2 + 6);
    const placed = [window - 1, window, window + 1].map((contextTokens) =>
      place(kept, routed, someProfile(0, { contextTokens, bytesPerToken: 1 })),
    );
    expect(placed.map(({ kind }) => kind)).toEqual(["refusal", "placed", "placed"]);
    expect(placed[0]).toEqual({
      kind: "refusal",
      code: "channel_b_exceeds_window",
      detail: "the text takes 20 bytes and channel B 20, and the window of profile phone has 39",
      rules: ["c", "d"],
    });
  });

  test("a part of a byte is none", () => {
    const routed = [part("c", 8)];
    expect(place([], routed, someProfile(0, { contextTokens: 3, bytesPerToken: 3.33 })).kind).toBe("refusal");
    expect(place([], routed, someProfile(0, { contextTokens: 3, bytesPerToken: 3.34 })).kind).toBe("placed");
  });
});
