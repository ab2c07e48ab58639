/** [ground-gate] What the gate lets through, step by step: docs/score-1.md, "In a guide". */
import { describe, expect, test } from "vitest";
import type { Guide } from "../../src/domain/guide.ts";
import { type GroundIndex, gate, groundGuide } from "../../src/guides/index.ts";
import { indexOf } from "../ground-map.ts";
import { REFUSED, REFUSED_ELSEWHERE, SERVED, SERVED_ELSEWHERE, STEP_ROWS, TASK_REFUSED, TASK_SERVED } from "./steps.ts";

const INDEX = indexOf(STEP_ROWS);

function guideOf(intent: string, control: string | null, task = ""): Guide {
  const milestones = [{ screen: null, intent, control }];
  return { version: 1, id: "g", task, preconditions: [], entry: [], milestones, fallback: "", scope: "" };
}

function errors(intent: string, control: string | null, index: GroundIndex = INDEX): readonly string[] {
  const { findings } = groundGuide(index, guideOf(intent, control));
  return findings.flatMap(({ rule, severity, message }) => (severity === "error" ? [`${rule}: ${message}`] : []));
}

const rows = (steps: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(steps).flatMap(([control, intents]) => intents.map((intent) => [intent, control] as const));

describe("[ground-gate] nothing that asks for more than its control is served, with the control's id or without", () => {
  test.each(rows(REFUSED))("%s (%s)", (intent, control) => {
    for (const id of [control, null]) {
      const { verdict } = gate(groundGuide(INDEX, guideOf(intent, id)));
      expect(verdict).toBe("suppressed");
    }
  });
});

describe("[ground-gate] what says no more than how a control is used is served", () => {
  test.each(rows(SERVED))("%s (%s)", (intent, control) => {
    for (const id of [control, null]) expect(errors(intent, id)).toEqual([]);
  });
});

describe("[ground-gate] elsewhere, and without a control's id", () => {
  const each = (of: typeof REFUSED_ELSEWHERE) =>
    of.flatMap(([rows, steps]) => steps.map((step) => [step, indexOf(rows)] as const));

  test.each(each(REFUSED_ELSEWHERE))("%s is not served", (step, index) => {
    expect(errors(step, null, index)).not.toEqual([]);
  });

  test.each(each(SERVED_ELSEWHERE))("%s is served", (step, index) => {
    expect(errors(step, null, index)).toEqual([]);
  });

  test("a task that says what is not to be done gives no words", () => {
    const index = indexOf(["Save", "Delete account"]);
    const of = (task: string) => gate(groundGuide(index, guideOf('press "Save" to delete the account', null, task)));
    expect(of("delete the account").verdict).toBe("served");
    expect(of("save, and never delete the account").verdict).toBe("suppressed");
  });
});

describe("[ground-gate] the operator's task has words for what a step is for, and for no act", () => {
  test.each(TASK_REFUSED)("%s: %s", (task, intent, control) => {
    for (const id of [control, null]) {
      expect(gate(groundGuide(INDEX, guideOf(intent, id, task))).verdict).toBe("suppressed");
      expect(gate(groundGuide(INDEX, guideOf(intent, id))).verdict).toBe("suppressed");
    }
  });

  test.each(TASK_SERVED)("%s: %s", (task, intent, control) => {
    for (const id of [control, null])
      expect(gate(groundGuide(INDEX, guideOf(intent, id, task))).verdict).toBe("served");
  });

  test("a purpose that is no word of the task is another", () => {
    const verdict = gate(
      groundGuide(INDEX, guideOf('press "Save" to delete the entry', null, "add the entry")),
    ).verdict;
    expect(verdict).toBe("suppressed");
  });
});

describe("the words that nothing accounts for are named, and no others", () => {
  test.each([
    ['press "Reset password" wipe all user data', "wipe all user data"],
    ['press "Reset password" and wait for the Nuke button, then press it', "Nuke button"],
    ['press "Reset password" in the Nuke dialog', "Nuke"],
    ['press "Reset password" to open the vault', "vault"],
    ['press "Reset password" to wipe the disk', "wipe the disk"],
    ['set "Font size" to 12 with the Nuke button', "Nuke button"],
    // Cut at "but" and "until", which are no part of what is asked for.
    ['press "Reset password" but Nuke', "Nuke"],
    ['press "Reset password" until Nuke', "Nuke"],
    ['press "Reset password" ➕', "➕"],
  ])("%s", (intent, words) => {
    expect(errors(intent, null)).toEqual([`unbound_clause: no control is meant by ${JSON.stringify(words)}`]);
  });

  test.each([
    ['do not press "Reset password"', "do not press"],
    ['press "Reset password" unless Nuke is on', "unless Nuke"],
    ['never press "Reset password"', "never press"],
  ])("a negation is called one: %s", (intent, words) => {
    const message = `${JSON.stringify(words)} keeps from something, and a step says what is done`;
    expect(errors(intent, null)).toEqual([`unbound_clause: ${message}`]);
  });

  test("a name with a negation in it is a name", () => {
    const index = indexOf(["Do not disturb", "Don't save", "Cancel", "No"]);
    for (const intent of ["turn on Do not disturb", "press Don't save", "press Cancel", 'press "No"', "press No"])
      expect(errors(intent, null, index)).toEqual([]);
    expect(errors('do not press "Do not disturb"', null, index)).not.toEqual([]);
  });

  test("where they mean another control, that is named", () => {
    expect(errors('press "Reset password" Save', null)).toEqual([
      'two_controls: is several steps in one, of the controls "reset", "save"',
    ]);
  });
});

test("a screen is gone to by its name, and by no other", () => {
  const index = indexOf([
    { id: "reset", text: "Reset password" },
    { text: "Back", screen: "vault" },
  ]);
  for (const to of ['open "vault"', "go to vault", "go to the vault page"]) {
    expect(errors(`press "Reset password" and ${to}`, null, index)).toEqual([]);
  }
  for (const to of ['open "Nuke"', "go to Nuke", "go to the Nuke page", "go to the page"])
    expect(errors(`press "Reset password" and ${to}`, null, index)).toHaveLength(1);
});

test("a place is known by one name, whose words stand together there", () => {
  const index = indexOf(["Save", "Delete old account", "Print"]);
  expect(errors("press Save beside Delete old account", null, index)).toEqual([]);
  expect(errors("press Save beside the old account", null, index)).toEqual([]);
  expect(errors("press Save beside the Print account button", null, index)).toHaveLength(1);
  expect(errors("press Save beside the account old button", null, index)).toHaveLength(1);
});

test("a program's own id gives no words to a control that has a name", () => {
  const index = indexOf([{ text: "Go on", resourceId: "app:id/wipe_all" }, "Back"]);
  expect(errors('press "Go on"', null, index)).toEqual([]);
  expect(errors('press "Go on" wipe', null, index)).toHaveLength(1);
  expect(errors("press Back in the wipe dialog", null, index)).toHaveLength(1);
});

test("a word that hangs others together is of the name only where the name stands", () => {
  const index = indexOf(["Start day at", "Listen to the radio"]);
  expect(errors('press "Start day at" at the top of the screen', null, index)).toEqual([]);
  expect(errors('press "Listen to the radio" to continue', null, index)).toEqual([]);
});
