import process from 'node:process'
import closeWithGrace from 'close-with-grace'

const STOP_MS = 30_000

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'
type Work = (cause: { err?: Error | undefined; signal?: string | undefined }) => Promise<void>

/**
 * Runs `work` at the first of these signals or at a fault, then ends the process; signals that a terminal sends and that are not named do
 * nothing. A second signal ends it at once, except SIGHUP, which a closed terminal sends several times.
 */
export function stopWithGrace(signals: readonly Signal[], work: Work): void {
  let signal: string | undefined
  const ignored = (['SIGINT', 'SIGHUP'] as const).filter((one) => !signals.includes(one))
  for (const one of ignored) process.on(one, () => {})
  const { close } = closeWithGrace({ delay: STOP_MS, skip: ['SIGHUP', ...ignored] }, async (cause) => {
    signal ??= cause.signal ?? 'none'
    await work({ err: cause.err, signal })
  })
  process.on('SIGHUP', () => {
    if (signal !== undefined || !signals.includes('SIGHUP')) return
    signal = 'SIGHUP'
    void close()
  })
}
