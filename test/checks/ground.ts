/** What the twins of grounding must break: each fails by an assertion of its own. */
import assert from "node:assert/strict";
import type { ControlMap } from "../../src/domain/control-map.ts";
import type { Guide } from "../../src/domain/guide.ts";
import type { judge } from "../../src/guides/ground/judge.ts";
import type { gate, ground, groundGuide, groundIndex } from "../../src/guides/index.ts";

export type Grounding = {
  readonly gate: typeof gate;
  readonly ground: typeof ground;
  readonly groundGuide: typeof groundGuide;
  readonly groundIndex: typeof groundIndex;
  readonly judge: typeof judge;
};

function mapOf(texts: readonly string[]): ControlMap {
  const controls = texts.map((text, i) => ({
    ...{ id: `c${i}`, screen: "s", role: "button", text, desc: "", childText: [], resourceId: "", value: "" },
    ...{ clickable: true, disabled: false },
  }));
  const source = { kind: "web", where: "" } as const;
  return { version: 1, app: null, source, at: 0, screens: [{ id: "s", title: "", where: "", entry: [] }], controls };
}

function guideOf(intent: string, control: string | null): Guide {
  const milestones = [{ screen: null, intent, control }];
  return { version: 1, id: "g", task: "", preconditions: [], entry: [], milestones, fallback: "", scope: "" };
}

const hash = (text: string): string => text;

export const GROUND_CHECKS = {
  landmark({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Stars", "Save"]), hash);
    assert.equal(ground(index, "tap the icon beside stars").bound, null);
    assert.equal(ground(index, "tap the icon above the stars").bound, null);
  },
  opposite({ ground, groundIndex }) {
    const long = "Sort family holiday albums by last visit and country";
    assert.equal(ground(groundIndex(mapOf([`${long} ascending`]), hash), `${long} descending`).bound, null);
    assert.equal(ground(groundIndex(mapOf([`${long} ascending`]), hash), `${long} ascending`).bound, "c0");
  },
  lead({ ground, groundIndex }) {
    const { bound, findings } = ground(groundIndex(mapOf(["Amount", "Amount", "Amount"]), hash), "enter 5 in amount");
    assert.equal(bound, null);
    assert.deepEqual(findings[0]?.controls, ["c0", "c1", "c2"]);
  },
  order({ ground, groundIndex }) {
    const texts = ["Notification sounds", "Notification lights", "Sound", "Light"];
    const map = mapOf(texts);
    const index = groundIndex(map, hash);
    const turned = groundIndex({ ...map, controls: map.controls.toReversed() }, hash);
    for (const intent of ["notification", "notifications settings", "change the notification sound", "light"]) {
      const [one, other] = [ground(index, intent), ground(turned, intent)];
      assert.deepEqual({ ...other, map: "" }, { ...one, map: "" });
    }
  },
  proportion({ groundIndex, judge }) {
    const index = groundIndex(mapOf([Array(64).fill("alpha").join(" ")]), hash);
    const steps = (count: number): number => judge(index, Array(count).fill("alpha").join(", ")).steps;
    assert.ok(steps(128) <= 2.2 * steps(64), `${steps(64)} steps for 64 words, ${steps(128)} for 128`);
  },
  absent({ gate, groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save"]), hash);
    const { findings } = groundGuide(index, guideOf("click Save", "1100-1102"));
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ["absent_id"],
    );
    assert.deepEqual(gate({ findings }), { verdict: "suppressed", rules: ["absent_id"] });
  },
  mismatch({ groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save", "Delete"]), hash);
    const { findings } = groundGuide(index, guideOf("click Delete", "c0"));
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ["id_mismatch"],
    );
  },
  clauses({ gate, groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save", "Delete"]), hash);
    for (const intent of ['press "Save", then press "Wipe all"', 'press "Save" (confirm with the Nuke button)']) {
      const { verdict } = gate(groundGuide(index, guideOf(intent, "c0")));
      assert.equal(verdict, "suppressed", intent);
    }
  },
  gate({ gate, groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save"]), hash);
    assert.equal(gate(groundGuide(index, guideOf("click Save", null))).verdict, "served");
    assert.equal(gate(groundGuide(index, guideOf("rotate the picture", null))).verdict, "suppressed");
  },
} satisfies Record<string, (grounding: Grounding) => void>;
