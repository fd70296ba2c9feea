const POLL_MS = 1_000

interface Looks {
  /** There may be work: looks now. During a look it causes another one after it. */
  wake(): void
  /** Begins to look, every second and at each wake. */
  start(): void
  /** Whether `stop` was called: a look in progress begins nothing new. */
  isStopped(): boolean
  /** Ends when the look in progress has ended. */
  stop(): Promise<void>
}

/** Looks for work, one look at a time. A look that fails is reported, and the next one comes all the same. */
export function createLooks(look: () => Promise<void>, onFault: (error: unknown) => void): Looks {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false
  let isStopped = false
  const wake = () => {
    if (isStopped) return
    lookAgain = looking !== undefined
    looking ??= look()
      .catch(onFault)
      .finally(() => {
        looking = undefined
        if (lookAgain) wake()
      })
  }
  return {
    wake,
    isStopped: () => isStopped,
    start() {
      timer = setInterval(wake, POLL_MS).unref()
      wake()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await looking
    },
  }
}
