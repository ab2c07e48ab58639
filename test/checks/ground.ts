/** What the twins of grounding must break: each fails by an assertion of its own. */
import assert from "node:assert/strict";
import type { ControlMap } from "../../src/domain/control-map.ts";
import type { Guide } from "../../src/domain/guide.ts";
import type { judge } from "../../src/guides/ground/judge.ts";
import type { gate, ground, groundGuide, groundIndex, guideText } from "../../src/guides/index.ts";

export type Grounding = {
  readonly gate: typeof gate;
  readonly ground: typeof ground;
  readonly groundGuide: typeof groundGuide;
  readonly groundIndex: typeof groundIndex;
  readonly guideText: typeof guideText;
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

/** Whether each of these says no more and no less than "click Save". */
function saves({ ground, groundIndex }: Grounding, ways: readonly string[]): void {
  const index = groundIndex(mapOf(["Save", "OK", "First", "Reading list", "Delete all"]), hash);
  for (const intent of ways) {
    const { bound, score } = ground(index, intent);
    assert.deepEqual({ bound, score }, { bound: "c0", score: 1 }, intent);
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
  opposite_before({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Paste into PDF document", "Help", "About"]), hash);
    assert.equal(ground(index, "copy the text from the PDF document").bound, null);
    assert.equal(ground(index, "paste the text into the PDF document").bound, "c0");
  },
  unsaid_effect({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Delete browsing data", "Add to Wish List"]), hash);
    assert.equal(ground(index, "view browsing data").bound, null);
    assert.equal(ground(index, "open the wish list").bound, null);
    assert.equal(ground(index, "erase the browsing data").bound, "c0");
    assert.equal(ground(index, "click the wish list").bound, "c1");
  },
  effect_rival({ ground, groundIndex }) {
    const texts = ["Empty the recycle bin", "Show the recycle bin at the folders screen"];
    const { bound, findings } = ground(groundIndex(mapOf(texts), hash), "view the recycle bin");
    assert.equal(bound, null);
    assert.equal(findings[0]?.rule, "ambiguous");
    const beside = groundIndex(mapOf(["Delete", "Attachments", "Reply"]), hash);
    assert.equal(ground(beside, "delete the attachments").bound, null);
  },
  missed_effect({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Bookmark", "Security update", "Ringtone"]), hash);
    assert.equal(ground(index, "delete the bookmark").bound, null);
    assert.equal(ground(index, "uninstall the security update").bound, null);
    assert.equal(ground(index, "edit the ringtone").bound, "c2");
  },
  emptied({ ground, groundIndex }) {
    const map = mapOf(["Email", "Draft", "Help"]);
    const controls = map.controls.map((control, i) => (i === 0 ? { ...control, role: "textbox" } : control));
    const index = groundIndex({ ...map, controls }, hash);
    assert.equal(ground(index, "clear the email").bound, "c0");
    assert.equal(ground(index, "download the email").bound, null);
    assert.equal(ground(index, "clear the draft").bound, null);
  },
  typing({ ground, groundIndex }) {
    const map = mapOf(["Phone", "Phone", "Help"]);
    const controls = map.controls.map((control, i) => (i === 1 ? { ...control, role: "textbox" } : control));
    assert.equal(ground(groundIndex({ ...map, controls }, hash), "type the phone").bound, "c1");
  },
  back({ ground, groundIndex }) {
    assert.equal(ground(groundIndex(mapOf(["Navigate up", "Help"]), hash), "click on back arrow").bound, "c0");
    assert.equal(ground(groundIndex(mapOf(["Delete history", "Help"]), hash), "wipe the history").bound, "c0");
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
  asked(grounding) {
    saves(grounding, ["could you please click Save", "just click Save", "I think you should click Save"]);
  },
  asked_to({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Rotate", "Reading list"]), hash);
    const { bound, score } = ground(index, "We spoke of reading a list and now I would like you to rotate");
    assert.deepEqual({ bound, score }, { bound: "c0", score: 1 });
  },
  reason(grounding) {
    saves(grounding, [
      "click Save because I am reading a list of all the rest",
      "click Save as it is late in the evening",
    ]);
  },
  said_before(grounding) {
    saves(grounding, ["First, click Save", "OK, click Save", "On the reading list, click Save"]);
  },
  telling(grounding) {
    saves(grounding, ["go there, then click Save", "click it, click Save"]);
  },
  beside_name({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Tab 1", "Tab 3"]), hash);
    assert.equal(ground(index, "3. Click on Tab 1.").bound, "c0");
  },
  mistyped({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Income", "Keyboards"]), hash);
    for (const intent of ["selct the income buton", "clck on income"]) {
      const { bound, score } = ground(index, intent);
      assert.deepEqual({ bound, score }, { bound: "c0", score: 1 }, intent);
    }
  },
  typos({ ground, groundIndex }) {
    const index = groundIndex(mapOf(["Keyboards", "Print", "Sorting", "Photos", "Block"]), hash);
    const found = ["ekyboards", "sortign", "photo s", "phtos", "block", "black"].map(
      (intent) => ground(index, intent).bound,
    );
    assert.deepEqual(found, ["c0", "c2", "c3", "c3", "c4", null]);
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
  value({ gate, groundGuide, groundIndex }) {
    const map = mapOf(["Amount", "Delete"]);
    const controls = map.controls.map((control, i) => (i === 0 ? { ...control, role: "textbox" } : control));
    const index = groundIndex({ ...map, controls }, hash);
    const verdict = (intent: string) => gate(groundGuide(index, guideOf(intent, "c0"))).verdict;
    assert.equal(verdict('set "Amount" to 12'), "served");
    for (const intent of ['set "Amount" to 12 with Nuke', 'change "Amount" to large after Nuke'])
      assert.equal(verdict(intent), "suppressed", intent);
    // Three words and more, the second of them an ordinary one, are something to do.
    assert.equal(verdict('set "Amount" to Mary Ann Smith'), "served");
    assert.equal(verdict('set "Amount" to 12 whereupon Bob reboots'), "suppressed");
  },
  exact(grounding) {
    const { gate, groundGuide, groundIndex } = grounding;
    const map = mapOf(["Delete files", "Note", "Send", "Trash"]);
    const controls = map.controls.map((control, i) => (i === 1 ? { ...control, role: "textbox" } : control));
    const index = groundIndex({ ...map, controls }, hash);
    for (const [intent, id] of [
      ['press "Files"', "c0"],
      ['press "Sends all"', "c2"],
      ['press "Sending"', "c2"],
      ['type "x" into "Send"', "c2"],
      ['press "Send" and all of them', "c2"],
      ['press "Send" to remove something', "c2"],
      ['drag "Send" to Trash', "c2"],
      ['type "x" into "Note", press Tab, press Enter', "c1"],
    ] as const)
      assert.equal(gate(groundGuide(index, guideOf(intent, id))).verdict, "suppressed", intent);
    for (const [intent, id] of [
      ['press "Delete files"', "c0"],
      ['press "Send"', "c2"],
      ['type "x" into "Note" and press Enter', "c1"],
    ] as const)
      assert.equal(gate(groundGuide(index, guideOf(intent, id))).verdict, "served", intent);
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
