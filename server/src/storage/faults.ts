import { isMarkedAway } from './away.ts'
import { GroupUndone } from './sqlite/group-undone.ts'

/** SQLite's primary result codes: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL (of locks), NOTADB. */
const SQLITE_AWAY = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26])
/**
 * SQLSTATE classes: connection, resources (a full disk included), operator intervention (shutdown, canceled by timeout), system error; and
 * a transaction that the server ended because it stood still or took too long, a server that is read only, conflicts, a commit of which
 * nobody knows, a lock that was not given up, damaged pages.
 */
const POSTGRES_AWAY = /^(08|53|57|58)|^25P0[34]$|^25006$|^40(001|003|P01)$|^55P03$|^XX00[12]$/
/** The server has ended the connection after such an answer, whatever its code says. */
const CONNECTION_ENDED = /^(FATAL|PANIC)$/
/** The SQLSTATE of a write that the fence of a copy refused on PostgreSQL. SQLite has the message alone. */
export const READ_ONLY_CODE = 'PRT01'
export const READ_ONLY_MESSAGE = 'this database is being copied, or has been: it can be read only'
const SQLITE_CONSTRAINT_TRIGGER = 1811

/** True for a write that was refused because the database is being copied to another one, or has been (decision 163). */
export function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isReadOnly)
  if ('errcode' in error) return error.errcode === SQLITE_CONSTRAINT_TRIGGER && error.message.includes(READ_ONLY_MESSAGE)
  return 'severity' in error && 'code' in error && error.code === READ_ONLY_CODE
}

/**
 * True for a fault that means the database is unavailable now (answer 503, try again later), not that the query was wrong. What a server
 * says is judged here by its code; who opens connections and files marks what goes wrong on the way.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isMarkedAway(error) || isReadOnly(error)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  if (!('code' in error) || typeof error.code !== 'string') return false
  if (error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error) return SQLITE_AWAY.has(Number(error.errcode) & 0xff)
  return 'severity' in error && (POSTGRES_AWAY.test(error.code) || endsConnection(error))
}

/** Whether the server ends the connection with this answer. It may be some time before that is seen. */
export function endsConnection(answer: object): boolean {
  return 'severity' in answer && CONNECTION_ENDED.test(String(answer.severity))
}

/**
 * True when a transaction was rolled back for the sake of another. PostgreSQL: a deadlock, a serialization failure, or a statement that it
 * no longer keeps as it was. SQLite: one of its group was undone. Nothing of it is left, and it may be run again.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof GroupUndone || isLostStatement(error) || isStaleStatement(error)) return true
  return error instanceof Error && 'severity' in error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}

/** True when the server does not keep the statement that it was asked for, or another one under its name. */
export function isLostStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && (error.code === '26000' || error.code === '42P05')
}

/** True when the server's kept statement would answer other columns now than when it was made: a migration has added one. */
export function isStaleStatement(error: unknown): boolean {
  return (
    error instanceof Error && 'routine' in error && 'code' in error && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  )
}

/** True when a lock was not available within `lock_timeout`. */
export function isLockTaken(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && 'code' in error && error.code === '55P03'
}

/** True when a write was refused because a unique column has that value already: another transaction was first. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '23505' || ('errcode' in error && (error.errcode === 2067 || error.errcode === 1555))
}
