/** What the twins of grounding must break: each fails by an assertion of its own. */
import assert from "node:assert/strict";
import type { ControlMap } from "../../src/domain/control-map.ts";
import type { Guide } from "../../src/domain/guide.ts";
import type { gate, ground, groundGuide, groundIndex, guideText } from "../../src/guides/index.ts";

export type Grounding = {
  readonly gate: typeof gate;
  readonly ground: typeof ground;
  readonly groundGuide: typeof groundGuide;
  readonly groundIndex: typeof groundIndex;
  readonly guideText: typeof guideText;
};

function mapOf(texts: readonly string[]): ControlMap {
  const controls = texts.map((text, i) => ({
    ...{ id: `c${i}`, screen: "s", role: "button", text, desc: "", childText: [], resourceId: "", value: "" },
    ...{ clickable: true, disabled: false },
  }));
  const source = { kind: "web", where: "" } as const;
  return { version: 1, app: null, source, at: 0, screens: [{ id: "s", title: "", where: "", entry: [] }], controls };
}

function guideOf(intent: string, control: string | null, task = ""): Guide {
  const milestones = [{ screen: null, intent, control }];
  return { version: 1, id: "g", task, preconditions: [], entry: [], milestones, fallback: "", scope: "" };
}

const hash = (text: string): string => text;

function suppressed({ gate, groundGuide, groundIndex }: Grounding, ...intents: readonly string[]): void {
  const index = groundIndex(mapOf(["Save", "Delete"]), hash);
  for (const intent of intents) {
    assert.equal(gate(groundGuide(index, guideOf(intent, "c0"))).verdict, "suppressed", intent);
  }
}

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
  accounted(grounding) {
    suppressed(
      grounding,
      'press "Save" wipe all data',
      'press "Save" in the Nuke dialog',
      'press "Save" to open the vault',
    );
  },
  negation(grounding) {
    suppressed(grounding, 'do not press "Save"', 'do not "Save"', "do not save");
  },
  value(grounding) {
    suppressed(grounding, 'set "Save" to 12 with the Nuke', 'change "Save" to large after the Nuke');
  },
  free(grounding) {
    const { gate, groundGuide, groundIndex } = grounding;
    const index = groundIndex(mapOf(["Save", "Delete"]), hash);
    for (const intent of ['press "Save" and wait for the page to load', 'scroll down and press "Save"'])
      assert.equal(gate(groundGuide(index, guideOf(intent, "c0"))).verdict, "served", intent);
    suppressed(
      grounding,
      'press "Save" and check the Results',
      'press "Save" wait',
      'wait for the Nuke, then press "Save"',
    );
  },
  task({ gate, groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save", "Delete"]), hash);
    const verdict = (purpose: string): string =>
      gate(groundGuide(index, guideOf(`press "Save" to ${purpose}`, "c0", "send the report, then open the vault")))
        .verdict;
    assert.equal(verdict("send the report"), "served");
    assert.equal(verdict("open the vault"), "suppressed");
    assert.equal(verdict("send the letter"), "suppressed");
  },
  kernel(grounding) {
    const { gate, groundGuide, groundIndex } = grounding;
    const index = groundIndex(mapOf(["Save", "Delete"]), hash);
    for (const intent of ["tap Save to finish", "tap Save in the upper right"])
      assert.equal(gate(groundGuide(index, guideOf(intent, null))).verdict, "served", intent);
    suppressed(grounding, "tap Save to nuke", "tap Save in the Nuke", "tap Delete to finish");
    const back = groundIndex(mapOf(["Back", "Share"]), hash);
    for (const intent of ["tap Back to top", "tap Share to page", "tap Share to Finish"])
      assert.equal(gate(groundGuide(back, guideOf(intent, null))).verdict, "suppressed", intent);
  },
  key(grounding) {
    suppressed(grounding, 'press "Save" and press Enter', 'press Enter and press "Save"');
  },
  screen({ guideText }) {
    const milestones = [{ screen: "Delete all users first", intent: "press Save", control: null }];
    assert.doesNotMatch(guideText({ ...guideOf("", null), milestones }), /Delete/);
  },
  gate({ gate, groundGuide, groundIndex }) {
    const index = groundIndex(mapOf(["Save"]), hash);
    assert.equal(gate(groundGuide(index, guideOf("click Save", null))).verdict, "served");
    assert.equal(gate(groundGuide(index, guideOf("rotate the picture", null))).verdict, "suppressed");
  },
} satisfies Record<string, (grounding: Grounding) => void>;
