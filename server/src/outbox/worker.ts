import type { Now, Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { FatalJobFault, type Job, type JobHandler, type JobKind, waitAfter } from './job.ts'
import { buryJob, leaseJobs, postponeJob, removeJob } from './store.ts'

const POLL_MS = 1_000
const AT_ONCE = 4
const LEASE_MS = 60_000
/** Well within the lease, so that nobody else begins before a slow one has given up. */
const HANDLER_MS = 30_000

export interface Outbox {
  /** Begins to look for due jobs, every second and at each nudge. */
  start(): void
  /** There may be work: look now. */
  nudge(): void
  /** Takes nothing new and waits for what is under way. */
  stop(): Promise<void>
}

export interface OutboxDeps {
  storage: Storage
  sealer: Sealer
  /** The kinds of work that this one does. Each that may have to wait long for others has an outbox of its own, so that nothing waits behind it. */
  handlers: Readonly<Partial<Record<JobKind, JobHandler>>>
  now: Now
  onFault: (error: unknown) => void
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false
  let stopped = false
  const kinds = Object.keys(deps.handlers)

  const look = async () => {
    const limit = AT_ONCE - underWay.size
    if (limit <= 0) return
    const at = deps.now()
    for (const job of await leaseJobs(deps.storage, { limit, now: at, leasedUntil: at + LEASE_MS, kinds }, deps.sealer)) {
      const run = runJob(job, deps)
        .catch(deps.onFault) // the lease runs out, and the job comes again
        .finally(() => {
          underWay.delete(run)
          nudge()
        })
      underWay.add(run)
    }
  }
  const nudge = () => {
    if (stopped) return
    if (looking !== undefined) {
      lookAgain = true
      return
    }
    looking = look()
      .catch(deps.onFault)
      .finally(() => {
        looking = undefined
        if (!lookAgain) return
        lookAgain = false
        nudge()
      })
  }
  return {
    nudge,
    start() {
      timer = setInterval(nudge, POLL_MS).unref()
      nudge()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      await Promise.all(underWay)
    },
  }
}

/** Several outboxes, each with its own kinds of work, started and stopped as one. */
export function joinOutboxes(outboxes: readonly Outbox[]): Outbox {
  return {
    start() {
      for (const outbox of outboxes) outbox.start()
    },
    nudge() {
      for (const outbox of outboxes) outbox.nudge()
    },
    async stop() {
      await Promise.all(outboxes.map((outbox) => outbox.stop()))
    },
  }
}

async function runJob(job: Job, { storage, handlers, now }: OutboxDeps): Promise<void> {
  try {
    const handler = new Map<string, JobHandler>(Object.entries(handlers)).get(job.kind)
    if (!handler) throw new FatalJobFault(`no handler for ${job.kind}`)
    if (job.payload === undefined) throw new FatalJobFault('the payload does not open with this master key')
    const signal = AbortSignal.timeout(HANDLER_MS)
    await Promise.race([handler(job.payload, { ...job, signal }), givenUp(signal)])
  } catch (fault) {
    const error = (fault instanceof Error ? fault.message : 'unknown fault').slice(0, 500)
    const wait = waitAfter(job.attempts, fault)
    if (wait === undefined) await buryJob(storage.db, job.id, { at: now(), error })
    else await postponeJob(storage.db, job.id, { runAt: now() + wait, error })
    return
  }
  await removeJob(storage.db, job.id)
}

/** Rejects when the time is over: a handler that does not listen to its signal must not keep its place for ever. */
function givenUp(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise
}
