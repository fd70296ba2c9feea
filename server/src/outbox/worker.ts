import type { Now, Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { waitAfter } from './back-off.ts'
import { FatalJobFault, type Job, type JobHandler, type JobKind, leavesNoTrace, TryLater } from './job.ts'
import { createLooks } from './looks.ts'
import { deadLetterJob, leaseJob, pauseLane, postponeJob, removeJob } from './store.ts'

/** The numbers of jobs that a worker does at once. */
interface AtOnce {
  all: number
  /** So that a lane whose API hangs delays no other … */
  ofLane: number
  /** … nor an API whose lanes all hang. */
  ofGroup: number
}
const USUAL: AtOnce = { all: 4, ofLane: 2, ofGroup: 3 }
const LEASE_MS = 60_000
/** Well within the lease, so that a slow job is given up before another worker begins it. */
const HANDLER_MS = 30_000

export interface Outbox {
  /** Begins to look for due jobs, every second and at each wake. */
  start(): void
  /** There may be work, of this lane if one is named: look now, unless that lane is full. A finished job causes another look. */
  wake(lane?: string): void
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

export interface OutboxDeps {
  storage: Storage
  sealer: Sealer
  /**
   * The kinds of work of this worker. Kinds that may wait long for others have a worker of their own, so that nothing waits behind them.
   */
  handlers: Readonly<Partial<Record<JobKind, JobHandler>>>
  now: Now
  /** The database's time, which decides about leases: that of another node may be held longer than this node's clock believes. */
  leaseTime: () => Promise<number>
  onFault: (error: unknown) => void
  /** For a worker with one group of many lanes. */
  atOnce?: AtOnce
}

export function createOutbox(deps: OutboxDeps): Outbox {
  /** With their lanes. */
  const underWay = new Map<Promise<void>, string | undefined>()
  const kinds = Object.keys(deps.handlers)
  const { atOnce = USUAL } = deps

  const look = async () => {
    while (!looks.isStopped() && underWay.size < atOnce.all) {
      const leasing = {
        kinds,
        full: fullOnes([...underWay.values()], atOnce),
        now: deps.now(),
        leaseMs: LEASE_MS,
        leaseTime: deps.leaseTime,
      }
      const job = await leaseJob(deps.storage, leasing, deps.sealer)
      if (!job) return
      const run = runJob(job, deps)
        .catch(deps.onFault) // the lease expires, and the job comes again
        .finally(() => {
          underWay.delete(run)
          looks.wake()
        })
      underWay.set(run, job.lane)
    }
  }
  const looks = createLooks(look, deps.onFault)
  const wake = (lane?: string) => {
    if (lane === undefined || !isFull(lane, [...underWay.values()], atOnce)) looks.wake()
  }
  return {
    wake,
    start: looks.start,
    async stop() {
      await looks.stop()
      await Promise.all(underWay.keys())
    },
  }
}

/** The lanes, and groups of them, that are full. */
function fullOnes(underWay: readonly (string | undefined)[], { ofLane, ofGroup }: AtOnce): { lanes: string[]; groups: string[] } {
  const lanes = underWay.filter((lane) => lane !== undefined)
  const groups = lanes.flatMap((lane) => lane.split('/', 1))
  return { lanes: oftenest(lanes, ofLane), groups: oftenest(groups, ofGroup) }
}

function isFull(lane: string, underWay: readonly (string | undefined)[], atOnce: AtOnce): boolean {
  const { lanes, groups } = fullOnes(underWay, atOnce)
  return lanes.includes(lane) || groups.some((group) => lane.startsWith(`${group}/`))
}

function oftenest(reasons: readonly string[], times: number): string[] {
  return [...new Set(reasons)].filter((reason) => reasons.filter((one) => one === reason).length >= times)
}

/** Several workers, each with its own kinds of work, started and stopped as one. */
export function joinOutboxes(outboxes: readonly Outbox[]): Outbox {
  return {
    start() {
      for (const outbox of outboxes) outbox.start()
    },
    wake(lane) {
      for (const outbox of outboxes) outbox.wake(lane)
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
    await putBack(job, { fault, error, at: now() }, storage)
    return
  }
  await removeJob(storage.db, job.id)
}

function putBack(job: Job, { fault, error, at }: { fault: unknown; error: string; at: number }, storage: Storage): Promise<void> {
  const { id, lane } = job
  const wait = waitAfter(job.attempts, fault)
  return storage.transaction(async (tx) => {
    if (fault instanceof TryLater && lane !== undefined) await pauseLane(tx, lane, at + fault.afterMs)
    if (wait === undefined) await (leavesNoTrace(job) ? removeJob(tx, id) : deadLetterJob(tx, id, { at, error }))
    else await postponeJob(tx, id, { runAt: at + wait, error })
  })
}

/** Rejects when the time is over: a handler that ignores its signal must not keep its place for ever. */
function givenUp(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise
}
