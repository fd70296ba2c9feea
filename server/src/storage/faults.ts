import { StandbyOnly } from './postgres/servers.ts'
import { GroupUndone } from './sqlite/group-undone.ts'
import { FilesReplaced } from './sqlite/sqlite-files.ts'

/** SQLite's primary result codes: BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN. */
const SQLITE_AWAY = new Set([5, 6, 8, 10, 11, 13, 14])
/**
 * SQLSTATE classes: connection, resources (a full disk included), operator intervention (shutdown, canceled by timeout), system error; and
 * a transaction that the server ended because it stood still, a server that is read only, conflicts, a lock that was not given up.
 */
const POSTGRES_AWAY = /^(08|53|57|58)|^25P03$|^25006$|^40P01$|^40001$|^55P03$/
const NETWORK_AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
/** pg's messages for a lost connection, which carry no code. */
const POSTGRES_MESSAGES =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|query read timeout|not queryable|client was closed/i

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

/** True for a fault that means the database is unavailable now (answer 503, try again later), not that the query was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof FilesReplaced || error instanceof StandbyOnly || isReadOnly(error)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_SQLITE_ERROR' && 'errcode' in error) return SQLITE_AWAY.has(Number(error.errcode) & 0xff)
  if (typeof code === 'string' && ('severity' in error ? POSTGRES_AWAY.test(code) : NETWORK_AWAY.has(code))) return true
  return POSTGRES_MESSAGES.test(error.message)
}

/**
 * True when a transaction was rolled back for the sake of another. PostgreSQL: a deadlock, or a serialization failure. SQLite: one of its
 * group was undone. Nothing of it is left, and it may be run again.
 */
export function isConflict(error: unknown): boolean {
  if (error instanceof GroupUndone) return true
  return error instanceof Error && 'severity' in error && 'code' in error && (error.code === '40P01' || error.code === '40001')
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
