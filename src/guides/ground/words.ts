/** The closed lists of words of `score/1`, each a part of the published contract. They are in English, and a little Chinese and Japanese. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const phrases = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*/)
    .filter((phrase) => phrase !== "");
const groups = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .map(phrases);

/** Say how words hang together, and nothing about which control. */
export const STOP = words(`
  a an the of to in on at for with by and or is are be it its this that these those your my our their from into as so there
  here which who all any some me i we you he she him her them then when where within inside via through now please kindly`);

/** What one does with any control. */
export const VERBS = words(`
  click tap press select choose pick hit touch open go navigate move check see view show find look use make set change switch
  turn toggle enable disable activate deactivate display type enter input fill drag drop scroll swipe hover get visit access
  launch start do let tick mark want need try wait push adjust 点击 单击 选择 打开 按下 输入 クリック タップ 選択 開く 押す 入力`);

/** What one does with a thing, and what the control for it is often called. */
export const ACTIONS = words(`
  add create new delete remove edit save send share export import copy paste search sort rename download upload install update
  print read write call play stop close cancel confirm clear reset refresh`);

/** What one does that leaves something other than it was: who only wants to see the thing has not asked for it. */
export const EFFECTS = words(`
  delete remove clear erase wipe reset discard empty uninstall install archive block ban report share send forward download upload
  import export add create new save rename restore pay buy purchase donate transfer withdraw post publish submit invite register
  subscribe unsubscribe follow unfollow accept decline approve reject confirm cancel revoke merge deploy stop leave`);
/** Those of EFFECTS that no control does which is called by the thing alone: "Attachment" may add one, and deletes none. */
export const OWN_EFFECTS = words(`
  delete remove clear erase wipe reset discard uninstall archive block share download upload export`);
/** Those of OWN_EFFECTS that one does with a field, which is called by what stands in it. */
export const EMPTYING = words("delete remove clear erase wipe reset");
/** What one does to see a thing, and leaves it as it was. */
export const LOOKING = words("view see show find look check open go visit access read display browse");
/** Behind these stands what is typed or into what: a field is meant. */
export const TYPING = words("type enter input write fill");

/** Kinds of controls, and of places for them. */
export const NOUNS = words(`
  button icon option text link tab field box image symbol logo picture item menu page screen app application web website site
  dialog window panel list toolbar bar section view form label entry control element row column dropdown checkbox radio slider
  input switch toggle card tile node area choice 按钮 图标 选项 菜单 链接 页面 ボタン メニュー`);

/** Two words that are one. A hyphen may stand between them. */
export const PHRASES = phrases(`
  sign in, sign up, sign out, sign off, log in, log on, log out, log off, check in, check out, zoom in, zoom out, opt in, opt out,
  go back, back arrow, navigate up, navigate back, back up, drop off, set up, more option, three dot, three line, magnifying glass,
  question mark, exclamation mark, check mark, tick mark, plus sign, minus sign, paper plane, hamburger menu, navigation drawer,
  trash can, shopping cart, overflow menu`);
/** The same, of the class of VERBS. */
export const VERB_PHRASES = phrases("turn on, turn off, switch on, switch off, do not");
/** The same, of the class of NOUNS. */
export const NOUN_PHRASES = phrases(
  "check box, text box, radio button, text field, input field, input box, dialog box, web page, menu item, list item",
);

/** What is the same on an interface, a group a line: how an icon looks and what it is called, a word and its short form. */
export const SYNONYMS = groups(`
  search, magnifier, magnifying glass, find, lookup
  setting, gear, cog, cogwheel, preference, pref, config, configuration
  menu, hamburger, hamburger menu, three line, navigation drawer, drawer, more option
  more option, more, three dot, overflow, overflow menu, kebab, ellipsis
  close, x, cross, dismiss, exit
  back, go back, navigate up, navigate back, back arrow
  add, plus, new, create, plus sign
  delete, trash, bin, garbage, trash can, remove, erase, wipe
  edit, pencil, modify
  favorite, favourite, heart, star, bookmark, like
  star, rate, rating, review
  help, question mark
  info, information, i, about
  notification, bell, alert
  profile, account, avatar, user, person
  home, house
  refresh, reload
  mail, email, envelope
  message, msg, chat
  call, phone, telephone, dial
  camera, photo, picture
  picture, photo, image, pic
  cart, basket, bag, trolley, shopping cart
  microphone, mic, voice
  next, forward
  previous, prev, backward
  done, tick, check mark, tick mark, checkmark, accept, confirm, ok, okay
  send, paper plane
  lock, padlock
  sign in, log in, log on, login, signin, logon
  sign up, signup, register, registration
  sign out, log out, log off, sign off, logout, signout, logoff
  turn on, switch on, enable, activate, on
  turn off, switch off, disable, deactivate, off, do not
  minute, min
  second, sec
  hour, hr
  application, app
  number, num
  folder, directory
  color, colour
  center, centre
  gray, grey
  show, display, view, see
  remember, restore
  quit, exit, leave
  sort, order, sorting
  customize, customise, custom
  change, edit, modify, update
  zero, 0
  one, 1
  two, 2
  three, 3
  four, 4
  five, 5
  six, 6
  seven, 7
  eight, 8
  nine, 9
  ten, 10`);

