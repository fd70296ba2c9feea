/** How long one waits for another who writes. */
export const BUSY_TIMEOUT_MS = 5_000
/** SQLITE_BUSY. */
const BUSY = 5

/** The low byte: the rest of an extended code says why another has it (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT). */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === BUSY
}
