// storage: the one database, SQLite or PostgreSQL.
// Owns: opening and closing, transactions, the migrations (one timeline for both), the table types, what counts as "the database is away",
// the channel on which processes notify each other. Does not own: any query about the product; those stand in each floor's store.ts.

export { besideNewer, newerSentence, schemaState } from './applied.ts'
export { backupSqlite, restoreSqlite } from './backup.ts'
export { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts'
export { isDatabaseAway, isUniqueViolation } from './faults.ts'
export { takeLock, takeLockOnBuyer, takeLockOnGrace, takeLockOnPayment } from './locks.ts'
export { fillAgain, manageFills, migrate, type NeedsNewer } from './migrate.ts'
export { openStorage, type Queryable, type Storage, type Transaction } from './open.ts'
export { inPages, type Page, type PageAfter } from './page.ts'
export { inPortions, removeInPortions } from './portions.ts'
export { prepare, prepareWithList } from './prepare.ts'
export { rollBackRefusals } from './roll-back-refusals.ts'
export type * from './schema.ts'
export { hasMasterKeyMark, markMasterKey, readSetting, resealMasterKeyMark, takeSetting, takeTurn, writeSetting } from './settings.ts'
export { FilesReplaced } from './sqlite-files.ts'
export { compareClocks } from './time.ts'
export { type Timeline, timeline } from './timeline.ts'
