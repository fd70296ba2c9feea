import process from 'node:process'
import closeWithGrace from 'close-with-grace'

const STOP_MS = 30_000

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'
type Work = (cause: { err?: Error | undefined; signal?: string | undefined }) => Promise<void>

/**
 * Runs `work` at the first of these signals or at a fault, then ends the process; signals that a terminal sends and that are not named do
 * nothing. SIGINT after a first signal ends it at once. The others come several times without meaning so: a closed terminal repeats SIGHUP,
 * and a service manager sends SIGTERM to each process, as npm and a parent do, too.
 */
export function stopWithGrace(signals: readonly Signal[], work: Work): void {
  let signal: string | undefined
  for (const one of ['SIGINT', 'SIGHUP'] as const) if (!signals.includes(one)) process.on(one, () => {})
  const skip = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter((one) => one !== 'SIGINT' || !signals.includes(one))
  const { close } = closeWithGrace({ delay: STOP_MS, skip }, async (cause) => {
    signal ??= cause.signal ?? 'none'
    await work({ err: cause.err, signal })
  })
  for (const one of ['SIGTERM', 'SIGHUP'] as const)
    process.on(one, () => {
      if (signal !== undefined || !signals.includes(one)) return
      signal = one
      void close()
    })
}
