/**
 * What Signalbox promises, one sentence an id. A test that keeps a promise begins its title with the id in brackets:
 * `test("[loop-ends] ...")`. tools/tidy.ts finds a promise that no test cites, and a citation of what nobody promised.
 */
export const PROMISES = [
  // --- The loop (design 5)
  {
    id: "loop-turn-budget",
    promise:
      "A run takes at most as many turns as its budget says (10 unless configured), and calls the model and performs steps at most as often as theirs say; the turn counter is checked before anything else in a turn, and the run then ends as `turn_budget` with the last result and the text `I reached the maximum number of steps. Here's where I left off.`",
  },
  {
    id: "loop-repetition",
    promise:
      "The third proposal in a row with the same tool, params and evidence in canonical form is not performed and ends the run as `repetition`, whatever the results were, whether it came as an action or as a one-step plan, and also where it was denied, unreadable or a text; a tool that declares `mayRepeat` is exempt.",
  },
  {
    id: "loop-cycle",
    promise:
      "Proposals that go round in a circle end the run as `cycle`: of period 2 after three rounds, of periods 3 and 4 after two.",
  },
  {
    id: "loop-short-circuit",
    promise:
      "If the last result passed for a key that a tool settles, a new proposal for that key returns it and performs nothing; the third time in a row ends the run as `short_circuit`, and any other result in between clears the key.",
  },
  {
    id: "loop-auto-correction",
    promise:
      "A one-step plan is performed as the action it is, by its local actor, its adapter tool or, for code work that names nobody, the builder; in a longer plan what nobody can perform is denied as `unroutable` and what a plan may not do as `actor_not_in_allowlist`; the ledger is told of each correction and the model is not.",
  },
  {
    id: "loop-compression",
    promise:
      "The prompt carries the newest result in full and each older one as the one line that its tool's `summarise` gives, and a result kind of the house has one pinned line.",
  },
  {
    id: "loop-ends",
    promise:
      "Whatever events arrive, in whatever order, a run ends within its budgets, with exactly one ending of the published table, and the loop asks for nothing after it.",
  },
  {
    id: "loop-decision-first",
    promise: "No step starts without a decision before it that permits those exact params of that exact step.",
  },
  {
    id: "loop-fold",
    promise:
      "The state of a run is the fold of its events and nothing else: folding the recorded events gives the same state and the same next command, byte for byte.",
  },
  {
    id: "loop-prompt-bound",
    promise:
      "A prompt never takes more UTF-8 bytes than its window allows, whatever the sizes of results; what was cut is named in the prompt and in the ledger, the newest result is cut last, and mandatory text that does not fit is refused before the first call.",
  },

  // --- The guides (design 7)
  {
    id: "guide-budget",
    promise:
      "The text of a plan takes at most as many UTF-8 bytes as its profile's budget, separators included, and is the texts of whole rules, byte for byte, in authored order: ordinary rules are kept until the first that does not fit, and none after it.",
  },
  {
    id: "guide-safety",
    promise:
      "A selected safety rule is in the text of a plan or on its channel B, and channel B drops nothing; where safety rules alone exceed the budget, or text and channel B together the window, there is a refusal and no plan.",
  },
  {
    id: "guide-report",
    promise:
      "Every rule that a plan was compiled from is accounted for: kept, on channel B, dropped with a reason, or not selected with the first matcher that does not fire.",
  },
  {
    id: "guide-same-bytes",
    promise:
      "The same rules, task and profile give the same plan byte for byte, in whatever order rules and keys are given and on every platform.",
  },
  {
    id: "guide-matchers",
    promise:
      "No matcher is shortened, skipped or left out where there are many, and none makes a text hang: words are found in one pass, and a glob takes at most as many steps as its bounds say; a pattern that is malformed or over a bound is refused when it is read.",
  },

  // --- The rails (design 6)
  {
    id: "rails-one-mint",
    promise:
      "No tool is executed without an Authorised that `decide` made for exactly these params in this process: a spread, a JSON copy, a structuredClone or a hand-made object is refused.",
  },
  {
    id: "rails-silence-denies",
    promise:
      "A proposal that no policy rule permits is denied, and so is one whose policy throws, returns a promise or returns nothing (`policy_error`).",
  },
  {
    id: "rails-deny-overrides",
    promise: "A deny overrides every stage and permit, and a stage every permit, in whatever order the rules stand.",
  },
  {
    id: "rails-said-twice",
    promise:
      "The rails and a second, slow statement of them in `spec/decision`, which shares no code with them, come to the same outcome, rule, code, role and reservations on random tools, policies and proposals.",
  },
  {
    id: "rails-placement",
    promise:
      "A tool that lacks a rail which its placement makes mandatory is a type error where TypeScript can see it and always an error at start, before any model call.",
  },
  {
    id: "rails-output-codes",
    promise:
      "A proposal that does not fit its tool's closed type is denied before any record is loaded, each kind of fault with a code of its own: unknown tool, unknown or missing key, wrong type, a value outside its enum, a fraction in whole units, too large, too deep.",
  },
  {
    id: "rails-evidence",
    promise:
      "Each cited id must exist in the record, belong to the one concerned, be fresh enough and support the field that it justifies, else the proposal is denied with that fault's code; an empty list never passes where evidence is required.",
  },
  {
    id: "rails-provenance",
    promise:
      "Where a tool says that a value must have been seen, it is performed only with a value that stands as a whole in the operator's own words of this thread, or in a field of a result that the tool's author declared trusted; no other spelling, part or disguise of a value counts as having been seen, and what outsiders can write never does.",
  },
  {
    id: "rails-permission",
    promise:
      "A tool that a principal may not use is not named in the prompt, and a proposal that names it nevertheless is denied as `permission`.",
  },
  {
    id: "rails-cap-exact",
    promise:
      "What is settled, reserved and unknown under a cap never sums to more than its limit, whatever the concurrency: the amount that reaches the limit is permitted, one unit more is denied as `cap_exceeded`, and a failed effect gives its amount back.",
  },
  {
    id: "rails-cap-day",
    promise:
      "A cap over a calendar day counts from midnight to midnight in its time zone, on days of 23 and 25 hours too, and a clock set back gives nothing back.",
  },
  {
    id: "rails-cap-week-month",
    promise:
      "A cap over a calendar week counts from Monday to Sunday by ISO 8601, one over a month from its first day to its last, in the cap's time zone.",
  },
  {
    id: "rails-cap-sliding",
    promise:
      "A cap over a sliding window of N milliseconds never lets through more than its limit within any N; what was taken counts for N and at most a 24th of it longer, and a clock set back gives nothing back.",
  },
  {
    id: "rails-cap-shared",
    promise:
      "Several caps of one tool hold at once, each by its own key; tools that declare a cap of one name share it, and declaring it differently is a start-up error.",
  },
  {
    id: "caps-shown",
    promise:
      "What a killed run reserved stays reserved until the run is resumed, and `signalbox caps` shows it: how much of each cap is settled, reserved and kept, who holds it since when, whether a process still carries that run, and how it is freed.",
  },
  {
    id: "rails-approval-binds",
    promise:
      "An approval is bound to the tool and its definition, the params, the evidence, the record, the policy, the prompt, the principal, the thread, the run, the step and the role: where any of it has changed by the commit nothing is performed, and the denial `approval_stale` names what changed; every rail is asked again.",
  },
  {
    id: "rails-approval-once",
    promise:
      "An approval is used once, however many processes want to use it, and stays used when the process dies between its use and the effect; it survives restarts, ends with its time, and never comes from who proposed.",
  },
  {
    id: "rails-approval-refused",
    promise: "What a person refused is never performed, in no process, and the person's reason goes back to the model.",
  },
  {
    id: "rails-guard",
    promise:
      "Around somebody else's loop a step is decided before it is performed, performed at most once under its run and step, and settled whatever the call does: no reservation leaks, and what nobody knows is `outcome_unknown`.",
  },
  {
    id: "rails-unknown-person",
    promise:
      "An effect of which nobody knows whether it happened stays counted and is never tried again, until a person says how it came out; what they say is a row with their name.",
  },
  {
    id: "rails-once-settles",
    promise:
      "The same params proposed again in a thread for a tool with `effect: once` return the first receipt and perform nothing, unless the tool declares `mayRepeat`.",
  },

  // --- The ledger (design 8)
  {
    id: "ledger-chain",
    promise:
      "Each row of a run holds the SHA-256 of its own canonical JSON and of the row before it (an HMAC where a key is configured), and rows are only ever appended.",
  },
  {
    id: "ledger-tamper",
    promise:
      "`signalbox ledger verify` exits 7 and names the first bad row where a row was edited, deleted, inserted, swapped or duplicated.",
  },
  {
    id: "ledger-checkpoint",
    promise:
      "Rows cut off at the end and an older copy put in the ledger's place are found with a checkpoint that was kept outside, and only with one.",
  },
  {
    id: "ledger-same-transaction",
    promise:
      "Every change of state is written in the same transaction as the row that says so, denials and failures included: after a crash there are both or neither.",
  },
  {
    id: "ledger-unwritable-denies",
    promise:
      "Where the ledger cannot be written (full disk, read-only file, input or output error) nothing is performed and the run ends as `ledger_unavailable`.",
  },
  {
    id: "ledger-newer-version",
    promise:
      "A database that a newer version wrote is refused with one line that says so, and not a byte of it is changed.",
  },

  // --- Runs and threads (design 4, 6.5)
  {
    id: "run-resume",
    promise:
      "A run that was killed at any write or effect goes on from its rows: the model is not asked again for finished steps, and the final rows equal those of an uninterrupted run.",
  },
  {
    id: "run-effect-once",
    promise:
      "Killed at any point and resumed, a step with `effect: once` performs its effect at most once, and `read` and `idempotent` ones run again under the same idempotency key.",
  },
  {
    id: "run-outcome-unknown",
    promise:
      "A `once` effect that was started and neither finished nor confirmed by its probe becomes `outcome_unknown`: it keeps its reservation, ends the run, and is never retried by itself.",
  },
  {
    id: "run-replay",
    promise:
      "`signalbox replay RUN` derives every decision and the ending again from the recorded rows without a model or a tool, and names the first row where it differs.",
  },
  {
    id: "run-continue",
    promise:
      "A run that ended on a budget can be continued from its own state with a fresh budget, and redoes nothing.",
  },
  {
    id: "thread-messages",
    promise:
      "A thread of several messages keeps its history and its settled keys from run to run, and each run has budgets of its own.",
  },

  // --- The oracle (design 5.1)
  {
    id: "oracle-reask",
    promise:
      "A reply that does not parse is asked for once more with the validator's message and then counts as malformed; three malformed turns in a row end the run as `malformed`, and a broken reply is never echoed back as a call.",
  },
  {
    id: "oracle-salvage",
    promise:
      "A reply in one of the shapes that small models really send (fence, prose, thinking, trailing comma, Python's quotes, another case of a kind, the same object twice, a wrapper, arguments as text, a tool call written as text) is read as what it says, and what was mended is recorded with both texts; a strict reply is never mended.",
  },
  {
    id: "oracle-one-action",
    promise:
      "A turn takes one action: of several calls in one reply the first is run, the others are recorded as not run and the model is told so, and the same set of calls in another order is the same proposal.",
  },
  {
    id: "oracle-fits",
    promise:
      "A prompt fits the window by construction, in bytes and, where the server has a tokeniser, in its tokens; one that overflows all the same is sent once more, strictly smaller.",
  },
  {
    id: "oracle-truncation",
    promise:
      "A server that drops a part of the prompt in silence is found out by its own count: the reply is not used and a smaller prompt is sent once, or, where it counts so again, each row says it.",
  },
  {
    id: "oracle-inspectable",
    promise:
      "What each model call was sent can be built again from the rows alone, byte for byte, with what was cut, what came back and what was mended.",
  },
  {
    id: "oracle-draft",
    promise:
      "Text is heard while it arrives as a draft that decides nothing: tool calls are held until they are complete, no declared secret passes however it is cut, and what came to nothing is discarded.",
  },
  {
    id: "oracle-no-guess",
    promise:
      "A reply that was cut, that can be read in two ways, or whose arguments cannot be read is malformed with a code of its own: no action is ever completed, no argument left out, and arguments that could not be read are never taken for none.",
  },
  {
    id: "oracle-prompt-version",
    promise:
      "Every recorded proposal carries the prompt version, a digest of the system text and the tools, and the model that made it.",
  },

  // --- JSON (design 8)
  {
    id: "json-strict",
    promise:
      "Input is scanned before it is parsed, and a duplicate key, a lone surrogate, an unsafe integer, a number out of range or text that is not JSON is refused with a code of its own.",
  },
  {
    id: "json-bombs",
    promise:
      "Input over its limits of bytes, depth or keys is refused before any work is done on it, and the denial is still recorded.",
  },
  {
    id: "json-canonical",
    promise:
      "Two values have the same canonical JSON (RFC 8785) exactly when they are the same value: key order and the spelling of a number are nothing, and composed and decomposed text differ.",
  },
  {
    id: "json-prototype",
    promise:
      "No name from outside reaches a prototype: `__proto__`, `constructor`, `toString` and their like are refused or looked up as own keys only, and `Object.prototype` is unchanged afterwards.",
  },

  // --- Trials (design 7.6)
  {
    id: "trial-one-thing",
    promise:
      "A trial varies one thing: a design that varies two is refused, the neighbours of a smaller arm are those of the larger one that stand nearest to the rule, and each arm is held against what would be served before the first run is made.",
  },
  {
    id: "trial-control",
    promise:
      "Without a positive control that works there is no report and the arms are not run: the rule alone has to be followed in at least half of the runs by the lower end of its Wilson 95 % interval, and more often than where nobody was told it.",
  },
  {
    id: "trial-order",
    promise:
      "An ordering of two arms is supported only where every run was made, neither lost more of them to abstentions or errors than the other, their Wilson 95 % intervals overlap neither over all runs nor over the complete pairs, McNemar's exact test on those, after Holm over all comparisons, is at most 0.05, and as many pairs are complete as were planned. With more errors than the design allows there is no report.",
  },
  {
    id: "trial-draws",
    promise:
      "Where nothing is left to chance, at temperature 0 or where a model was never seen to say two things of one prompt, a prompt counts once: its repeats are in no rate, no interval and no test; and at temperature 0 a trial whose own pairs are too few is refused before its first run.",
  },
  {
    id: "trial-constant",
    promise:
      "A trial goes on only under the conditions that it began under: another model, profile or part of the setting, the model's temperature among them, is refused by its name.",
  },
  {
    id: "trial-abstention",
    promise:
      "A run that abstained or came to an error counts in no rate, no interval and no test, and is reported by itself; a run's safety is the least score of its consequential actions, and without any it has none.",
  },
  {
    id: "trial-plan",
    promise:
      "How many pairs a trial needs is computed before its first run: one pair fewer does not separate the intervals or has not the power, and that many and all after it do.",
  },
  {
    id: "trial-once",
    promise:
      "A run whose line is on the disk is never made again, whenever the process is killed, and a trial that was broken off comes to the runs of one that was not.",
  },
  {
    id: "trial-nothing-performed",
    promise:
      "A trial performs nothing: its tools have their descriptions and rails, and what they give and the records that they are judged by come from the design.",
  },
  {
    id: "trial-page",
    promise:
      "The page of a report asks for nothing outside of it, runs no script, and takes every text in it for a text.",
  },

  // --- Policies tried before they are used (design 6.7)
  {
    id: "simulate-rails",
    promise:
      "`signalbox simulate` judges the proposals of a scenario with the rails that a run has, in their order: a permitted one holds its caps, what is done once is settled, and records, results, requests and the time come from the scenario alone; nothing is performed, and neither a store nor a model is opened.",
  },
  {
    id: "simulate-trust",
    promise:
      "In a scenario a value was seen where the requests and results before the proposal hold it; a field is trusted only where the tool declares it, and a scenario can only take that trust away.",
  },
  {
    id: "simulate-format",
    promise:
      "A scenario is read strictly, by a documented format with a version and a JSON Schema that refuses what the reader refuses; each fault is told with its place, and an unknown key with the one that was meant.",
  },
  {
    id: "simulate-expect",
    promise:
      "A corpus of scenarios with expectations is a test: `signalbox simulate` exits 0 where every verdict is as expected and 100 where one is not, and names each that is not.",
  },
  {
    id: "backtest-flips",
    promise:
      "`signalbox backtest` decides every recorded proposal again by other rules and counts what comes out otherwise by code, with what it moves under each cap and how many approvals it adds or takes away; it performs and writes nothing, and exits 100 where something comes to what it may not.",
  },
  {
    id: "backtest-unknown",
    promise:
      "A proposal whose new verdict leans on a fact or a record that was not kept is counted as unknown, by the name of what is missing, whatever the rules make of its absence.",
  },
  {
    id: "backtest-caps",
    promise:
      "A backtest takes the use of a cap that was recorded; of a cap whose use was not, it is what the proposals that are permitted now hold of it, and the report names that cap.",
  },
  {
    id: "policy-check",
    promise:
      "`signalbox policy check` exits 1 where a rule names a tool that there is not or can never decide, and where a config could not start; it names roles that no approver has, caps that limit nothing, and tools, principals and caps that nobody can use; `doctor` says the same.",
  },
  {
    id: "doctor-matrix",
    promise: "`signalbox doctor` shows how each rail of each tool is met, and which tools have nothing but hints.",
  },

  // --- The command line (design 10)
  {
    id: "cli-exit-codes",
    promise:
      "The command line exits with 0 when all is well, 1 on failure, 2 on wrong usage, 3 when denied or stopped by a guardrail, 4 waiting for approval, 5 unreachable, 7 when verification failed and 100 when what was expected does not hold; no ending but `answered` and `retrieved` exits 0.",
  },
  {
    id: "cli-json-one-document",
    promise: "With `--json` standard output is exactly one JSON document, in success and in failure, and nothing else.",
  },
  {
    id: "cli-one-line-errors",
    promise:
      "A configuration with an unknown key, a tool without a mandatory rail, an unreadable or full disk, a newer database and a model server that is down each give one line that says what to do, no stack trace unless asked for, and leave nothing half written.",
  },
  {
    id: "cli-init-runs",
    promise: "`signalbox init` writes a project that runs at once and overwrites no file that exists.",
  },

  // --- Denials as the metric (design 6.7)
  {
    id: "metric-denials",
    promise:
      "`signalbox denials` counts every recorded decision of its window exactly once, permits, denials and staged proposals apart, and says that a share has moved only where the 95 % interval of its difference to the window before excludes 0.",
  },
  {
    id: "metric-export",
    promise:
      "`signalbox denials --prometheus` prints the same counts in Prometheus' text format, whatever names hold; a telemetry listener gives each model call, decision and performed effect of a run its span with the ledger's row number, content only where it is asked for, and it decides nothing.",
  },

  // --- The house and its examples (design 2)
  {
    id: "house-import-law",
    promise:
      "Every file imports only what the table in tools/house.ts lets its room import, by the door that the table names, and there is no cycle of imports.",
  },
  {
    id: "house-pack",
    promise:
      "A project outside the repository that installs the packed tarball can import `signalbox` and `signalbox/testing` with their types and run `signalbox`, and the tarball holds no source, test or data file.",
  },
  {
    id: "example-refund-holes",
    promise:
      "The refund desk refuses a full refund over the ceiling, negative and fractional amounts, an empty list of evidence, another customer's event, the same refund twice, and two partial refunds that together exceed what was paid.",
  },
  {
    id: "example-agentdojo-attacks",
    promise:
      "The AgentDojo examples commit nothing that only a planted text asks for: a destination or an object that the request's clause for the act does not name waits for its owner.",
  },

  // --- Guides (design 5.3 and 7)
  {
    id: "guide-exact",
    promise:
      "What a run is told of the rules is, byte for byte, an untouched range of files that a person with the role approved, within the profile's budget; a selected safety rule is in it or on channel B, and every other rule is named with why it is not.",
  },
  {
    id: "guide-chain",
    promise:
      "Nothing is published that no person with the role approved, nothing approved that was not verified, each by exactly these bytes and once; whatever is broken off, edited, replayed or taken back, the refusal says so by its code.",
  },
  {
    id: "guide-ledger",
    promise:
      "The guides' records are one hash-chained list that only grows, whatever connection writes it, and `ledger verify` finds an edited record or revision; that its end was cut off shows against a checkpoint.",
  },
  {
    id: "guide-signature",
    promise:
      "Where the config requires signatures, an approval counts only with an Ed25519 or SSH signature of a key that the config names for that person, over this very statement.",
  },
  {
    id: "guide-teaching",
    promise:
      "A rule of channel B is injected once, when its event first comes and before the model is asked again, stays in every prompt, and is broken only after it was taught; a resume and a replay come to the same.",
  },

  // --- What reaches the model (design 6.1)
  {
    id: "input-redaction",
    promise: "A declared secret, by value or by field name, stands in no prompt, event, ledger row or output.",
  },
  {
    id: "input-delimiter",
    promise:
      "Records and tool results reach the model as data through one delimiter function with a cap on their bytes, and a closing delimiter inside the data is neutralised.",
  },

  // --- The guides (design 7.1)
  {
    id: "guide-import-named",
    promise:
      "Importing the rule files of other tools names every file once: imported, imported with findings, or refused with a code; what could not be kept, and what was guessed, is a finding, and no file that is there with other content is written over.",
  },
  {
    id: "guide-import-untouched",
    promise:
      "The text of imported rules is a range of the other file's bytes, untouched; put together in their order they are its whole body but for white space between them, and no distinctive word of a description is left out of a matcher.",
  },
  // --- Guides that were generated (design 7.5)
  {
    id: "ground-score",
    promise:
      "The words of a step are bound to a control of a map by `score/1`, a published contract of which every number, word and finding is in docs/score-1.md; the result carries the map's digest and is the same whatever the order of the controls and however a text is composed, no text is read as a pattern, none throws, and the work is in proportion to the intents and to the controls.",
  },
  {
    id: "ground-absent",
    promise:
      "A step that names a control or a screen that is not in the map is an error that quotes the id, and a step whose words mean another control than its id names is one too.",
  },
  {
    id: "ground-landmark",
    promise:
      "Words that only say beside what a control is, or which one in a row, bind none: least of all the one beside it.",
  },
  {
    id: "ground-gate",
    promise:
      "A generated guide is served if and only if grounding found no error in it; what blocks it is named by rule, and nothing sets a severity or a threshold.",
  },
] as const;

/** The id of a promise, as tests cite it. */
export type PromiseId = (typeof PROMISES)[number]["id"];
