export { openSqliteStore, type SqliteStoreOptions } from "./store.ts";
