/** The wait for another writer. */
export const BUSY_TIMEOUT_MS = 5_000
/** SQLITE_BUSY. */
const BUSY = 5

/** The low byte: the rest of an extended code gives the reason (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT). */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === BUSY
}

/**
 * Runs a transaction until it gets its turn: processes that write without a pause leave others only moments, which five seconds may miss.
 * Nothing of a try is left. `onWait` is called after the first one. Rejects with the last fault when `forMs` have passed.
 */
export async function untilFree<T>(transaction: () => Promise<T>, { forMs, onWait }: { forMs: number; onWait: () => void }): Promise<T> {
  const from = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isBusy(error) || performance.now() - from > forMs) throw error
    }
    if (attempt === 1) onWait()
  }
}
