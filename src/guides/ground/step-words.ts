/** The closed lists of words that a step may say besides its control's name, in English: a part of the published contract. */
import { NOUNS, PLACES, POINTING } from "./words.ts";

const phrases = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keep from doing something. A step says what is done. */
export const NEGATIONS = words(`
  not never no dont doesnt didnt wont cannot without avoid except excluding unless instead neither nor skip ignore refuse rather
  leave cancel stop prevent`);

/** At the head of a step or a part of it: in which order, and how. */
export const ORDERING = words(
  "then now next first firstly finally lastly afterwards please also just simply carefully directly",
);

/** Behind the name: how often. */
export const REPEATING = words("again once twice now first please only too");

/** At the head, more than one word that is one way of using a control. `x|y`: either; `x?`: with or without; `x_y`: both words. */
export const USING = phrases(`
  press|tap|click|touch and hold, long|double|right|left press|tap|click, make sure that?, ensure|verify that?, check that,
  wait for|until|till, confirm|finish|submit with|by, fill out`);

/** The same where the control is a field: taking out what stands there. */
export const CLEARING = phrases(`
  clear|empty, clear|delete|remove|erase the|all|any|existing|current* text|content|contents|value in|from|of|inside`);

/** Keys that do something where one has typed. Others, and several at once, do it to who knows what. */
export const KEYS = phrases("enter, return, tab, escape, esc, space, backspace, up|down|left|right arrow");

/** Behind what was typed, in that field. */
export const KEY_PRESSES = phrases("press|hit|tap the? KEY key? on_the_keyboard|on_your_keyboard?");

/** What "enter" and its like may have without quotation marks, in a field that was named before. */
export const TYPED = words(
  "text value name address email number password code description title message details information",
);

/** Verbs of ACTIONS, and others, that may stand at the head although they are in no name of the control. */
export const HEADS = words(
  "add hold highlight locate tapping hitting uncheck untick expand collapse follow focus hover",
);

/** Behind is, are, be, that or which: how it stands. */
export const STANDING = phrases(`
  turned on, turned off, switched on, switched off, turned, switched, on off, off, enabled, disabled, checked, unchecked, ticked, unticked, selected, active, visible, shown,
  open, appears, appear, opens`);

/** Behind "scroll", "swipe", "drag" and "move": which way. */
export const DIRECTIONS = words("up down left right forward back");

/** Begin what says where, from where or what for. */
export const PREPOSITIONS = words(`
  in on at of from within inside under into onto near beside besides below beneath underneath above over behind between adjacent
  opposite before after around across along to for as about towards toward`);

/** Where something is on a screen. */
export const POSITIONS: readonly string[] = [
  ...POINTING,
  ...words(
    "upper lower far very located edge half hand end main beginning start next previous current new front order",
  ),
];

/** Kinds of controls, which are no places: what is called one has to have its name before it. */
export const KINDS = words(
  "button icon option link checkbox radio switch toggle control choice entry item field box node tile input tab",
);

/** Other words for what has a name and is pressed. */
export const KIND_WORDS = words("arrow banner chip badge thumbnail folder category");

/** Behind a name that is a verb these are the control, and other kinds are what the verb is done to. */
export const CONTROL_KINDS: readonly string[] = [
  ...KINDS.filter((kind) => kind !== "item" && kind !== "entry"),
  ...words("bar arrow chip dropdown area logo"),
];

/** Of more than the control: only in its name, or in a clause that uses no control. */
export const MANY = words("all every any each both everything everybody everyone");

/** Do to something what is not undone. In no name of the control and in no quotation marks they are said of something else. */
export const GRAVE = words("delete remove erase wipe uninstall destroy purchase donate withdraw ban revoke");

/** What one may type into, in other words than its name: "in the box", and not "in the list". */
export const FIELD_WORDS = phrases(
  "field, box, text, input, area, entry, text box, text field, input field, input box, textarea, bar, search, there, it, this, that, here",
);

/** Behind "for". */
export const HOW_LONG = words("a few one two three five 1 2 3 5 second seconds moment");

/** Kinds of places, and of what is shown. */
export const PLACE_WORDS: readonly string[] = [
  ...new Set([
    ...[...PLACES, ...NOUNS].filter((word) => !KINDS.includes(word)),
    ...words("results result message notification details table content step keyboard navigation options home"),
  ]),
];

/** What a step may be for, besides using what its object names. */
export const PURPOSES = phrases(`
  continue, proceed, confirm, finish, complete, see, view, check, show, display, save, apply, submit, close, return, get, go, go back,
  accept, dismiss, open, find, reach, access, appear, begin, start, store, change, set, add, create, update, edit, discard,
  learn`);

/** Of these, what a purpose does to something: that is the control's own, or in the operator's task. */
export const ACTING = words(`
  submit close accept dismiss get access start change set add create update edit discard confirm finish complete begin continue
  proceed apply`);

/** A purpose of one of these has no word from the operator's task: it would be another step. */
export const HELD = words(
  "open close go get reach access use do run launch start navigate visit move try let need want",
);

/** Behind these a purpose has to be in the control's own name. */
export const USES = phrases(`
  click, tap, press, select, choose, pick, hit, touch, tick, type, input, fill, toggle, drag, swipe, push, enable, disable, activate,
  deactivate, expand, collapse, turn on, turn off, switch on, switch off`);

/** What a purpose may speak of. */
export const PURPOSE_WORDS = words(`
  back in on out up off over through changes change selection choice choices next previous following step again
  so effect sure home main options page screen view list dialog window form panel app application site website result results message details
  menu more`);

/** Behind "left", "next" and such these make a place of them: "next to". */
export const TOWARDS = words("next close left right front top");

/** With what something is done: with the control, and nothing else. */
export const INSTRUMENTS = words("with via through by using");

/** A verb with these may go to a screen, by its title, its id, or the application's. */
export const GOING = words("go navigate open visit get move");

/** A purpose of these needs a thing: "to open the list", and not "to open next". */
export const OPENING = words("open close find reach access show display see view");

/** What may stand behind a preposition by itself. */
export const PERSONS = words("it this that there here me them you");

/** Where it is, behind the name. */
export const BESIDE = words("above below here there");

/** A value that is not in quotation marks ends before these. */
export const VALUE_ENDS = words(`
  with using via through by after before while when once until if unless then in on at from within inside under into onto for to so
  beside near below above as except instead without but or`);

/** A value that is one of these is nothing more. */
export const VALUE_STATES = words("on off true false yes no");

/** A value that begins with one of these reads as something to do, and needs quotation marks. */
export const VALUE_VERBS = phrases(`
  check, uncheck, untick, toggle, enable, disable, activate, deactivate, swipe, scroll, drag, hover, type, push, turn on, turn off,
  switch on, switch off, navigate, go back, delete, remove, send, submit, confirm`);

/** Of words that are neither linking nor in quotation marks: more of them are no value. */
export const VALUE_LIMITS = { typedWordsMax: 8, changedWordsMax: 4 } as const;
