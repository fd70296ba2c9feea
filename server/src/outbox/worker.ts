import { type Clock, fixOnSetBack, type Sealer } from '../kit/index.ts'
import type { Storage } from '../storage/index.ts'
import { type AtOnce, fullOnes, isFull, USUAL } from './full-lanes.ts'
import type { JobHandler, JobKind, OnGivenUp } from './job.ts'
import { leaseJob } from './lease-store.ts'
import { createLooks } from './looks.ts'
import { runJob } from './run-job.ts'
import { fixTimesAhead, LEASE_MS } from './set-back-store.ts'

export interface Outbox {
  /** Begins to look for due jobs, every second and at each wake. */
  start(): void
  /** There may be work, of this lane if one is named: look now, unless that lane is full. A finished job causes another look. */
  wake(lane?: string): void
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

export interface OutboxDeps extends Pick<Clock, 'now' | 'setBacks'> {
  storage: Storage
  sealer: Sealer
  /**
   * The kinds of work of this worker. Kinds that may wait long for others have a worker of their own, so that nothing waits behind them.
   */
  handlers: Readonly<Partial<Record<JobKind, JobHandler>>>
  /** The work beside the dead letter of each kind of job. */
  onGivenUp?: Readonly<Partial<Record<JobKind, OnGivenUp>>>
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

  const fixAfterSetBack = fixOnSetBack(deps, async () => fixTimesAhead(deps.storage.db, await deps.leaseTime()))

  const look = async () => {
    await fixAfterSetBack()
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
