/** The wait for another writer. */
export const BUSY_TIMEOUT_MS = 5_000
/** SQLITE_BUSY. */
const BUSY = 5

/** The low byte: the rest of an extended code gives the reason (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT). */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === BUSY
}
