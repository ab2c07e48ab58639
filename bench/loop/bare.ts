/** The loop that a programmer writes by hand in an afternoon: no schema, no checks, no limits. The floor. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Session } from "./variant.ts";
import { type LookupParams, lookup, type Message, REQUEST, SYSTEM, saidIn } from "./workload.ts";

/** Called before and after the effect of each turn. */
type Write = (turn: number, kind: string, body: unknown) => void;

async function carry(turns: number, write: Write | null): Promise<{ lookups: number; text: string }> {
  const messages: Message[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: REQUEST },
  ];
  let lookups = 0;
  for (let turn = 1; ; turn += 1) {
    const said = await complete(messages, turn, turns);
    messages.push(said);
    const [call] = said.tool_calls ?? [];
    if (call === undefined) return { lookups, text: said.content ?? "" };
    write?.(turn, "said", said);
    const result = await perform(JSON.parse(call.function.arguments) as LookupParams);
    lookups += 1;
    const content = JSON.stringify(result);
    messages.push({ role: "tool", tool_call_id: call.id, content });
    write?.(turn, "result", content);
  }
}

async function complete(messages: readonly Message[], turn: number, turns: number) {
  if (messages.length === 0) throw new Error("nothing to say");
  return saidIn(turn, turns);
}

async function perform(params: LookupParams) {
  return lookup(params);
}

export async function bare(): Promise<Session> {
  return { run: (turns) => carry(turns, null), close: async () => {} };
}

/** The same with what durability costs at least: a row before each effect and one after it, each in a transaction of its own. */
export const bareSqlite = (folder: string): Promise<Session> => openBare(folder, false);

/** The same over a log that was laid down beforehand and is kept short, as our store does it. */
export const barePrepared = (folder: string): Promise<Session> => openBare(folder, true);

/** Pages of the log, as in src/adapters/store-sqlite. */
const LOG_PAGES = 128;

async function openBare(folder: string, prepared: boolean): Promise<Session> {
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  if (prepared) {
    database.exec(
      `CREATE TABLE room (value TEXT); PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = 10; BEGIN`,
    );
    database.exec(`INSERT INTO room VALUES (hex(zeroblob(${LOG_PAGES * 2_000}))); ROLLBACK; PRAGMA cache_size = -2000`);
  }
  database.exec("CREATE TABLE rows (run INTEGER, turn INTEGER, kind TEXT, body TEXT) STRICT");
  const begin = database.prepare("BEGIN IMMEDIATE");
  const insert = database.prepare("INSERT INTO rows VALUES (?, ?, ?, ?)");
  const commit = database.prepare("COMMIT");
  let run = 0;
  return {
    run: (turns) => {
      run += 1;
      return carry(turns, (turn, kind, body) => {
        begin.run();
        insert.run(run, turn, kind, typeof body === "string" ? body : JSON.stringify(body));
        commit.run();
      });
    },
    close: async () => database.close(),
  };
}