/** What is never each other, a pair a line: a name with the one is not meant where the words have the other. */
export const OPPOSITES = groups(`
  sign in, sign out
  sign in, sign up
  sign up, sign out
  log in, log out
  log in, sign up
  log out, sign up
  login, logout
  zoom in, zoom out
  check in, check out
  opt in, opt out
  turn on, turn off
  on, off
  enable, disable
  activate, deactivate
  in, out
  up, down
  next, previous
  next, prev
  next, back
  forward, backward
  forward, back
  left, right
  top, bottom
  open, close
  add, remove
  add, delete
  create, delete
  new, delete
  upload, download
  import, export
  show, hide
  expand, collapse
  lock, unlock
  mute, unmute
  follow, unfollow
  block, unblock
  start, stop
  play, pause
  increase, decrease
  ascending, descending
  first, last
  maximum, minimum
  max, min
  before, after
  accept, decline
  accept, reject
  allow, deny
  yes, no
  undo, redo
  read, unread
  select, deselect
  select, unselect
  check, uncheck
  connect, disconnect
  install, uninstall
  like, dislike
  like, unlike
  subscribe, unsubscribe
  pin, unpin
  archive, unarchive
  favorite, unfavorite
  public, private
  light, dark
  front, rear
  front, back
  incoming, outgoing
  sent, received
  minimize, maximize
  old, new
  cut, paste
  copy, paste
  save, discard
  male, female
  morning, evening
  am, pm
  day, night
  north, south
  east, west
  income, expense
  buy, sell
  win, lose
  inbox, outbox
  full, empty
  high, low
  wide, narrow
  plus, minus
  daily, weekly
  weekly, monthly
  monthly, yearly`);

/** Words of OPPOSITES that say how a box or a switch stands: one and the same switch is for both. */
export const STATES = phrases(
  "show, hide, on, off, enable, disable, activate, deactivate, turn on, turn off, switch on, switch off, allow, deny",
);

/** After one of these stands what the control is called, and not what is done with it. */
export const NAMING = words(`
  click tap press select choose pick hit touch tick open go find move launch 点击 单击 选择 打开 按下 クリック タップ 選択 開く 押す`);
/** After one of these, `to` begins what it is changed to. */
export const CHANGING = words("set change switch adjust rename convert modify update");
/** After one of these, `in`, `into`, `to` or `as` begins what is written into. */
export const WRITING = words("type enter input write fill put insert");

/** What follows one of these, up to the end of the clause, is another control that the one which is meant lies by. */
export const LANDMARKS = phrases(`
  beside, besides, below, beneath, under, underneath, above, over, behind, between, near, adjacent, opposite, before, after,
  next to, close to, left of, right of, left to, right to, left side, right side, in front, top of, bottom of, next right,
  next left, which is, which are, that is, that are`);
/** One of these and a place soon after it say where, and not what. */
export const WHERE = words("in on at of from within inside under through for by with into as via using");
export const PLACES = words(`
  app application page screen dialog window menu list toolbar bar tab panel sidebar palette workspace section view form website
  site header footer box interface scroll popup drawer`);

/** Point, and name nothing. */
export const POINTING = words(`
  this that these those it here there him her them above below left right top bottom corner middle center centre side
  first second third fourth fifth sixth seventh eighth ninth tenth last same other another one`);
export const ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth last");

/** Before a `to` that begins no purpose. */
export const NO_PURPOSE = words("left right next close adjacent want need like try go");
/** Ask for what follows, at the beginning of a clause. */
export const COURTESIES = words("please kindly bitte");
export const REQUESTS = phrases(`
  let us, let me, help me, make sure to, make sure you, make sure that you, be sure to, do not forget to, go ahead and,
  feel free to, would you mind to, would you mind, how do i, how do you, your task is to, the task is to, the goal is to`);
/** With one of PERSONS beside it. */
export const MODALS = words("could can would will shall should must may might");
export const PERSONS = words("i we you he she they it");
/** The same, where somebody tells something. */
export const OWN = words("my our his her their there");
/** Before a `to`, with `you`, `me` or `us` between them or not, one asks for what follows. */
export const ASKING = words("want need like love wish prefer try have remember");
/** Of several things to do, which one it is. */
export const ORDER = words("first second third fourth fifth next finally lastly last");
/** Alone, and before something else to do, these say nothing. */
export const AIR = words("ok okay well hello hi hey dear thanks alright right so step current afterwards");
/** At the beginning of a clause, before another with something to do, these and WHERE say when, where or why. */
export const FRONTED = words("if when whenever once after before while during until unless because since as due");
/** Behind these stands why. */
export const REASONS = phrases("because, so that, in order to, due to");
/** The same, with one of PERSONS or OWN behind it. */
export const REASONS_OF = words("since as so");
/** Before a quotation that is a name. */
export const LABELS = words("label name call title mark");

/** Behind a quotation that is a name. */
export const QUOTED_KINDS = words(
  "button icon link tab field box checkbox option switch toggle item menu image node 按钮 ボタン",
);
/** In a clause with one of these, on and off say nothing by themselves. */
export const TURNING = words("turn switch");
/** Behind one of these a word of VERBS is a verb, although it does not begin its clause. */
export const LINKS = words("and to then or");

/** Words that end in s and are no plurals, and that end in -ing and are no forms of a verb. */
export const WHOLE = words(
  "news lens always perhaps canvas atlas gps sms mms during morning evening nothing something everything anything",
);
