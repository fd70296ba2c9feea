import type { Now } from '../../kit/index.ts'
import type { Storage } from '../../storage/index.ts'
import { judgeEndpoint } from '../health.ts'
import type { MailDeps } from '../mail-owners.ts'
import { type Outcome, writeOutcomes } from './outcome-store.ts'

/** Attempts are written down together. */
const WRITE_AFTER_MS = 20

interface WriterDeps extends MailDeps {
  storage: Storage
  now: Now
  onFault: (error: unknown) => void
}

/** Collects the ends of attempts for a moment, and writes them in one transaction. */
export function createOutcomeWriter({ storage, now, onFault, ...deps }: WriterDeps) {
  let waiting: Outcome[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const write = async (outcomes: readonly Outcome[]) => {
    if (outcomes.length === 0) return
    await storage.transaction(async (tx) => {
      // In one order, so that no two nodes wait for each other.
      const byEndpoint = [...Map.groupBy(outcomes, ({ endpointId }) => endpointId)].sort(([a], [b]) => (a < b ? -1 : 1))
      for (const [id, own] of byEndpoint) await judgeEndpoint(tx, { id, outcomes: own, at: now() }, deps)
      await writeOutcomes(tx, outcomes)
    })
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const outcomes = waiting
    waiting = []
    writing = writing.then(() => write(outcomes)).catch(onFault)
    return writing
  }
  return {
    flush,
    add(outcome: Outcome) {
      waiting.push(outcome)
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
    },
  }
}
