import process from 'node:process'
import closeWithGrace from 'close-with-grace'

const STOP_MS = 30_000

/**
 * Runs `work` at the first signal or fault, then ends the process. A second signal ends it at once, except SIGHUP, which a closed terminal
 * sends several times.
 */
export function stopWithGrace(work: (cause: { err?: Error | undefined; signal?: string | undefined }) => Promise<void>): void {
  let signal: string | undefined
  const { close } = closeWithGrace({ delay: STOP_MS, skip: ['SIGHUP'] }, async (cause) => {
    signal ??= cause.signal ?? 'none'
    await work({ err: cause.err, signal })
  })
  process.on('SIGHUP', () => {
    if (signal !== undefined) return
    signal = 'SIGHUP'
    void close()
  })
}
