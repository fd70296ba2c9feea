// storage: the one database, SQLite or PostgreSQL. Owns: opening and closing, transactions, the migrations (one timeline for both), the
// table types, the meaning of "the database is away", the channel on which processes notify each other. Does not own: queries about the
// product; those stand in each floor's store.ts.

export { DatabaseAway } from './away.ts'
export { type Comparison, compareTables, isSame } from './copy/compare-tables.ts'
export { copyTables } from './copy/copy-tables.ts'
export { hasFence, listUnfenced, lowerFence, raiseFence, throughFence } from './copy/fence.ts'
export type { RowsRefusal } from './copy/refuse-rows.ts'
export { type Step, shapesOf } from './copy/sides.ts'
export { beginCopy, COPY_UNFINISHED, type Copy, findCopy, findProgress, forgetCopy, forgetProgress, noteCopyDone } from './copy/states.ts'
export { type TargetRefusal, takeAsTarget } from './copy/take-target.ts'
export { countValues } from './count-rows.ts'
export { type DatabaseAddress, describeAddress, parseDatabaseUrl } from './database-url.ts'
export { isDatabaseAway, isReadOnly, isUniqueViolation } from './faults.ts'
export { takeLock, takeLockOnBuyer, takeLockOnGrace, takeLockOnPayment } from './locks.ts'
export { besideNewer, hasTables, newerSentence, schemaState } from './migrations/applied.ts'
export { fillAgain, manageFills, migrate, type NeedsNewer } from './migrations/migrate.ts'
export { type Timeline, timeline } from './migrations/timeline.ts'
export { openStorage, type Queryable, type Storage, type Transaction } from './open.ts'
export { inPages, type Page, type PageAfter } from './page.ts'
export { inPortions, PORTION_MS, removeInPortions, slicesOf } from './portions.ts'
export { prepare, prepareWithList } from './prepare.ts'
export { describeRetention, type Retention, retention } from './retention.ts'
export type * from './schema/schema.ts'
export {
  advance,
  hasMasterKeyMark,
  markMasterKey,
  readSetting,
  resealMasterKeyMark,
  takeSetting,
  takeTurn,
  writeSetting,
} from './settings.ts'
export { type BackupRefusal, backupSqlite } from './sqlite/backup/backup-sqlite.ts'
export { type Restored, type RestoreRefusal, restoreSqlite } from './sqlite/backup/restore-sqlite.ts'
export { DamagedFiles } from './sqlite/examine-files.ts'
export { isBusy, untilFree } from './sqlite/sqlite-busy.ts'
export { FilesReplaced } from './sqlite/sqlite-files.ts'
export { compareClocks, leaseTime } from './time.ts'
export { awaitEarlierCommits, commitAsWriter } from './transactions/commit-as-writer.ts'
export { rollBackRefusals } from './transactions/roll-back-refusals.ts'
export { createWriteProbe, type WriteProbe } from './write-probe.ts'
