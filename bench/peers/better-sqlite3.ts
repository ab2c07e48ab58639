/** Of better-sqlite3 what LangGraph's SQLite saver calls, over node:sqlite. Both are SQLite inside this process. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Value = SQLInputValue | undefined;

export default class Database {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  pragma(text: string): void {
    this.#database.exec(`PRAGMA ${text}`);
    // better-sqlite3 is compiled so that WAL means synchronous=NORMAL, which waits for the disk less often than FULL.
    if (/^journal_mode\s*=\s*wal$/i.test(text)) this.#database.exec("PRAGMA synchronous = NORMAL");
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string) {
    const statement = this.#database.prepare(sql);
    // node:sqlite refuses undefined where better-sqlite3 binds null.
    const bound = (values: readonly Value[]): SQLInputValue[] => values.map((value) => value ?? null);
    return {
      get: (...values: readonly Value[]) => statement.get(...bound(values)),
      all: (...values: readonly Value[]) => statement.all(...bound(values)),
      run: (...values: readonly Value[]) => statement.run(...bound(values)),
    };
  }

  transaction<Values extends readonly unknown[], T>(act: (...values: Values) => T): (...values: Values) => T {
    return (...values) => {
      this.#database.exec("BEGIN");
      try {
        const result = act(...values);
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        this.#database.exec("ROLLBACK");
        throw error;
      }
    };
  }

  close(): void {
    this.#database.close();
  }
}
